"""Running HiGHS on a PuLP problem, through highspy's own model for what PuLP does not pass on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any

from formulations.milp.rounding import GAP, chosen, safe_bound, slack_of
from formulations.polytope import Answer
from hypar_opt.plan import Status

if TYPE_CHECKING:
    from formulations.milp.model import Model
    from formulations.polytope import Best, Polytope
    from hypar_opt.run import Run

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
"""HiGHS's model status, and what it says of a plan; every other is an error."""

TOLERANCE = 1e-9
"""How far a value may be from an integer, and a constraint from being kept."""
GRACE_S = 0.5
"""How long HiGHS, which looks up only between linear programmes, is waited for when the run is over."""
POLL_S = 0.02
MAX_SEED = 2**31 - 1
NOTE = f"proven in floating point: gap below {GAP} cost units, values integral within {TOLERANCE:g}"


@dataclass
class Search:
    """One run of HiGHS, and what its callbacks have told.

    Parameters
    ----------
    built, polytope, best, run
        The problem, and who hears of it.
    bound
        The highest lower bound told so far, scaled.
    left
        Whether nobody waits for this run any more.
    failure
        What was raised in its thread.
    """

    built: Model
    polytope: Polytope
    best: Best
    run: Run
    bound: int | None = None
    left: bool = False
    failure: BaseException | None = None

    def told(self, event: Any) -> None:
        """Take note of a bound, and stop HiGHS if the run is over."""
        if self.left or self.run.limits.over:
            event.interrupt()
        bound = None if self.left else safe_bound(event.data_out.mip_dual_bound)
        if bound is not None and (self.bound is None or bound > self.bound):
            self.bound = bound
            self.run.bound(self.polytope.constant + self.polytope.unit * bound)

    def improved(self, event: Any) -> None:
        """Take a better plan."""
        if not self.left:
            self.offer(event.data_out.mip_solution)

    def offer(self, columns: Any) -> None:
        """Read x from HiGHS's columns."""
        positions = chosen([[columns[x.index] for x in own] for own in self.built.x])
        if positions is not None:
            self.best.offer(self.polytope.choices(positions))


def search(built: Model, polytope: Polytope, best: Best, run: Run) -> Answer:
    """Solve; plans go to `best` as they come."""
    import pulp

    limits = run.limits
    solver = pulp.HiGHS(
        msg=False,
        timeLimit=limits.remaining_s(),
        threads=max(1, limits.workers),
        gapRel=0.0,
        gapAbs=GAP,
        random_seed=limits.seed % MAX_SEED,
        mip_feasibility_tolerance=TOLERANCE,
        primal_feasibility_tolerance=TOLERANCE,
        dual_feasibility_tolerance=TOLERANCE,
    )
    solver.createAndConfigureSolver(built.problem)
    solver.buildSolverModel(built.problem)
    state = Search(built, polytope, best, run)
    highs = built.problem.solverModel
    highs.cbMipInterrupt += state.told
    highs.cbMipLogging += state.told
    highs.cbMipImprovingSolution += state.improved
    _start(highs, state)
    if not _finished(solver, state):
        state.left = True
        return Answer(Status.FEASIBLE, "left behind within a linear programme", state.bound)
    return _answer(highs, state)


def _start(highs: Any, state: Search) -> None:
    """Hand over the plan that the run starts from; HiGHS works out its flows."""
    if state.best.choices is None:
        return
    import numpy as np

    triples = zip(state.built.x, state.polytope.values, state.best.choices, strict=True)
    pairs = [
        (x.index, float(value == choice))
        for own, values, choice in triples
        for x, value in zip(own, values, strict=True)
    ]
    columns, values = zip(*pairs, strict=True)
    highs.setSolution(len(pairs), np.array(columns, dtype=np.int32), np.array(values))


def _finished(solver: Any, state: Search) -> bool:
    """Run HiGHS in a thread of its own; return False if it did not come back soon after the run was over."""

    def target() -> None:
        import highspy

        try:
            solver.callSolver(state.built.problem)
        except BaseException as error:
            state.failure = error
        finally:
            highspy.Highs.resetGlobalScheduler(False)

    thread = Thread(target=target, daemon=True)
    thread.start()
    over: float | None = None
    while thread.is_alive():
        thread.join(POLL_S)
        if over is None and state.run.limits.over:
            over = time.monotonic()
        if over is not None and time.monotonic() - over > GRACE_S:
            return not thread.is_alive()
    return True


def _answer(highs: Any, state: Search) -> Answer:
    """Read status, bound and plan from highspy; PuLP's own status takes an incumbent for an optimum."""
    if state.failure:
        return Answer(Status.ERROR, str(state.failure))
    native = highs.getModelStatus().name
    status = STATUSES.get(native, Status.ERROR)
    info = highs.getInfo()
    if info.primal_solution_status == 2:
        state.offer(highs.getSolution().col_value)
    bound = safe_bound(info.mip_dual_bound)
    return Answer(status, native, bound, slack_of(bound), NOTE if status is Status.OPTIMAL else "")
