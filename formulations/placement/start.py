"""Quick good placements, for searches and exact models to start from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.placement.bisection import bisected
from formulations.placement.bounds.line import line
from formulations.placement.bounds.sweep import sweep
from formulations.placement.found import gray, too_many_sites
from formulations.placement.improve import PlacementSearch

if TYPE_CHECKING:
    from formulations.placement.prices import PriceTables
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

STEPS = 2000
"""Of the annealing that follows."""
ANNEALED = 256
"""Sites up to which there is one."""


def best_start(graph: PlacementGraph, run: Run, enough: int | None = None) -> tuple[int, ...]:
    """Return a site for every leaf.

    The best of the identity, the Gray code, a recursive bisection, the optimum of a line or a ring, the run's own
    start, and what descent and a short annealing make of it. Nothing is told to the run's listener.

    Parameters
    ----------
    enough
        A cost that is not improved on any more: a lower bound.
    """
    search = PlacementSearch(graph, replace(run, listener=None))
    best = search.best
    if run.start is not None:
        best.offer(run.start)
    best.offer(range(graph.leaves))
    if too_many_sites(graph) is None:
        for one in starts(graph, search.prices):
            best.offer(one)
        for argument in (line, sweep):
            found = None if graph.usage is not None or run.limits.over else argument(graph, run)
            if found is not None and found.placed is not None:
                best.offer(found.placed)
                return search.placed
        if enough is None or best.value is None or best.value > enough:
            search.annealed([search.placed], 1, STEPS if graph.sites <= ANNEALED else 0)
    return search.placed


def starts(graph: PlacementGraph, prices: PriceTables) -> tuple[tuple[int, ...], ...]:
    """Return placements by rule, cheap to get: the identity, the Gray code, a recursive bisection."""
    return tuple(range(graph.leaves)), gray(graph), bisected(graph, prices.nearness)
