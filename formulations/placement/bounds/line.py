"""The exact sum over pairs of sites on a line, by dynamic programming over sets of leaves.

What lies between two neighbouring sites of the line is crossed by what the leaves before it exchange with those
behind it. So a placement costs `sum over gaps i of gap_i x f(S_i)`: S_i the leaves on the first i sites, f(S) what
crosses the boundary of S. From site to site S grows by one leaf, or none where sites may stay empty (the minimum
linear arrangement; Held and Karp's recursion).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.hypercube import MOST_ENUMERATED, boundaries
from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run


def line_of(costs: Array) -> tuple[list[int], list[int]] | None:
    """Return the sites in the order of a line, and the gaps between them, or None.

    On a line a pair costs the difference of two coordinates. Then a site farthest from any one is an end.
    """
    end = int(np.argmax(costs[0]))
    order = np.argsort(costs[end], kind="stable")
    at = costs[end][order]
    if (costs[np.ix_(order, order)] != abs(at[:, None] - at[None, :])).any():
        return None
    return [int(site) for site in order], [int(gap) for gap in np.diff(at)]


def ring_of(costs: Array) -> tuple[list[int], int] | None:
    """Return the sites in the order of a ring with equal links, and what a link costs, or None."""
    count = len(costs)
    if count < 2:
        return None
    link = int(costs[0][1:].min())
    order = [0]
    while len(order) < count:
        near = [int(site) for site in np.flatnonzero(costs[order[-1]] == link) if site not in order]
        if not near:
            return None
        order.append(near[0])
    away = abs(np.arange(count)[:, None] - np.arange(count)[None, :])
    around = np.minimum(away, count - away).astype(costs.dtype) * link
    return (order, link) if (costs[np.ix_(order, order)] == around).all() else None


MOST_SITES = 64
"""A table of all sets of leaves is kept for every site."""
TEXT = "the sites lie on a line, and all orders of the leaves along it were compared by dynamic programming"


def line(graph: PlacementGraph, run: Run) -> LowerBound | None:
    """Return the least that a sum over pairs can be, and a placement, or None for other arrays."""
    if graph.levels > MOST_ENUMERATED or graph.sites > MOST_SITES:
        return None
    found = line_of(graph.pair_costs)
    if found is None:
        return None
    order, gaps = found
    crossing = boundaries(graph.volumes)
    tables = _tables([*gaps, 0], crossing, run)
    if tables is None:
        return None
    leaf_of = _traced(tables, graph.leaves)
    placed = {leaf: site for leaf, site in zip(leaf_of, order, strict=True) if leaf is not None}
    return LowerBound(int(tables[-1][-1]), TEXT, tuple(placed[leaf] for leaf in range(graph.leaves)))


def _tables(gaps: list[int], crossing: Array, run: Run) -> list[Array] | None:
    """Return for every number of sites what each set of leaves on them costs at least up to the gap behind."""
    never = sum(gaps) * int(crossing.max()) + 1
    wide = never * 2 > 2**62 or crossing.dtype == object
    crossing = crossing.astype(object) if wide else crossing
    start = np.full(len(crossing), never, dtype=crossing.dtype)
    start[0] = 0
    tables = [start]
    for gap in gaps:
        if run.limits.over:
            return None
        tables.append(np.minimum(_grown(tables[-1]) + gap * crossing, never))
    return tables


def _grown(table: Array) -> Array:
    """Return for every set the least of its own entry and those of the sets with one leaf less."""
    best = table.copy()
    for leaf in range(len(table).bit_length() - 1):
        with_leaf = best.reshape(-1, 2, 1 << leaf)[:, 1]
        np.minimum(with_leaf, table.reshape(-1, 2, 1 << leaf)[:, 0], out=with_leaf)
    return best


def _traced(tables: list[Array], leaves: int) -> list[int | None]:
    """Return for every site its leaf, or None for an empty one: the steps of a least path, backwards."""
    inside = (1 << leaves) - 1
    found: list[int | None] = []
    for before in tables[-2::-1]:
        steps = [(before[inside], None), *((before[inside ^ 1 << x], x) for x in range(leaves) if inside >> x & 1)]
        leaf = min(steps, key=lambda step: int(step[0]))[1]
        inside ^= 0 if leaf is None else 1 << leaf
        found.append(leaf)
    return found[::-1]
