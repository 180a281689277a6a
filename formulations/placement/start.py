"""Quick good placements, for searches and exact models to start from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.placement.bisection import bisected
from formulations.placement.bounds.line import line
from formulations.placement.bounds.sweep import sweep
from formulations.placement.found import gray
from formulations.placement.improve import Search
from formulations.placement.sizes import too_many_sites

if TYPE_CHECKING:
    from formulations.placement.prices import Prices
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

STEPS = 2000
"""Of the annealing that follows."""
ANNEALED = 256
"""Sites up to which there is one."""


def best_start(graph: PlacementGraph, run: Run, enough: int | None = None) -> tuple[tuple[int, ...], int]:
    """Return a site for every leaf, and what that costs.

    The best of the identity, the Gray code, a recursive bisection, the optimum of a line or a ring, the run's own
    start, and what descent and a short annealing make of it. Nothing is told to the run's listener.

    Parameters
    ----------
    enough
        A cost that is not improved on any more: a lower bound.
    """
    search = Search(graph, _quiet(run))
    if run.start is not None and graph.feasible(run.start):
        search.offer(run.start)
    search.offer(range(graph.leaves))
    if too_many_sites(graph) is None:
        for one in starts(graph, search.prices):
            search.offer(one)
        for argument in (line, sweep):
            found = None if graph.usage is not None or run.limits.over else argument(graph, run)
            if found is not None and found.placed is not None:
                search.offer(found.placed)
                return search.best, graph.value(search.best)
        if enough is not None and graph.value(search.best) <= enough:
            return search.best, graph.value(search.best)
        search.annealed([search.best], 1, STEPS if graph.sites <= ANNEALED else 0)
    return search.best, graph.value(search.best)


def starts(graph: PlacementGraph, prices: Prices) -> tuple[tuple[int, ...], ...]:
    """Return placements by rule, cheap to get: the identity, the Gray code, a recursive bisection."""
    return tuple(range(graph.leaves)), gray(graph), bisected(graph, prices.nearness)


def _quiet(run: Run) -> Run:
    """Return a run with the same limits that tells nobody."""
    return replace(run, listener=None)
