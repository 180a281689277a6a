"""What no placement can beat: several arguments, each exact, and the best of them."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bisection import bisected
from formulations.placement.bounds.cuts import cuts
from formulations.placement.bounds.exchanges import exchanges
from formulations.placement.bounds.line import line
from formulations.placement.bounds.result import LowerBound, rounded_up
from formulations.placement.bounds.sweep import sweep
from formulations.placement.bounds.times import times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

__all__ = ["LowerBound", "lower_bound"]

MOST_BISECTED = 512
"""Sites up to which a placement is looked for that a bound may meet, beside the identity."""


def lower_bound(graph: PlacementGraph, run: Run) -> LowerBound:
    """Return the best proven bound, in the graph's unit; after a limit, of the arguments that were reached.

    What a placement costs is a constant, a sum over pairs, and the times of the busiest links: each part is
    bounded for itself and rounded up to a multiple of what its terms have in common.

    Raises
    ------
    ValueError
        If a level does not halve every group: the arguments are about hypercubes.
    """
    graph.partition.check_halves()
    constant = graph.base * sum(graph.volumes)
    found = _over_pairs(graph, run)
    if graph.usage is None or not len(graph.usage.costs):
        return LowerBound(constant + found.value, found.text, found.placed)
    step = gcd(*graph.volumes) * int(np.gcd.reduce(graph.usage.costs))
    busiest = times(graph, graph.usage, run)
    total = constant + found.value + rounded_up(busiest.value, step)
    text = f"over pairs, {found.text}; for the busiest links, {busiest.text}" if found.value else busiest.text
    return LowerBound(total, text)


def _over_pairs(graph: PlacementGraph, run: Run) -> LowerBound:
    step = gcd(*graph.volumes) * int(np.gcd.reduce(graph.pair_costs, axis=None))
    best = LowerBound(0, "nothing adds up over pairs")
    alone = graph.replace(usage=None, base=0)
    good, cost = _good(alone) if step else (None, 0)
    for one in _arguments(alone, run, cost) if step else ():
        value = rounded_up(one.value, step)
        if value > best.value or one.placed is not None:
            best = LowerBound(value, one.text, one.placed)
        if best.placed is None and best.value == cost:
            best = LowerBound(value, one.text, good)
        if best.placed is not None or run.limits.over:
            break
    return best


def _good(graph: PlacementGraph) -> tuple[tuple[int, ...], int]:
    """Return a placement by rule, and what it costs: arguments that prove it is the best end the search for better."""
    rules = [tuple(range(graph.leaves))]
    if graph.sites <= MOST_BISECTED:
        rules.append(bisected(graph, graph.pair_costs))
    return min(((placed, graph.value(placed)) for placed in rules), key=lambda one: one[1])


def _arguments(graph: PlacementGraph, run: Run, enough: int) -> Iterator[LowerBound]:
    """Yield bounds, the cheap ones first."""
    yield neighbours(graph)
    for argument in (line, sweep, cuts):
        found = argument(graph, run)
        if found is not None:
            yield found
    last = exchanges(graph, run, enough)
    if last is not None:
        yield last


def neighbours(graph: PlacementGraph) -> LowerBound:
    """Return the bound on what adds up over pairs.

    The H partners of a leaf stand on H different other sites. So a site that is taken pays at least its H least
    pair costs, the least of them for the largest volume (the rearrangement inequality). Every pair is paid at
    both ends, hence half the sum over sites; if some sites stay empty, over the cheapest 2^H of them.
    """
    near = _nearest(graph.pair_costs, graph.levels)
    volumes = np.array(sorted(graph.volumes, reverse=True), dtype=object)
    per_site = sorted((near.astype(object) * volumes).sum(axis=1)) if graph.levels else [0]
    twice = sum(per_site[: graph.leaves])
    even = near.size == 0 or near.max() == near.min()
    text = "every partner as near as any site is" if even else "every partner among the nearest sites of a site"
    return LowerBound(-(-int(twice) // 2), text)


def _nearest(costs: Array, count: int) -> Array:
    """Return the least costs of every site's pairs with others, ascending; shape (sites, count)."""
    others = costs[~np.eye(len(costs), dtype=bool)].reshape(len(costs), -1)
    return np.sort(others, axis=1)[:, :count]
