"""What both exact models share around their search: refusals, what is proven beforehand, and the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from formulations.flow_model.finish import SolverAnswer, concluded
from formulations.placement.assignment.cuts import cuts_of
from formulations.placement.assignment.programme import Programme
from formulations.placement.bounds import LowerBound, lower_bound
from formulations.placement.improve import best_start
from formulations.placement.symmetry import Symmetry
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run

MOST_PRODUCTS = 100_000
"""Exchanges times ordered pairs of sites: what the family `follows` counts."""

Search: TypeAlias = "Callable[[Programme, Incumbent, Run], SolverAnswer]"
"""From a programme and the best placement so far to what a solver says; better placements go to the latter."""


def too_large(graph: PlacementGraph) -> str | None:
    """Return why a model would be too large to build, from the numbers of leaves and sites alone."""
    sites = graph.sites
    products = graph.levels * (graph.leaves // 2) * sites * (sites - 1)
    if products <= MOST_PRODUCTS:
        return None
    return (
        f"{graph.leaves:,} groups on {sites:,} sites make {products:,} products of an exchange and two sites, "
        f"its limit is {MOST_PRODUCTS:,}; try local-search"
    )


def solved(graph: PlacementGraph, run: Run, search: Search, *, presolve: bool, cuts: bool) -> Solution:
    """Prove what can be proven without a search, then search.

    Parameters
    ----------
    search
        Of the back-end.
    presolve
        Whether to use bounds, symmetry and a start; without it the run's own start and the bare model remain.
    cuts
        Whether the model has cuts.
    """
    best = Incumbent.of(graph, run)
    if not presolve:
        return _searched(graph, run, search, best, Programme.of(graph, cuts=cuts_of(graph) if cuts else ()))
    run.phase("bounding")
    bound = lower_bound(graph, run)
    run.bound(bound.value)
    run.phase("looking for a good placement")
    best.offer(best_start(graph, run, bound.value))
    if bound.placed is not None:
        best.offer(bound.placed)
    if best.value == bound.value:
        return _closed(best, bound)
    run.phase("building the model")
    symmetry = Symmetry.of(graph, run)
    if best.choices is not None:
        # as good a placement, and one that the model keeps
        best.choices = symmetry.canonical(best.choices)
    programme = Programme.of(graph, bound.value, cuts_of(graph) if cuts else (), symmetry)
    return _combined(_searched(graph, run, search, best, programme), bound, best)


def _closed(best: Incumbent, bound: LowerBound) -> Solution:
    return Solution(Status.OPTIMAL, best.choices, bound.value, f"closed by a bound: {bound.text}")


def _combined(solution: Solution, bound: LowerBound, best: Incumbent) -> Solution:
    """Return the better of what the search proves and of what was proven before it."""
    if best.value is not None and best.value < bound.value:
        fault = f"a placement costs {best.value}, and a bound says {bound.value}: {bound.text}"
        return Solution(Status.ERROR, native_status=fault)
    if solution.status is not Status.FEASIBLE or (solution.bound is not None and solution.bound >= bound.value):
        return solution
    return _closed(best, bound) if best.value == bound.value else replace(solution, bound=bound.value)


def _searched(graph: PlacementGraph, run: Run, search: Search, best: Incumbent, programme: Programme) -> Solution:
    stopped = SolverAnswer(Status.NO_SOLUTION, "stopped before the search")
    answer = stopped if run.limits.over else search(programme, best, run)
    facts = {
        "exchanges": len(programme.edges),
        "pairs_of_sites": len(programme.pairs),
        "cuts": len(programme.cuts),
        "cost_unit": programme.unit,
    }
    return concluded(programme, best, answer, facts)
