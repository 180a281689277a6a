"""The times that a level can take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.assignment.programme import link_loads

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.costgraph.placement import PlacementGraph

MOST_VALUES = 64
"""Beyond, too many vectors have to be decided: a custom array of 8 accelerators with 33 values takes 33 searches."""


def level_times(graph: PlacementGraph) -> tuple[int, ...] | None:
    """Return numbers among which every level's time is, ascending, or None where they are too many.

    A link's load is a sum of what at most 2^(H-1) exchanges keep it busy with, and a level's time is some link's
    load. Every value is taken as often as there are exchanges: some of the sums no placement reaches.
    """
    found = {0}
    for costs in {frozenset(load.values()) for load in link_loads(graph, 1)}:
        sums = sums_of(costs, graph.leaves // 2)
        if sums is None:
            return None
        found |= sums
        if len(found) > MOST_VALUES:
            return None
    return tuple(sorted(found))


def sums_of(parts: Collection[int], most: int) -> set[int] | None:
    """Return all sums of at most so many parts, each taken any number of times; None where they are too many."""
    found = fresh = {0}
    for _ in range(most):
        fresh = {total + part for total in fresh for part in parts} - found
        found = found | fresh
        if len(found) > MOST_VALUES:
            return None
    return found


def times_alone(graph: PlacementGraph) -> bool:
    """Return whether time is all that placements differ in: a level's pairs cost the same wherever they stand."""
    if graph.usage is None or not graph.usage.count or graph.sites < 2:
        return False
    apart = graph.pair_costs[~np.eye(graph.sites, dtype=np.bool_)]
    return bool((apart == apart[0]).all())
