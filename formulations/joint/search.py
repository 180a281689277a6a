"""Running CP-SAT on the joint model: hints, pairs as they come, stopping, and what its statuses mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from formulations.cp_sat.search import no_more, watched
from formulations.joint.common import conclude
from hypar_opt.plan import Solution, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

    from formulations.joint.common import Incumbent
    from formulations.joint.model import JointModel
    from hypar_opt.run import Limits


def search(built: JointModel, best: Incumbent, lower: int) -> Solution:
    """Solve; pairs go to `best` as they come.

    Parameters
    ----------
    lower
        A bound that is known already.
    """
    from ortools.sat.python.cp_model import CpSolver

    solver, run = CpSolver(), best.run
    _configure(solver, run.limits)
    solver.best_bound_callback = lambda bound: run.bound(max(lower, built.unit * no_more(bound)))
    _hint(built, best)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(built.model, _recorder(built, best))
    name = solver.status_name(native)
    if name == "INFEASIBLE":
        return _infeasible(best)
    if name == "MODEL_INVALID":
        return Solution(Status.ERROR, native_status=name, note=built.model.validate())
    bound = max(lower, built.unit * int(solver.response_proto.inner_objective_lower_bound))
    note = "" if name != "OPTIMAL" or bound == best.value else "the solver says optimal, but its bound is another"
    return conclude(best, bound, name, note, {"cost_unit": built.unit})


def _infeasible(best: Incumbent) -> Solution:
    if best.pair is None:
        return Solution(Status.INFEASIBLE, native_status="INFEASIBLE")
    return Solution(
        Status.ERROR, native_status="INFEASIBLE", note="the solver says that there is no plan, and one is known"
    )


def _configure(solver: CpSolver, limits: Limits) -> None:
    parameters: Any = solver.parameters
    remaining = limits.remaining_s()
    if remaining is not None:
        parameters.max_time_in_seconds = remaining
    parameters.num_workers = max(1, limits.workers)
    parameters.random_seed = limits.seed
    parameters.linearization_level = 2
    parameters.catch_sigint_signal = False
    parameters.relative_gap_limit = 0.0
    parameters.absolute_gap_limit = 0.0


def _hint(built: JointModel, best: Incumbent) -> None:
    """Suggest the pair that is known, translated so that leaf 0 has the lowest site."""
    if best.choices is None or best.placed is None:
        return
    for literals, values, choice in zip(built.plan.x, built.polytope.values, best.choices, strict=True):
        for literal, value in zip(literals, values, strict=True):
            built.model.add_hint(literal, value == choice)
    shift = best.placed.index(min(best.placed))
    for leaf, literals in enumerate(built.sites.at):
        for site, literal in enumerate(literals):
            built.model.add_hint(literal, best.placed[leaf ^ shift] == site)


def _recorder(built: JointModel, best: Incumbent) -> CpSolverSolutionCallback:
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    class Recorder(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            rows = [[self.boolean_value(one) for one in row] for row in (*built.plan.x, *built.sites.at)]
            chosen, layers = [row.index(True) for row in rows], len(built.plan.x)
            best.offer(built.polytope.choices(chosen[:layers]), chosen[layers:])

    return Recorder()
