"""Running HiGHS on a PuLP problem, through highspy's own model for what PuLP does not pass on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from formulations.flow_model.finish import (
    GAP,
    INTEGRALITY,
    MAX_SEED,
    NOTE,
    TOLERANCE,
    ScaledProgramme,
    SolverAnswer,
    chosen,
    safe_bound,
)
from formulations.flow_model.highs_words import in_words
from formulations.flow_model.waiting import came_back
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.flow_model.polytope import Polytope
    from formulations.milp.model import PulpModel
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Limits, Run


@dataclass
class HighsRun:
    """The problem, and what is known of it so far.

    Parameters
    ----------
    built, polytope, best, run
        The problem, and who hears of it.
    bound
        The highest lower bound told, scaled.
    left
        Whether nobody waits for this run any more.
    """

    built: PulpModel
    polytope: ScaledProgramme
    best: Incumbent
    run: Run
    bound: int | None = None
    left: bool = False

    def told(self, event: Any) -> None:
        """Take note of a bound, and stop HiGHS if the run is over."""
        if self.left or self.run.limits.over:
            event.interrupt()
        bound = None if self.left else safe_bound(event.data_out.mip_dual_bound)
        if bound is not None and (self.bound is None or bound > self.bound):
            self.bound = bound
            self.best.bound(self.polytope.constant + self.polytope.unit * bound)

    def improved(self, event: Any) -> None:
        """Take a better plan."""
        if not self.left:
            self.offer(event.data_out.mip_solution)

    def offer(self, columns: Any) -> tuple[int, ...] | None:
        """Read x from HiGHS's columns, and return the positions of what it chooses."""
        positions = chosen([[columns[x.index] for x in own] for own in self.built.x])
        if positions is None:
            return None
        self.best.offer(self.polytope.choices(positions))
        return tuple(positions)


STATUSES = {
    "kOptimal": Status.OPTIMAL,
    "kInfeasible": Status.INFEASIBLE,
    # a flow within one-hot values is bounded, so that only one of the two is possible
    "kUnboundedOrInfeasible": Status.INFEASIBLE,
    **dict.fromkeys(("kTimeLimit", "kIterationLimit", "kSolutionLimit", "kMemoryLimit"), Status.FEASIBLE),
    **dict.fromkeys(("kInterrupt", "kHighsInterrupt", "kObjectiveBound", "kObjectiveTarget"), Status.FEASIBLE),
}
"""HiGHS's model status, and what it says of a plan, if there is one; every other is an error."""

FEASIBLE_POINT = 2
"""HiGHS's primal solution status when its columns are a solution."""


def search_flows(built: PulpModel, polytope: Polytope, best: Incumbent, run: Run) -> SolverAnswer:
    """Solve a programme of flows as `search` does, without HiGHS's presolve where rows add up arcs."""
    return search(built, polytope, best, run, is_presolved=not any(row.arcs for row in polytope.rows))


def search(
    built: PulpModel,
    polytope: ScaledProgramme,
    best: Incumbent,
    run: Run,
    *,
    is_presolved: bool = True,
    hint: Sequence[int] | None = None,
) -> SolverAnswer:
    """Solve; plans go to `best` as they come.

    Parameters
    ----------
    hint
        The plan that is suggested, in the programme's own values; None for the best.
    """
    solver = _solver(run.limits, is_presolved=is_presolved)
    solver.createAndConfigureSolver(built.problem)
    solver.buildSolverModel(built.problem)
    state = HighsRun(built, polytope, best, run)
    highs = built.problem.solverModel
    highs.cbMipInterrupt += state.told
    highs.cbMipLogging += state.told
    highs.cbMipImprovingSolution += state.improved
    _start(highs, state, best.choices if hint is None else hint)
    try:
        state.left = not came_back(lambda: solver.callSolver(built.problem), run.limits)
    except Exception as error:  # noqa: BLE001 - told by the answer
        return SolverAnswer(Status.ERROR, f"{type(error).__name__}: {error}")
    if state.left:
        return SolverAnswer(Status.FEASIBLE, "left behind within a linear programme", state.bound)
    return _answer(highs, state)


def _solver(limits: Limits, *, is_presolved: bool) -> Any:
    """Return HiGHS; its presolve (1.14) may never end, or call infeasible what is not, where rows add up arcs."""
    import pulp

    return pulp.HiGHS(
        msg=False,
        timeLimit=limits.remaining_s(),
        threads=max(1, limits.workers),
        gapRel=0.0,
        gapAbs=GAP,
        presolve="choose" if is_presolved else "off",
        random_seed=limits.seed % MAX_SEED,
        mip_feasibility_tolerance=INTEGRALITY,
        primal_feasibility_tolerance=TOLERANCE,
        dual_feasibility_tolerance=TOLERANCE,
    )


def _start(highs: Any, state: HighsRun, plan: Sequence[int] | None) -> None:
    """Hand over the plan that the run starts from; HiGHS works out its flows."""
    import numpy as np

    if plan is None:
        return
    triples = zip(state.built.x, state.polytope.values, plan, strict=True)
    pairs = [
        (x.index, float(value == choice))
        for own, values, choice in triples
        for x, value in zip(own, values, strict=True)
    ]
    columns, values = zip(*pairs, strict=True)
    highs.setSolution(len(pairs), np.array(columns, dtype=np.int32), np.array(values))


def _answer(highs: Any, state: HighsRun) -> SolverAnswer:
    """Read status, bound and plan from highspy; PuLP's own status takes an incumbent for an optimum."""
    native = highs.getModelStatus().name
    status = STATUSES.get(native, Status.ERROR)
    info = highs.getInfo()
    solved = info.primal_solution_status == FEASIBLE_POINT
    positions = state.offer(highs.getSolution().col_value) if solved else None
    bound = safe_bound(info.mip_dual_bound)
    return SolverAnswer(status, in_words(native), bound, NOTE if status is Status.OPTIMAL else "", positions)
