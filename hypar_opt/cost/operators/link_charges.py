"""What conversions and halos take on the links of axes: seconds, or joules."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from math import lcm, prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hypar_opt.cost.operators.borders import energy_of_borders, wait_at_borders
from hypar_opt.cost.operators.charges import ConversionCharge
from hypar_opt.cost.operators.conversions import SUMS
from hypar_opt.cost.operators.padding import by_placement, most_received, received_padded
from hypar_opt.cost.operators.placements import PARTIAL, WHOLE
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, OperatorGraph, Tensor
    from hypar_opt.instance.operators.links import AxisLink


@dataclass(frozen=True, eq=False)
class OnLinks(ConversionCharge):
    """What a device receives along each axis, times what a byte costs there, and what messages cost.

    Partial sums are added up along the axis of the fastest links first, and what is whole is gathered along that of the
    slowest first, each on what the other axes leave. Of two axes that follow each other the exchange of both saves
    (1 - 1/a) (1 - 1/b) of the difference of what a byte costs, whatever their sizes: no order is better, unless tensors
    are padded, where it is the same order.

    Parameters
    ----------
    graph
        What is charged.
    axes
        Their sizes.
    links
        Along each.
    padded
        Whether what parts do not divide is padded.
    """

    graph: OperatorGraph
    axes: tuple[int, ...]
    links: tuple[AxisLink, ...]
    padded: bool = False

    @property
    @abstractmethod
    def a_byte(self) -> tuple[Fraction, ...]:
        """By axis, what a byte costs that a device receives along it."""

    @property
    @abstractmethod
    def a_message(self) -> tuple[Fraction, ...]:
        """By axis, what a message costs."""

    @cached_property
    def fastest(self) -> tuple[int, ...]:
        """The axes, that of the fastest links first."""
        return fastest_first(self.links)

    @cached_property
    def unit(self) -> int:
        """Such that what a share of any tensor costs is whole."""
        shares = [(size, prod(self.axes) ** 2) for size, _ in self._sizes()]
        if self.padded:
            shares = [(element, prod(self.axes)) for _, element in self._sizes()]
        read = {one.tensor for operator in self.graph.operators for one in operator.operands if one.windows}
        borders = [(self.graph.tensors[name].element_bytes, prod(self.axes)) for name in read]
        costs = {Fraction(size, parts) * cost for size, parts in dict.fromkeys(shares) for cost in self.prices}
        costs |= {Fraction(size, parts) * cost for size, parts in dict.fromkeys(borders) for cost in self.border_prices}
        return lcm(*(one.denominator for one in (*costs, *self.a_message)))

    @property
    def prices(self) -> tuple[Fraction, ...]:
        """All that a byte may cost that a device receives."""
        return self.a_byte

    @property
    def border_prices(self) -> tuple[Fraction, ...]:
        """What bytes at borders cost, whole multiples of any of these together."""
        return self.a_byte

    def _sizes(self) -> Iterator[tuple[int, int]]:
        """Yield the bytes of all that is converted, and of an element of it."""
        for tensor in self.graph.tensors.values():
            yield tensor.bytes, tensor.element_bytes
        for operator in self.graph.operators:
            for one in operator.statistics:
                elements = prod(operator.sizes[dim] for dim in one.dims)
                for numbers in (one.forward, one.backward):
                    yield elements * numbers * one.element_bytes, numbers * one.element_bytes

    @cached_property
    def dtype(self) -> Any:
        """By the largest tensor, which a device receives thrice at the most: its sums, an exchange, and gathers."""
        times = most_received(len(self.axes)) if self.padded else 3 * len(self.axes)
        most = max((size for size, _ in self._sizes()), default=0) * max(self.prices) * times
        most += 3 * sum(length * cost for length, cost in zip(self.axes, self.a_message, strict=True))
        most += self.most_at_borders
        return np.int64 if SUMS * most * self.unit * prod(self.axes) < 2**63 else object

    @property
    def most_at_borders(self) -> Fraction:
        """What rows can cost beyond what is said of the largest tensor: a message of every other device."""
        slides = any(operand.windows for operator in self.graph.operators for operand in operator.operands)
        return prod(self.axes) * max(self.a_message) if slides else Fraction(0)

    def conversion(self, size: int, have: Placements, need: Placements, shape: Sequence[int]) -> Array:
        """Return what a conversion costs, stage by stage; shares are in units of 1 / devices^2 of the tensor."""
        if self.padded and size:
            return by_placement(partial(self._padded, size, shape), have, need)
        devices, left = prod(self.axes), need == PARTIAL
        summed, turned = (have == PARTIAL) & ~left, (have >= 0) & (need >= 0) & (have != need)
        gathered = (have != WHOLE) & (need == WHOLE)
        parted = (have >= 0) | ((have != PARTIAL) & (need != WHOLE))
        share = np.full(summed.shape[:-1], devices**2, dtype=self.dtype)
        total = np.zeros(summed.shape[:-1], dtype=self.dtype)
        if not size:
            return total
        prices = [int(Fraction(size, devices**2) * cost * self.unit) for cost in self.a_byte]
        for axis, length in enumerate(self.axes):
            share = np.where(parted[..., axis], share // length, share)
        total += self._messages(have, need)
        for axis in self.fastest:
            kept = np.where(summed[..., axis], share // self.axes[axis], share)
            total, share = total + (share - kept) * prices[axis], kept
        total = total + self._exchanged(size, share, turned)
        for axis in reversed(self.fastest):
            grown = np.where(gathered[..., axis], share * self.axes[axis], share)
            total, share = total + (grown - share) * prices[axis], grown
        found: Array = total
        return found

    def _exchanged(self, size: int, share: Array, turned: Array) -> Array:
        """Return what one all-to-all costs, whose bytes are those of the outermost axis on which two devices differ.

        Parameters
        ----------
        size
            Bytes of the whole tensor.
        share
            What each device has of it, in units of 1 / devices^2.
        turned
            By axis, whether shards change there.
        """
        found, rest = np.zeros_like(share), share
        for axis, length in enumerate(self.axes):
            price = int(Fraction(size, prod(self.axes) ** 2) * self.a_byte[axis] * self.unit)
            kept = np.where(turned[..., axis], rest // length, rest)
            found, rest = found + (rest - kept) * price, kept
        return found

    def _messages(self, have: Placements, need: Placements) -> Array:
        """Return what the messages of a conversion cost."""
        summed, turned = (have == PARTIAL) & (need != PARTIAL), (have >= 0) & (need >= 0) & (have != need)
        stages = summed.astype(self.dtype) + turned + ((have != WHOLE) & (need == WHOLE))
        late = [(length - 1) * int(cost * self.unit) for length, cost in zip(self.axes, self.a_message, strict=True)]
        found: Array = (stages * np.array(late, dtype=self.dtype)).sum(axis=-1)
        return found

    def _padded(self, size: int, shape: Sequence[int], have: Placements, need: Placements) -> Array:
        """Return what a conversion of a padded tensor costs."""
        devices, found = prod(self.axes), self._messages(have, need)
        moved = received_padded(shape, have, need, self.axes, self.fastest, self.dtype)
        for received, cost in zip(moved, self.a_byte, strict=True):
            found = found + received * int(Fraction(size // prod(shape), devices) * cost * self.unit)
        return found

    def halo(self, operand: Operand, tensor: Tensor, need: Placements) -> Array:
        """Return what the rows cost that windows over an operand need of other parts."""
        found = np.zeros(len(need), dtype=self.dtype)
        if operand.windows:
            rows, place = np.unique(need, axis=0, return_inverse=True)
            costs = [int(self._halo(operand, tensor, tuple(map(int, row))) * self.unit) for row in rows]
            found += np.array(costs, dtype=self.dtype)[place.reshape(-1)]
        return found

    @abstractmethod
    def _halo(self, operand: Operand, tensor: Tensor, need: Sequence[int]) -> Fraction:
        """Return what the rows cost under one placement."""


class Seconds(OnLinks):
    """Seconds that conversions take, one after the other, none of them hidden."""

    component: ClassVar[str] = COMM_TIME

    @property
    def a_byte(self) -> tuple[Fraction, ...]:
        """Seconds."""
        return tuple(1 / link.bandwidth for link in self.links if link.bandwidth is not None)

    @property
    def a_message(self) -> tuple[Fraction, ...]:
        """Seconds."""
        return tuple(link.latency for link in self.links)

    def _halo(self, operand: Operand, tensor: Tensor, need: Sequence[int]) -> Fraction:
        costs = tuple(zip(self.a_byte, self.a_message, strict=True))
        return wait_at_borders(operand, tensor, need, self.axes, costs, padded=self.padded)


class Joules(OnLinks):
    """Joules that the links of all devices spend."""

    component: ClassVar[str] = COMM_ENERGY

    @property
    def a_byte(self) -> tuple[Fraction, ...]:
        """Joules of a byte that each device receives."""
        return tuple(prod(self.axes) * link.energy for link in self.links if link.energy is not None)

    @property
    def a_message(self) -> tuple[Fraction, ...]:
        """Nothing."""
        return (Fraction(0),) * len(self.axes)

    def _halo(self, operand: Operand, tensor: Tensor, need: Sequence[int]) -> Fraction:
        return energy_of_borders(operand, tensor, need, self.axes, self.a_byte, padded=self.padded)


def fastest_first(links: Sequence[AxisLink]) -> tuple[int, ...]:
    """Return the axes, that of the fastest links first, of equal ones the innermost; so all where one is not known."""
    bandwidths = [link.bandwidth for link in links]
    inwards = range(len(links))[::-1]
    if any(one is None for one in bandwidths):
        return tuple(inwards)
    return tuple(sorted(inwards, key=lambda axis: -(bandwidths[axis] or 0)))


CHARGES = {one.component: one for one in (Seconds, Joules)}
"""By component, what charges conversions on links."""
