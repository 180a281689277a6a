"""task-cp-sat: when every task begins, by intervals of OR-Tools' CP-SAT.

It begins with the best of all lists, which is optimal where it meets a bound. All is integer: its claims rest on no
tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from formulations.tasks.intervals import interval_model, minimise
from formulations.tasks.periods import concluded_in_periods
from formulations.tasks.starts import best_listed, concluded
from hypar_opt.costgraph.tasks import is_task_schedule, value_of_begins
from hypar_opt.costgraph.tasks.bounds import lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.tasks.intervals import IntervalModel
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run

LONGEST: Final = 2**53
"""What all durations may add up to, weighted: in floats of the solver, which are exact below, nothing is rounded."""
MOST_KEPT: Final = 2**62
"""What all tasks may keep together: CP-SAT sums it in an int64."""
MOST_TASKS: Final = 20_000


@dataclass(frozen=True)
class TaskCpSat:
    """Tasks as intervals."""

    name: ClassVar[str] = "task-cp-sat"
    summary: ClassVar[str] = "tasks in time, exactly, as intervals on resources and in memories (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="task-intervals",
        packages=("ortools",),
        decides="begins",
        rank=440,
        default_for={"task-graph": 0},
    )

    def accepts(self, graph: TimedGraph, run: Run) -> str | None:
        """Accept what 64 bits hold."""
        if len(graph.tasks) > MOST_TASKS:
            return f"there are {len(graph.tasks):,} tasks, at most {MOST_TASKS:,} are searched; try task-list-tail"
        weights = sum(one.weight for one in graph.tasks) if graph.goal == "completion-times" else 1
        if graph.horizon * max(weights, 1) * (len(graph.tasks) if graph.is_periodic else 1) >= LONGEST:
            return "the times have too many digits for its exact bounds; round them, or try task-list-tail"
        if sum(one.amount for one in graph.kept) >= MOST_KEPT:
            return "what is kept does not fit 64 bits; round the amounts, or try task-list-tail"
        return None

    def solve(self, graph: TimedGraph, run: Run) -> Solution:
        """List, then search."""
        start = run.start if run.start is not None and is_task_schedule(graph, run.start) else None
        found = best_listed(graph, run)
        options = [one for one in (start, found) if one is not None]
        best = min(options, key=lambda one: value_of_begins(graph, one), default=None)
        least = lower_bound(graph)
        if best is not None and (value_of_begins(graph, best) == least.value or run.limits.over):
            return concluded(graph, run, best, "the best of all lists")
        if graph.is_periodic:
            return concluded_in_periods(graph, best, run)
        run.bound(least.value)
        if best is not None:
            run.incumbent(value_of_begins(graph, best), best)
        return self._searched(graph, best, least.value, run)

    def _searched(self, graph: TimedGraph, best: tuple[int, ...] | None, least: int, run: Run) -> Solution:
        from formulations.cp_sat.search import STATUSES, bound_of, solver_within, watched

        run.phase(f"searching schedules of {len(graph.tasks):,} tasks")
        by_end = graph.goal == "makespan" and best is not None
        horizon = value_of_begins(graph, best) if by_end and best is not None else graph.horizon
        built = interval_model(graph, horizon)
        minimise(built, graph, horizon, least)
        if best is not None:
            built.hint(best)
        solver = solver_within(run.limits)
        solver.best_bound_callback = lambda bound: run.bound(max(least, int(bound)))
        with watched(run.limits.stop, solver.stop_search):
            name = solver.status_name(solver.solve(built.model, _teller(built, graph, run)))
        status = STATUSES[name]
        if status in (Status.OPTIMAL, Status.FEASIBLE):
            choices = built.read(solver)
            bound = max(bound_of(solver, status) or 0, least)
            if best is not None and value_of_begins(graph, best) <= value_of_begins(graph, choices):
                choices = best
            status = Status.OPTIMAL if value_of_begins(graph, choices) == bound else Status.FEASIBLE
            return Solution(status, choices, bound, name)
        if status is Status.NO_SOLUTION:
            bound = max(bound_of(solver, status) or 0, least)
            status = status if best is None else Status.FEASIBLE
            return Solution(status, best, bound, name)
        return Solution(status, native_status=name)


def _teller(built: IntervalModel, graph: TimedGraph, run: Run) -> Any:
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    class ScheduleTeller(CpSolverSolutionCallback):
        """Tells of every better schedule."""

        def on_solution_callback(self) -> None:
            choices = built.read(self)
            run.incumbent(value_of_begins(graph, choices), choices)

    return ScheduleTeller()


FORMULATION = TaskCpSat()
