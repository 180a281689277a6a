"""All placements of a small array, with the level weights of each.

Translations of the hypercube (leaf x to leaf x XOR t) move no pair to another level: of the 2^H placements that are
translations of one another the one with the lowest site at leaf 0 is listed. Exchanging the leaves' bits
exchanges levels: listed is the one with ascending sites at the leaves 1, 2, 4, ..., and the others follow from it.
"""

from __future__ import annotations

from itertools import islice, permutations
from math import factorial, perm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from formulations.placement.prices import link_times
from formulations.placement.symmetry import exchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph

Weights: TypeAlias = tuple[int, ...]
CHUNK = 4096
"""Placements that are weighed at a time."""


def count(graph: PlacementGraph) -> int:
    """Return how many placements `listed` has."""
    return perm(graph.sites, graph.leaves) // (graph.leaves * factorial(graph.levels))


def listed(leaves: int, sites: int) -> Iterator[tuple[int, ...]]:
    """Yield one placement of every class under the hypercube's symmetries."""
    placed: list[int] = []
    free = set(range(sites))

    def extend() -> Iterator[tuple[int, ...]]:
        leaf = len(placed)
        if leaf == leaves:
            yield tuple(placed)
            return
        above = -1 if leaf == 0 else placed[0]
        if leaf > 1 and not leaf & leaf - 1:
            above = max(above, placed[leaf >> 1])
        for site in [site for site in sorted(free) if site > above]:
            free.remove(site)
            placed.append(site)
            yield from extend()
            free.add(placed.pop())

    return extend()


def level_weights(graph: PlacementGraph, placements: Array) -> Array:
    """Return the level weights of many placements; shapes (n, 2^H) and (n, H)."""
    used = None
    if graph.usage is not None and graph.usage.count:
        times = link_times(graph.usage, graph.sites, graph.usage.costs.dtype)
        used = times.reshape(graph.sites**2, -1)
    columns = [_weight(graph, placements, h, used) for h in range(graph.levels)]
    return np.stack(columns, axis=1) if columns else np.zeros((len(placements), 0), dtype=np.int64)


def least_weights(graph: PlacementGraph) -> dict[Weights, tuple[int, ...]]:
    """Return every non-dominated vector of level weights, with a placement that has it; of an array cut into halves."""
    graph.partition.check_halves()
    found: dict[Weights, tuple[int, ...]] = {}
    for chunk in _chunks(listed(graph.leaves, graph.sites)):
        for weights, placed in zip(level_weights(graph, chunk).tolist(), chunk.tolist(), strict=True):
            found.setdefault(tuple(weights), tuple(placed))
    every: dict[Weights, tuple[int, ...]] = {}
    for weights, placed in found.items():
        for order in permutations(range(graph.levels)):
            every.setdefault(tuple(weights[h] for h in order), exchanged(placed, order))
    return non_dominated(every)


def non_dominated(every: dict[Weights, tuple[int, ...]]) -> dict[Weights, tuple[int, ...]]:
    """Keep the vectors that no other one is at most as large as at every level."""
    kept: dict[Weights, tuple[int, ...]] = {}
    for weights in sorted(every, key=lambda one: (sum(one), one)):
        if not any(all(a <= b for a, b in zip(other, weights, strict=True)) for other in kept):
            kept[weights] = every[weights]
    return kept


def _chunks(placements: Iterator[tuple[int, ...]]) -> Iterator[Array]:
    while block := list(islice(placements, CHUNK)):
        yield np.array(block)


def _weight(graph: PlacementGraph, placements: Array, h: int, used: Array | None) -> Array:
    """Return base + the pairs' costs + the busiest link's time, of one level."""
    total: Array = np.full(len(placements), graph.base, dtype=object)
    busy: Array | int = 0
    for one, other in graph.pairs(h):
        first, second = placements[:, one], placements[:, other]
        total = total + graph.pair_costs[first, second]
        if used is not None:
            busy = busy + used[first * graph.sites + second]
    return total if isinstance(busy, int) else total + busy.max(axis=1)
