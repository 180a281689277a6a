"""What is in a device's memory from one moment of a step to another, by the values of the variables.

What one variable decides is a `Holding`. What is there only where two operators' words differ is a `Misfit`: a copy
of an operand that lies otherwise, a map as it is written until it is converted, a gradient as it is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from hypar_opt.cost.operators.model import OperatorModel
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.sharing import Sharing
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Tensor

from hypar_opt.cost.operators.padding import held_padded
from hypar_opt.cost.operators.placements import held


class Holding(NamedTuple):
    """What the value of a variable takes, from one moment to another.

    Parameters
    ----------
    variable
        Its position.
    first, last
        Moments, both included.
    taken
        By value, in units of 1 / devices of a byte.
    """

    variable: int
    first: int
    last: int
    taken: Array


class Misfit(NamedTuple):
    """What the value of a variable takes where a tensor does not lie as another's value says.

    Parameters
    ----------
    variable, other
        Their positions.
    first, last
        Moments, both included.
    taken
        By the variable's value, in units of 1 / devices of a byte.
    lies, there
        How the tensor lies, by the variable's value and by the other's.
    """

    variable: int
    other: int
    first: int
    last: int
    taken: Array
    lies: Placements
    there: Placements

    @property
    def key(self) -> tuple[int, ...]:
        """What it has in common with others that take the same, whenever."""
        return self.variable, self.other, id(self.taken), id(self.lies), id(self.there)

    def used(self, value: int, other: int) -> int:
        """Return what two values take."""
        return 0 if (self.lies[value] == self.there[other]).all() else int(self.taken[value])

    def all_pairs(self) -> Array:
        """Return what all pairs of values take; shape (values, other values)."""
        alike = (self.lies[:, None, :] == self.there[None, :, :]).all(axis=2)
        return np.where(alike, 0, self.taken[:, None])

    @property
    def least(self) -> Array:
        """By the variable's value what is taken whatever the other's is."""
        known = {row.tobytes() for row in np.ascontiguousarray(self.there)}
        met = np.array([row.tobytes() in known for row in np.ascontiguousarray(self.lies)])
        return np.where(met, 0, self.taken)


@dataclass(frozen=True, eq=False)
class Sizes:
    """What tensors take by their placements, the same array for the same tensors.

    Parameters
    ----------
    model
        How operators may be split.
    sharing
        What is the same for operators that are alike.
    """

    model: OperatorModel
    sharing: Sharing

    def of(self, tensor: Tensor, placements: Placements) -> Array:
        """Return the bytes that a device has of a tensor, in units of 1 / devices; shape (values,)."""

        def make() -> Array:
            if self.model.padded:
                return tensor.element_bytes * held_padded(tensor.sizes, self.model.axes, placements)
            return tensor.bytes * held(placements, self.model.axes)

        key = ("held", tensor.sizes, tensor.bytes, tensor.element_bytes, id(placements))
        return self.sharing.once(key, lambda: _fixed(make()))

    def where(self, chosen: NDArray[np.bool_], taken: Array) -> Array:
        """Return what is taken by those values that are chosen, by others nothing."""
        return self._made("where", lambda: np.where(chosen, taken, 0), chosen, taken)

    def times(self, count: int, taken: Array) -> Array:
        """Return what is taken several times."""
        return taken if count == 1 else self._made(f"{count} times", lambda: count * taken, taken)

    def _made(self, what: str, make: Callable[[], Array], *of: Array) -> Array:
        key = what, *((len(one), one.tobytes() if one.dtype == bool else id(one)) for one in of)
        return self.sharing.once(key, lambda: _fixed(make()))


def _fixed(values: Array) -> Array:
    values.setflags(write=False)
    return values
