"""What no placement can beat: several arguments, each exact, and the best of them."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.cuts import cuts
from formulations.placement.bounds.line import line
from formulations.placement.bounds.neighbours import neighbours
from formulations.placement.bounds.result import LowerBound, rounded_up
from formulations.placement.bounds.sweep import sweep
from formulations.placement.bounds.times import times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.placement import PlacementGraph
    from hypar_opt.run import Run

__all__ = ["LowerBound", "lower_bound"]


def lower_bound(graph: PlacementGraph, run: Run) -> LowerBound:
    """Return the best proven bound, in the graph's unit; after a limit, of the arguments that were reached.

    What a placement costs is a constant, a sum over pairs, and the times of the busiest links: each part is
    bounded for itself and rounded up to a multiple of what its terms have in common.
    """
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
    for one in _arguments(graph, run) if step else ():
        value = rounded_up(one.value, step)
        if value > best.value or one.placed is not None:
            best = LowerBound(value, one.text, one.placed)
        if run.limits.over:
            break
    return best


def _arguments(graph: PlacementGraph, run: Run) -> Iterator[LowerBound]:
    yield neighbours(graph)
    for argument in (line, sweep, cuts):
        found = argument(graph, run)
        if found is not None:
            yield found
            if found.placed is not None:  # it is what a placement costs, and nothing proves more
                return
