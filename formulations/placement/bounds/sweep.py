"""The exact sum over pairs of sites on a ring, by sweeping half of it round.

Let N sites lie on a ring, N even, and A_t be the leaves on the N/2 sites from t on. Two sites at distance d are
separated by d of the arcs A_0 .. A_(N/2-1): a link between them by an arc that begins or ends there, and each of
the N/2 pairs of opposite links is where exactly one of these arcs begins and ends. So a placement costs
`link x sum over t of f(A_t)`, f(S) what crosses the boundary of S.

A_(t+1) is A_t without one leaf of A_0 and with one of the others, and A_(N/2) is what A_0 lacks. For a given A_0
the sets that can be A_t are A_0 without some t leaves and with t others, and the least sum is a shortest path
through these N/2 layers: any path is a placement, so that the bound is what a placement costs. A_0 ranges over
all halves of the leaves, up to the hypercube's symmetries that keep the volumes and to the complement; it may be
taken as the arc of the least f, so that halves with `N/2 x f(A_0)` no less than a sum that was found cannot
lead to less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.hypercube import MOST_ENUMERATED, boundaries, sizes
from formulations.placement.bounds.line import ring_of
from formulations.placement.bounds.result import LowerBound
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

TEXT = "the sites lie on a ring, and all ways for half of it to turn round were compared by dynamic programming"


def sweep(graph: PlacementGraph, run: Run) -> LowerBound | None:
    """Return the least that a sum over pairs can be, and a placement, or None for other arrays or after a limit."""
    if not 1 <= graph.levels <= MOST_ENUMERATED or graph.sites != graph.leaves:
        return None
    found = ring_of(graph.pair_costs)
    if found is None:
        return None
    order, link = found
    crossing = boundaries(graph.volumes)
    best, leaf_at = None, []
    for half in _halves(graph.volumes, crossing):
        if best is not None and graph.leaves // 2 * int(crossing[half]) >= best:
            break
        if run.limits.over:
            return None
        turn = Turn(half, crossing, graph.leaves)
        if best is None or turn.value < best:
            best, leaf_at = turn.value, turn.order()
    if best is None:
        return None
    placed = dict(zip(leaf_at, order, strict=True))
    return LowerBound(best * link, TEXT, tuple(placed[leaf] for leaf in range(graph.leaves)))


def _halves(volumes: Sequence[int], crossing: Array) -> list[int]:
    """Return halves of the leaves, one of each orbit, those of the least boundary first."""
    cube = halves(len(volumes))
    found = np.flatnonzero(sizes(cube.levels) == cube.leaves // 2)
    least = found.copy()
    for image in _symmetries(volumes):
        moved = np.zeros_like(found)
        for leaf, other in enumerate(image):
            moved |= (found >> leaf & 1) << other
        np.minimum(least, moved, out=least)
        np.minimum(least, moved ^ (1 << cube.leaves) - 1, out=least)
    found = found[least == found]
    return [int(half) for half in found[np.argsort(crossing[found], kind="stable")]]


def _symmetries(volumes: Sequence[int]) -> list[list[int]]:
    """Return the leaves' images under exchanges of dimensions with equal volumes, and under translations."""
    levels = len(volumes)
    kept = [p for p in permutations(range(levels)) if all(volumes[h] == volumes[p[h]] for h in range(levels))]
    leaves = range(halves(levels).leaves)
    turned = [[sum((x >> h & 1) << p[h] for h in range(levels)) for x in leaves] for p in _by_bit(kept)]
    return [[y ^ shift for y in image] for image in turned for shift in leaves]


def _by_bit(orders: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Return permutations of levels as permutations of bits: level h is bit H - 1 - h."""
    return [[len(order) - 1 - h for h in order[::-1]] for order in orders]


@dataclass(frozen=True, eq=False)
class Turn:
    """All ways from a half of the leaves to the other half, one exchange after the other.

    Parameters
    ----------
    half
        A_0, as a mask.
    crossing
        f, by mask.
    leaves
        N.
    """

    half: int
    crossing: Array
    leaves: int

    @cached_property
    def value(self) -> int:
        """The least sum of f over A_0 .. A_(N/2-1)."""
        return int(self._layers[-1].min())

    def order(self) -> list[int]:
        """Return leaves along the ring of a least way: those of A_0 as they go, then the others as they come."""
        own, others = self._members
        gone, come = self._steps()
        return [own[i] for i in gone] + [others[i] for i in come]

    @cached_property
    def _members(self) -> tuple[list[int], list[int]]:
        inside = [leaf for leaf in range(self.leaves) if self.half >> leaf & 1]
        return inside, [leaf for leaf in range(self.leaves) if not self.half >> leaf & 1]

    @cached_property
    def _subsets(self) -> list[Array]:
        """Masks of t of N/2 positions, by t."""
        every = np.arange(1 << self.leaves // 2)
        return [every[np.bitwise_count(every) == t] for t in range(self.leaves // 2 + 1)]

    @cached_property
    def _layers(self) -> list[Array]:
        """For every t the least sum up to A_t, by what went and what came; shape (subsets, subsets)."""
        own, others = self._members
        layers = [self.crossing[np.array([[self.half]])]]
        for t in range(1, self.leaves // 2):
            masks = self._subsets[t]
            before = _without_one(masks, self._subsets[t - 1])
            cheapest = layers[-1][before].min(axis=1)[:, before].min(axis=2)
            sets = self.half ^ _spread(masks, own)[:, None] ^ _spread(masks, others)[None, :]
            layers.append(cheapest + self.crossing[sets])
        return layers

    def _steps(self) -> tuple[list[int], list[int]]:
        """Return positions in the order in which they go, and in which they come."""
        last = len(self._layers) - 1
        row, column = (int(i) for i in np.unravel_index(int(np.argmin(self._layers[-1])), self._layers[-1].shape))
        everything = (1 << self.leaves // 2) - 1
        gone, come = int(self._subsets[last][row]), int(self._subsets[last][column])
        steps = [(everything ^ gone, everything ^ come)]
        for t in range(last, 0, -1):
            before = [_without_one(np.array([mask]), self._subsets[t - 1])[0] for mask in (gone, come)]
            table = self._layers[t - 1][np.ix_(*before)]
            i, j = np.unravel_index(int(np.argmin(table)), table.shape)
            earlier = int(self._subsets[t - 1][before[0][i]]), int(self._subsets[t - 1][before[1][j]])
            steps.append((gone ^ earlier[0], come ^ earlier[1]))
            gone, come = earlier
        went, came = zip(*steps[::-1], strict=True)
        return [mask.bit_length() - 1 for mask in went], [mask.bit_length() - 1 for mask in came]


def _without_one(masks: Array, smaller: Array) -> Array:
    """Return for every mask where its subsets with one bit less are; shape (masks, bits)."""
    rows = [[mask ^ 1 << i for i in range(int(mask).bit_length()) if mask >> i & 1] for mask in masks.tolist()]
    return np.searchsorted(smaller, np.array(rows))


def _spread(masks: Array, members: Sequence[int]) -> Array:
    """Return masks of positions as masks of the leaves at them."""
    found = np.zeros_like(masks)
    for position, leaf in enumerate(members):
        found |= (masks >> position & 1) << leaf
    return found
