"""Running CP-SAT: parameters, hints, incumbents, stopping from outside, and what its statuses mean."""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from formulations.flow_model.finish import MAX_SEED, ScaledProgramme, SolverAnswer
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ortools.sat.python.cp_model import CpModel, CpSolver, CpSolverSolutionCallback, IntVar

    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Limits, Run

STATUSES = {
    "OPTIMAL": Status.OPTIMAL,
    "FEASIBLE": Status.FEASIBLE,
    "INFEASIBLE": Status.INFEASIBLE,
    "UNKNOWN": Status.NO_SOLUTION,
    "MODEL_INVALID": Status.ERROR,
}
"""CP-SAT's status, and what it says of a plan."""

POLL_S = 0.02
"""How soon a request to stop is noticed."""
EXACT = 2**53
"""A float tells any integer below it from the next."""


@dataclass(frozen=True)
class CpSatModel:
    """A CP-SAT model, and the variables that say what is chosen.

    Parameters
    ----------
    model
        With all its constraints.
    x
        By variable and position among its allowed values: whether it takes that value.
    """

    model: CpModel
    x: Sequence[Sequence[IntVar]]


def search(
    built: CpSatModel,
    polytope: ScaledProgramme,
    best: Incumbent,
    run: Run,
    *,
    presolve: bool = False,
    strategies: Sequence[str] = (),
    hint: Sequence[int] | None = None,
    lower: int | None = None,
) -> SolverAnswer:
    """Solve; plans go to `best` as they come.

    Parameters
    ----------
    presolve
        Whether CP-SAT presolves; a polytope is already tight, and presolve only takes time.
    strategies
        CP-SAT's names of what its workers do; none leaves the choice to it.
    hint
        The plan that is suggested; None for the best.
    lower
        A bound of what plans cost that is known already.
    """
    solver = solver_within(run.limits)
    solver.parameters.linearization_level = 2
    solver.parameters.cp_model_presolve = presolve
    solver.parameters.subsolvers.extend(strategies)

    def told(bound: float) -> None:
        reached = polytope.constant + polytope.unit * no_more(bound)
        run.bound(reached if lower is None else max(lower, reached))

    solver.best_bound_callback = told
    _hint(built, polytope, best.choices if hint is None else hint)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(built.model, _recorder(built, polytope, best))
    name = solver.status_name(native)
    status = STATUSES[name]
    proof = status in (Status.OPTIMAL, Status.FEASIBLE, Status.NO_SOLUTION)
    note = built.model.validate() if status is Status.ERROR else ""
    return SolverAnswer(status, name, bound_of(solver, status) if proof else None, note)


def solver_within(limits: Limits) -> CpSolver:
    """Return a solver that keeps to limits, and does not stop before it has proven an optimum exactly."""
    from ortools.sat.python.cp_model import CpSolver

    solver = CpSolver()
    parameters: Any = solver.parameters
    remaining = limits.remaining_s()
    if remaining is not None:
        parameters.max_time_in_seconds = remaining
    parameters.num_workers = max(1, limits.workers)
    parameters.random_seed = limits.seed % MAX_SEED
    parameters.catch_sigint_signal = False
    parameters.relative_gap_limit = 0.0
    parameters.absolute_gap_limit = 0.0
    return solver


def _hint(built: CpSatModel, polytope: ScaledProgramme, plan: Sequence[int] | None) -> None:
    """Suggest a plan."""
    if plan is None:
        return
    for literals, values, choice in zip(built.x, polytope.values, plan, strict=True):
        for literal, value in zip(literals, values, strict=True):
            built.model.add_hint(literal, value == choice)


def _recorder(built: CpSatModel, polytope: ScaledProgramme, best: Incumbent) -> CpSolverSolutionCallback:
    """Return the callback that reads each solution's x."""
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    class Recorder(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            chosen = ([self.boolean_value(literal) for literal in literals] for literals in built.x)
            best.offer(polytope.choices(literals.index(True) for literals in chosen))

    return Recorder()


def no_more(bound: float) -> int:
    """Return an integer that is no more than the bound that CP-SAT made a float of, itself where floats are exact.

    It is a sum of two integers that are not below 0: three roundings, each by half a unit in the last place at most.
    """
    return math.floor(bound if abs(bound) < EXACT else bound - 2 * math.ulp(bound))


def bound_of(solver: CpSolver, status: Status) -> int | None:
    """Return the bound as the integer it is; `best_objective_bound` is a float made from it."""
    bound = int(solver.response_proto.inner_objective_lower_bound)
    unproven = status is Status.NO_SOLUTION and bound < 0
    return None if unproven else bound


@contextmanager
def watched(stop: Event, action: Callable[[], None]) -> Iterator[None]:
    """Call an action, again and again, from when `stop` is set until the block ends.

    Once is not enough: CP-SAT forgets a request that comes before its search has begun.
    """
    over = Event()

    def watch() -> None:
        while not over.wait(POLL_S):
            if stop.is_set():
                action()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
