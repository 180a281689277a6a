"""Bound, exchanges and search of a quadratic assignment, and what each proves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.cp_sat.search import search
from formulations.flow_model.finish import concluded
from formulations.placement.traffic.bound import gilmore_lawler
from formulations.placement.traffic.exchanging import exchange
from formulations.placement.traffic.model import MAX_SUM, MOST_CLAUSES, TrafficProgramme, build
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement.traffic import TrafficGraph
    from hypar_opt.formulation.run import Run


def solved(graph: TrafficGraph, run: Run) -> Solution:
    """Return the best placement, and what is proven of it."""
    best = Incumbent.of(graph, run)
    run.phase("bounding")
    bound = gilmore_lawler(graph)
    run.bound(bound)
    run.phase("exchanging devices")
    exchange(graph, best, run, bound)
    assert best.choices is not None  # the order of devices is a placement
    if best.value == bound:
        return Solution(Status.OPTIMAL, best.choices, bound, "meets the bound of Gilmore and Lawler")
    programme = TrafficProgramme.of(graph)
    if programme.clauses > MOST_CLAUSES or graph.most // programme.unit >= MAX_SUM or run.limits.over:
        size = f"{programme.clauses:,} clauses, at most {MOST_CLAUSES:,} are searched"
        note = "" if run.limits.over else f"exchanges and a bound only: {size}"
        return Solution(Status.FEASIBLE, best.choices, bound, "no exchange gains", note)
    run.phase("searching")
    best.choices = programme.kept(best.choices)  # as good, and one that the model has
    least = -((programme.constant - bound) // programme.unit)
    answer = search(build(programme, least), programme, best, run, presolve=True)
    found = concluded(programme, best, answer, {"classes": len(programme.classes), "cost_unit": programme.unit})
    if found.status is Status.FEASIBLE and (found.bound is None or found.bound < bound):
        return replace(found, bound=bound)
    return found
