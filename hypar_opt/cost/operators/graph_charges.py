"""What conversions and halos cost on the links of a graph that devices stand on.

Whatever a device receives in a collective comes straight from those of its group, from each as much as from any. So an
exchange along some axes costs so much a byte, by these axes, wherever the bytes are from (`groups`); rows at borders
come from neighbours, and are looked at pair by pair.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hypar_opt.cost.operators.borders import row_bytes
from hypar_opt.cost.operators.groups import GroupCharge
from hypar_opt.cost.operators.link_charges import OnLinks
from hypar_opt.cost.operators.padding import stages_padded
from hypar_opt.cost.operators.rows import needed_rows, sliding
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, HOP_BYTES
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.operators.groups import GroupRoutes
    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.cost.operators.rows import NeededRows
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, Tensor

MOST_AXES = 12
"""Of devices whose placement is weighed: there is a price for every set of axes."""


@dataclass(frozen=True, eq=False)
class OnGraph(OnLinks):
    """What devices receive from those of their groups, times what a byte costs on the routes between these.

    The order of axes does not depend on where devices stand: sums begin innermost, gathers outermost.

    Parameters
    ----------
    routes
        Between all devices.
    """

    routes: GroupRoutes = field(kw_only=True)

    @cached_property
    def by_group(self) -> GroupCharge:
        """What the component charges."""
        return GroupCharge(self.routes, self.component)

    @property
    def a_byte(self) -> tuple[Fraction, ...]:
        """By axis, what a byte costs that every device receives."""
        return tuple(self._prices[1 << axis] for axis in range(len(self.axes)))

    @property
    def a_message(self) -> tuple[Fraction, ...]:
        """Nothing."""
        return (Fraction(0),) * len(self.axes)

    @cached_property
    def fastest(self) -> tuple[int, ...]:
        """The axes, the innermost first."""
        return tuple(range(len(self.axes))[::-1])

    @property
    def prices(self) -> tuple[Fraction, ...]:
        """Of every set of axes."""
        return tuple(self._prices.values())

    @property
    def border_prices(self) -> tuple[Fraction, ...]:
        """Of one pair, what all pairs' are multiples of."""
        return (Fraction(1, self.by_group.unit),)

    @cached_property
    def _prices(self) -> dict[int, Fraction]:
        """By set of axes, a bit an axis, what a byte costs that every device receives."""
        count = len(self.axes)
        if count > MOST_AXES:
            raise Refusal(f"{self.component} weighs every set of axes, at most {MOST_AXES}; there are {count}")
        sets = (one for size in range(1, count + 1) for one in combinations(range(count), size))
        return {sum(1 << axis for axis in one): prod(self.axes) * self.by_group.a_byte(one) for one in sets}

    @cached_property
    def most_at_borders(self) -> Fraction:
        """The whole of what is read for every device, filled up less than twice an axis, across the whole graph."""
        windows = (one for operator in self.graph.operators for one in operator.operands if one.windows)
        most = max((self.graph.tensors[one.tensor].bytes for one in windows), default=0)
        links = self.by_group.links
        costs = links.added if links.slowness is None else links.slowness
        farthest = Fraction(int(self.routes.routes.sums(costs).max(initial=0)), self.by_group.unit)
        return int(2 ** len(self.axes)) * most * prod(self.axes) * farthest

    def _exchanged(self, size: int, share: Array, turned: Array) -> Array:
        """Return what one all-to-all costs within groups along all axes on which shards change."""
        sets = (turned * (1 << np.arange(len(self.axes)))).sum(axis=-1)
        found = np.zeros_like(share)
        for one in np.unique(sets[sets > 0]).tolist():
            group = prod(length for axis, length in enumerate(self.axes) if one >> axis & 1)
            price = int(Fraction(size, prod(self.axes) ** 2) * self._prices[one] * self.unit)
            found = np.where(sets == one, (share - share // group) * price, found)
        return found

    def _padded(self, size: int, shape: Sequence[int], have: Placements, need: Placements) -> Array:
        """Return what a conversion of a padded tensor costs."""
        moved, piece, turned = stages_padded(shape, have, need, self.axes, self.fastest, self.dtype)
        element = Fraction(size // prod(shape), prod(self.axes))
        found: Array = np.zeros(piece.shape, dtype=self.dtype)
        for received, cost in zip(moved, self.a_byte, strict=True):
            found = found + received * int(element * cost * self.unit)
        sets = (turned * (1 << np.arange(len(self.axes)))).sum(axis=-1)
        for one in np.unique(sets[sets > 0]).tolist():
            group = prod(length for axis, length in enumerate(self.axes) if one >> axis & 1)
            price = int(element * self._prices[one] * self.unit)
            found = np.where(sets == one, found + (group - 1) * piece * price, found)
        return found

    def _halo(self, operand: Operand, tensor: Tensor, need: Sequence[int]) -> Fraction:
        parts = list(self._neighbours(operand, tensor, need))
        return self.by_group.pairs(parts) if parts else Fraction(0)

    def _neighbours(
        self, operand: Operand, tensor: Tensor, need: Sequence[int]
    ) -> Iterator[tuple[Array, Array, Fraction]]:
        """Yield givers, takers, and the bytes that each of these takers needs, wherever these are as many."""
        windows = sliding(operand, need)
        split = {place: [axis for axis, one in enumerate(need) if one == place] for place in set(need) if place >= 0}
        counts = {place: prod(self.axes[axis] for axis in axes) for place, axes in split.items()}
        shards = prod(count for place, count in counts.items() if place not in windows)
        held = Fraction(row_bytes(tensor, windows, need, self.axes, padded=self.padded), shards)
        every = np.arange(prod(self.axes))
        alike = [
            _alike(needed_rows(window, tensor.sizes[place], counts[place], padded=self.padded))
            for place, window in windows.items()
        ]
        for steps in product(*(one.items() for one in alike)):
            if not any(distance for (distance, _), _ in steps):
                continue
            size, coordinates, inside = held, self.routes.coordinates.copy(), every >= 0
            for place, ((distance, rows), takers) in zip(windows, steps, strict=True):
                lengths = [self.axes[axis] for axis in split[place]]
                own = np.ravel_multi_index(tuple(coordinates[split[place]]), lengths)
                size, inside = size * rows, inside & np.isin(own, takers)
                there = np.clip(own + distance, 0, counts[place] - 1)  # of no taker beyond
                coordinates[split[place]] = np.unravel_index(there, lengths)
            yield np.ravel_multi_index(tuple(coordinates), self.axes)[inside], every[inside], size


def _alike(needed: NeededRows) -> dict[tuple[int, Fraction], list[int]]:
    """Return the parts that need as many rows of the part so far away as each other."""
    found: dict[tuple[int, Fraction], list[int]] = {}
    for taker, needs in enumerate(needed):
        for giver, rows in needs.items():
            found.setdefault((giver - taker, rows), []).append(taker)
    return found


class HopBytes(OnGraph):
    """Every byte times the links that it crosses."""

    component: ClassVar[str] = HOP_BYTES


class GraphSeconds(OnGraph):
    """Of every exchange its busiest link's time, one exchange after the other."""

    component: ClassVar[str] = COMM_TIME


class GraphJoules(OnGraph):
    """What all links spend."""

    component: ClassVar[str] = COMM_ENERGY


GRAPH_CHARGES = {one.component: one for one in (HopBytes, GraphSeconds, GraphJoules)}
"""By component, what charges conversions on a graph's links."""
