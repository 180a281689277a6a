"""What a component charges for conversions and halos, and that of bytes that devices receive.

A charge has one unit: so many of it make a byte, a second or a joule. All that it charges is whole in that unit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from hypar_opt.cost.operators.conversions import conversion, dtype_of, halo
from hypar_opt.cost.operators.padding import by_placement, most_received, received_padded
from hypar_opt.cost.operators.placements import complete
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor


class ConversionCharge(ABC):
    """What a component charges."""

    component: ClassVar[str]
    """Its name."""

    @property
    @abstractmethod
    def unit(self) -> int:
        """How many of the charge's units make one of the component's."""

    @property
    @abstractmethod
    def dtype(self) -> Any:
        """int64 if every cost is proven to fit, else Python integers."""

    @abstractmethod
    def conversion(self, size: int, have: Placements, need: Placements, shape: Sequence[int]) -> Array:
        """Return what it costs to convert a tensor of so many bytes; placements as of `conversions.conversion`.

        Its dimensions' sizes count where it is padded.
        """

    @abstractmethod
    def halo(self, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what the rows cost that windows over an operand need of other parts; shape (words,)."""

    def left(self, placements: Placements) -> Placements:
        """Return how sums of gradients lie that a plan leaves as it says, in partial sums where it says that."""
        return placements

    def all_reduce(self, size: int, have: Placements, shape: Sequence[int]) -> Array:
        """Return what it costs to add up all partial sums, so that each part has all of them."""
        return self.conversion(size, have, complete(have), shape)


@dataclass(frozen=True, eq=False)
class Received(ConversionCharge):
    """Bytes that all devices together receive.

    Parameters
    ----------
    graph
        What is charged.
    axes
        Their sizes.
    padded
        In which order sums begin, where what parts do not divide is padded, for then the bytes depend on it.
    """

    graph: OperatorGraph
    axes: tuple[int, ...]
    padded: tuple[int, ...] | None = None
    component: ClassVar[str] = COMMUNICATION

    @property
    def unit(self) -> int:
        """As many as there are devices."""
        return prod(self.axes)

    @cached_property
    def dtype(self) -> Any:
        """By the largest tensor."""
        times = 4 if self.padded is None else most_received(len(self.axes))
        return dtype_of(times * max((one.bytes for one in self.graph.tensors.values()), default=0), self.axes)

    def conversion(self, size: int, have: Placements, need: Placements, shape: Sequence[int]) -> Array:
        """Return what is received, in closed form."""
        fastest = self.padded
        if fastest is None or not size:
            return conversion(size, have, need, self.axes, self.dtype)

        def received(have: Placements, need: Placements) -> Array:
            moved: Array = received_padded(shape, have, need, self.axes, fastest, self.dtype).sum(axis=0)
            return moved * (size // prod(shape) * self.unit)

        return by_placement(received, have, need)

    def halo(self, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what all parts receive."""
        return halo(operand, tensor, need, self.axes, self.dtype, padded=self.padded is not None)
