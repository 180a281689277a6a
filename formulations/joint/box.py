"""Bounds of every level's weight and bytes, within which joint-cp-sat's variables lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.joint.oracles import Strategies
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph


@dataclass(frozen=True)
class Box:
    """What weights and bytes can be, by level.

    Parameters
    ----------
    step
        A weight is the placement's base and a multiple of it.
    least, most
        Of the weights.
    fewest, largest
        Of the bytes.
    """

    step: int
    least: tuple[int, ...]
    most: tuple[int, ...]
    fewest: tuple[int, ...]
    largest: tuple[int, ...]

    @property
    def upper(self) -> int:
        """A number that no pair in the box exceeds."""
        return sum(map(int.__mul__, self.most, self.largest))


def wide(graph: JointGraph) -> Box:
    """Return bounds that take no search: every pair the dearest, every boundary the dearest."""
    placement, levels = graph.placement, range(graph.levels)
    routes = [placement.partition.routes(h) for h in levels]
    dearest = int(placement.pair_costs.max()) + 2 * _longest(placement)
    most = tuple(placement.base + count // 2 * dearest for count in routes)
    largest = tuple(graph.weighed([int(h == one) for h in levels]).upper for one in levels)
    zeros = (0,) * graph.levels
    return Box(_step(placement), (placement.base,) * graph.levels, most, zeros, largest)


def narrowed(box: Box, strategies: Strategies, quick: Callable[[Sequence[int]], int], value: int, base: int) -> Box:
    """Return what is left of a box for pairs that cost at most a value.

    * w_h is at least the quick bound of a placement in which level h alone counts.
    * C_h is at least P of level h alone: the least bytes of that level that any strategies have.
    * As P never falls, `P(w) <= value` and `w >= least` say that P(least, but w_h at level h) <= value.
    * `C_h x least_h + P(least, but 0 at level h) <= C . w <= value`.

    Raises
    ------
    Stopped
        If the run has to end.
    NoStrategies
        If no strategies are allowed.
    """
    levels = range(len(box.least))
    floor = quick([int(h == 0) for h in levels]) if box.least else 0
    least = tuple(max(low, base + -((base - floor) // box.step) * box.step) for low in box.least)
    fewest = tuple(int(strategies.best([int(h == one) for h in levels]).value) for one in levels)
    box = replace(box, least=least, fewest=fewest)
    most = tuple(_most(box, h, lambda w: strategies.best(w).value <= value) for h in levels)
    rest = [int(strategies.best([0 if h == one else least[h] for h in levels]).value) for one in levels]
    largest = tuple(
        min(upper, (value - other) // low) if low else upper
        for upper, other, low in zip(box.largest, rest, least, strict=True)
    )
    return replace(box, most=most, largest=largest)


def _most(box: Box, h: int, allows: Callable[[Sequence[int]], bool]) -> int:
    """Bisect for the largest weight of a level that is allowed while the others are least."""
    low, high = 0, (box.most[h] - box.least[h]) // box.step
    while low < high:
        middle = (low + high + 1) // 2
        weights = [least + middle * box.step * (i == h) for i, least in enumerate(box.least)]
        low, high = (middle, high) if allows(weights) else (low, middle - 1)
    return box.least[h] + low * box.step


def _step(placement: PlacementGraph) -> int:
    times = [] if placement.usage is None else map(int, placement.usage.costs)
    return gcd(*map(int, placement.pair_costs.flat), *times) or 1


def _longest(placement: PlacementGraph) -> int:
    return 0 if placement.usage is None else max(map(int, placement.usage.costs), default=0)
