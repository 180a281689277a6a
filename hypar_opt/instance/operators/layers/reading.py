"""How an operator of a layer reads, writes and sums up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.instance.operators.layers.value import Dim, Value
    from hypar_opt.instance.operators.window import Window


@dataclass(frozen=True)
class Read:
    """How an operator reads a value.

    Parameters
    ----------
    value
        What it reads.
    dims
        The operator's dimension that runs along each of the value's; None where none does.
    windows
        By the operator's dimension that is read through one.
    saved, is_added, has_gradient
        As an `Operand` has them; a parameter is saved only if another operand has a gradient that depends on it.
    is_factor
        Whether its own gradient does not depend on it, as that of a factor of a product.
    """

    value: Value
    dims: Sequence[str | None]
    windows: Mapping[str, Window] = field(default_factory=dict)
    saved: bool = True
    is_added: bool = False
    is_factor: bool = True
    has_gradient: bool = True

    def pairs(self) -> Iterable[tuple[str, Dim]]:
        """Return the operator's dimensions with the value's along which they run."""
        return [(name, dim) for name, dim in zip(self.dims, self.value.dims, strict=True) if name is not None]

    def can_split(self, name: str, dim: Dim) -> bool:
        """Whether a part of the dimension reads a part of the tensor."""
        return dim.is_plain if name in self.windows else dim.place is not None


@dataclass(frozen=True)
class OutputDim:
    """A dimension of an operator's output: the operator's name of it, its size, and its name for those who read it."""

    dim: str
    size: int
    name: str


@dataclass(frozen=True)
class Sums:
    """Sums that all parts need, by the dimensions that they have: numbers in the forward and in the backward phase."""

    dims: tuple[str, ...]
    forward: int
    backward: int


def passing(dims: Iterable[Dim], taken: Iterable[str] = ()) -> list[str]:
    """Return names for the dimensions that an operator passes, each unlike the others and the operator's own."""
    known, names = set(taken), list[str]()
    for dim in dims:
        name, number = dim.name, 2
        while name in known:
            name, number = f"{dim.name}{number}", number + 1
        known.add(name)
        names.append(name)
    return names


def kept(dims: Sequence[Dim], names: Sequence[str]) -> list[OutputDim]:
    """Return dimensions of an output that are those of an input."""
    return [OutputDim(name, dim.size, dim.name) for dim, name in zip(dims, names, strict=True)]
