"""Running HiGHS on a PuLP problem, through highspy's own model for what PuLP does not pass on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from formulations.milp.highs_run import HighsRun
from formulations.polytope import Answer
from formulations.polytope.rounding import GAP, INTEGRALITY, MAX_SEED, NOTE, TOLERANCE, safe_bound
from hypar_opt.plan import Status

if TYPE_CHECKING:
    from formulations.milp.model import Built
    from formulations.polytope import Best, Programme
    from hypar_opt.run import Limits, Run

STATUSES = {
    "kOptimal": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    # a flow within one-hot values is bounded, so that only one of the two is possible
    "kUnboundedOrInfeasible": Status.INFEASIBLE,
    "kTimeLimit": Status.FEASIBLE,
    "kInterrupt": Status.FEASIBLE,
    "kHighsInterrupt": Status.FEASIBLE,
    "kIterationLimit": Status.FEASIBLE,
    "kSolutionLimit": Status.FEASIBLE,
    "kMemoryLimit": Status.FEASIBLE,
    "kObjectiveBound": Status.FEASIBLE,
    "kObjectiveTarget": Status.FEASIBLE,
}
"""HiGHS's model status, and what it says of a plan, if there is one; every other is an error."""

FEASIBLE_POINT = 2
"""HiGHS's primal solution status when its columns are a solution."""


def search(built: Built, polytope: Programme, best: Best, run: Run) -> Answer:
    """Solve; plans go to `best` as they come."""
    solver = _solver(run.limits)
    solver.createAndConfigureSolver(built.problem)
    solver.buildSolverModel(built.problem)
    state = HighsRun(built, polytope, best, run)
    highs = built.problem.solverModel
    highs.cbMipInterrupt += state.told
    highs.cbMipLogging += state.told
    highs.cbMipImprovingSolution += state.improved
    _start(highs, state)
    if not state.finished(solver):
        return Answer(Status.FEASIBLE, "left behind within a linear programme", state.bound)
    return _answer(highs, state)


def _solver(limits: Limits) -> Any:
    import pulp

    return pulp.HiGHS(
        msg=False,
        timeLimit=limits.remaining_s(),
        threads=max(1, limits.workers),
        gapRel=0.0,
        gapAbs=GAP,
        random_seed=limits.seed % MAX_SEED,
        mip_feasibility_tolerance=INTEGRALITY,
        primal_feasibility_tolerance=TOLERANCE,
        dual_feasibility_tolerance=TOLERANCE,
    )


def _start(highs: Any, state: HighsRun) -> None:
    """Hand over the plan that the run starts from; HiGHS works out its flows."""
    import numpy as np

    if state.best.choices is None:
        return
    triples = zip(state.built.x, state.polytope.values, state.best.choices, strict=True)
    pairs = [
        (x.index, float(value == choice))
        for own, values, choice in triples
        for x, value in zip(own, values, strict=True)
    ]
    columns, values = zip(*pairs, strict=True)
    highs.setSolution(len(pairs), np.array(columns, dtype=np.int32), np.array(values))


def _answer(highs: Any, state: HighsRun) -> Answer:
    """Read status, bound and plan from highspy; PuLP's own status takes an incumbent for an optimum."""
    if state.failure is not None:
        return Answer(Status.ERROR, f"{type(state.failure).__name__}: {state.failure}")
    native = highs.getModelStatus().name
    status = STATUSES.get(native, Status.ERROR)
    info = highs.getInfo()
    solved = info.primal_solution_status == FEASIBLE_POINT
    positions = state.offer(highs.getSolution().col_value) if solved else None
    bound = safe_bound(info.mip_dual_bound)
    return Answer(status, native, bound, NOTE if status is Status.OPTIMAL else "", positions)
