"""What searches of a pipeline have in common: a start, and the way back to a Solution."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.flow_model.finish import SolverAnswer, concluded
from formulations.pipeline.bounds import lower_bound
from formulations.pipeline.programme import StageProgramme
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from formulations.cp_sat.search import CpSatModel
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run


def solved(
    graph: StageGraph,
    run: Run,
    search: Callable[[StageProgramme, Incumbent], SolverAnswer],
) -> Solution:
    """Return the Solution of a search that is told the programme and the best plan, which it betters."""
    from formulations.pipeline.start import begin

    programme, best = StageProgramme.of(graph), Incumbent.of(graph, run)
    barred = next((group for group, own in enumerate(programme.values) if not own), None)
    if barred is not None:
        return Solution(Status.INFEASIBLE, native_status=f"no device can have {graph.names[barred]}")
    bound = lower_bound(graph)
    run.bound(bound)
    with suppress(Stopped):
        begin(graph, run, best)
    if run.limits.over:
        answer = SolverAnswer(Status.NO_SOLUTION, "stopped before the search")
    else:
        run.phase("searching")
        answer = search(programme, best)
    found = concluded(programme, best, answer, {"groups": graph.groups, "slots": len(graph.slots)})
    if found.status not in (Status.FEASIBLE, Status.NO_SOLUTION) or (found.bound is not None and found.bound > bound):
        return found
    met = found.choices is not None and graph.value(found.choices) == bound
    return replace(found, status=Status.OPTIMAL if met else found.status, bound=bound)


def solved_by_cp_sat(graph: StageGraph, run: Run, build: Callable[[StageProgramme], CpSatModel]) -> Solution:
    """Return the Solution of CP-SAT on the model that is built of the programme, hinted at the best plan known."""
    from formulations.cp_sat.search import search

    def ask(programme: StageProgramme, best: Incumbent) -> SolverAnswer:
        hint = None if best.choices is None else programme.ordered(best.choices)
        return search(build(programme), programme, best, run, presolve=True, hint=hint)

    return solved(graph, run, ask)
