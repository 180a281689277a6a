"""task-milp: tasks in time, expanded: whether each begins at each moment, by a mixed-integer programme (HiGHS).

x[i, t] is 1 where task i begins at moment t, of moments that are a greatest common divisor of all times apart; moved
up as far as they go, all tasks of a best schedule begin at sums of those. S[i, t] says whether i has begun by t, and
E[i, t] whether it has ended: sums of x. Units that are taken at t are those of tasks that began less than their
duration ago; what is kept is h[i, t] >= S[i, t] - E[j, t], of either end j. After Pritsker, Watters and Wolfe (1969),
waits as Christofides, Alvarez-Valdes and Tamarit (1987) have them.

HiGHS computes in floating point: that nothing is better rests on its tolerances. It has nothing in common with
`task-cp-sat` but the lists that it takes a last moment from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from formulations.rows import SparseRows
from formulations.tasks.starts import best_listed
from hypar_opt.costgraph.tasks import NOT_DONE, is_task_schedule, value_of_begins
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run

MOST_MOMENTS: Final = 20_000
"""Tasks times moments."""
NOTE: Final = "that there is none better rests on HiGHS's tolerances, 1e-6 of each constraint"
STATUSES: Final = {0: "optimal", 1: "time limit", 2: "infeasible"}
"""SciPy's, in words; any other is an error."""


def step_of(graph: TimedGraph) -> int:
    """Return the greatest common divisor of all times."""
    times = [one.duration for one in graph.tasks] + [one.release for one in graph.tasks]
    return gcd(*times, *(one.lag for one in graph.waits)) or 1


@dataclass
class _Moments:
    """The programme: a column a task and moment, then those of what is kept, and of the last end.

    Parameters
    ----------
    graph
        Of what.
    step, last
        How far moments are apart, and how many there are behind the first.
    """

    graph: TimedGraph
    step: int
    last: int
    rows: SparseRows = field(default_factory=SparseRows)

    def __post_init__(self) -> None:
        tasks = self.graph.tasks
        self.long = [one.duration // self.step for one in tasks]
        self.count = len(tasks) * (self.last + 1)
        self.made = self.count

    def column(self, place: int, moment: int) -> int:
        return place * (self.last + 1) + moment

    def begun(self, place: int, moment: int, sign: float = 1.0) -> dict[int, float]:
        """Return whether a task has begun by a moment, as a sum."""
        return {self.column(place, one): sign for one in range(min(moment, self.last) + 1)}

    def ended(self, place: int, moment: int, sign: float = 1.0) -> dict[int, float]:
        """Return whether it has ended by then."""
        return self.begun(place, moment - self.long[place], sign)

    def add_all(self) -> None:
        graph = self.graph
        for place, one in enumerate(graph.tasks):
            if one.group is None:
                self.rows.add(self.begun(place, self.last), 1, 1)
            late = [moment for moment in range(self.last + 1) if moment + self.long[place] > self.last]
            early = range(min(one.release // self.step, self.last + 1))
            self.rows.add({self.column(place, moment): 1.0 for moment in {*early, *late}} or {0: 0.0}, 0, 0)
        for group in graph.groups:
            self.rows.add({key: 1.0 for place in group for key in self.begun(place, self.last)}, 1, 1)
        for wait in graph.waits:
            self._wait(wait.first, wait.second, wait.lag // self.step)
        for resource, capacity in enumerate(graph.units):
            for moment in range(self.last + 1):
                taken = {
                    self.column(place, one): float(units)
                    for place, units in graph.users(resource)
                    for one in range(max(0, moment - self.long[place] + 1), moment + 1)
                }
                if taken:
                    self.rows.add(taken, -np.inf, capacity)
        for memory, limit in enumerate(graph.limits):
            if limit is not None:
                self._keep(memory, limit)

    def _wait(self, first: int, second: int, lag: int) -> None:
        """Add that whoever has begun waited for one that has ended, or is not done."""
        for moment in range(self.last + 1):
            # begun(second) <= ended(first) + 1 - done(first); of one that is always done the last two are 0
            entries = self.begun(second, moment)
            for key, value in self.ended(first, moment - lag, -1.0).items():
                entries[key] = entries.get(key, 0.0) + value
            optional = self.graph.tasks[first].group is not None
            for key in self.begun(first, self.last) if optional else ():
                entries[key] = entries.get(key, 0.0) + 1.0
            self.rows.add(entries, -np.inf, 1.0 if optional else 0.0)

    def _keep(self, memory: int, limit: int) -> None:
        kept = [one for one in self.graph.kept if one.memory == memory]
        for moment in range(self.last + 1):
            there = {}
            for one in kept:
                there[self.made] = float(one.amount)
                self._held(self.made, one.first, one.first, moment)
                if one.last != one.first:
                    self._held(self.made, one.first, one.last, moment)
                self.made += 1
            if there:
                self.rows.add(there, -np.inf, limit)

    def _held(self, column: int, first: int, last: int, moment: int) -> None:
        """Add that something is there once one task has begun and as long as another has not ended, if that is done."""
        entries = {column: 1.0}
        optional = first != last and self.graph.tasks[last].group is not None
        parts = [self.begun(first, moment, -1.0), self.ended(last, moment)]
        parts += [self.begun(last, self.last, -1.0)] if optional else []
        for key, value in (item for part in parts for item in part.items()):
            entries[key] = entries.get(key, 0.0) + value
        self.rows.add(entries, -1.0 if optional else 0.0, np.inf)

    def costs(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return what each column costs, in steps; the last end is a column of its own."""
        found = np.zeros(self.made + 1)
        for place, one in enumerate(self.graph.tasks):
            ends = {self.column(place, moment): moment + self.long[place] for moment in range(self.last + 1)}
            if self.graph.goal == "makespan":
                self.rows.add({**{key: -float(end) for key, end in ends.items()}, self.made: 1.0}, 0, np.inf)
            else:
                for key, end in ends.items():
                    found[key] = float(end * one.weight)
        found[self.made] = float(self.graph.goal == "makespan")
        return found


@dataclass(frozen=True)
class TaskMilp:
    """Tasks, expanded in time."""

    name: ClassVar[str] = "task-milp"
    summary: ClassVar[str] = "tasks in time by whether each begins at each moment, for few of both (HiGHS in SciPy)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True, encoding="task-moments", packages=("scipy",), decides="begins", rank=441
    )

    def accepts(self, graph: TimedGraph, run: Run) -> str | None:
        """Accept few tasks and moments."""
        if graph.is_periodic:
            return "it searches no periods; try task-cp-sat"
        size = len(graph.tasks) * (self._last(graph, run) + 1)
        if size > MOST_MOMENTS:
            return f"it would have {size:,} tasks times moments, at most {MOST_MOMENTS:,}; try task-cp-sat"
        return None

    def _last(self, graph: TimedGraph, run: Run) -> int:
        """Return the number of the moment at which all is over: of weighted ends, of any best schedule."""
        found = best_listed(graph, run) if graph.goal == "makespan" else None
        return (graph.horizon if found is None else value_of_begins(graph, found)) // step_of(graph)

    def solve(self, graph: TimedGraph, run: Run) -> Solution:
        """Build and search."""
        from scipy.optimize import Bounds, milp

        expanded = _Moments(graph, step_of(graph), self._last(graph, run))
        expanded.add_all()
        costs = expanded.costs()
        integral = np.zeros(len(costs))
        integral[: expanded.count] = 1
        upper = np.ones(len(costs))
        upper[-1] = expanded.last
        remaining = run.limits.remaining_s()
        run.phase(f"searching {expanded.count:,} begins")
        found = milp(
            costs,
            integrality=integral,
            bounds=Bounds(np.zeros(len(costs)), upper),
            constraints=expanded.rows.constraint(len(costs)),
            options={} if remaining is None else {"time_limit": max(remaining, 1e-3)},
        )
        name = STATUSES.get(found.status, str(found.message))
        if found.x is None:
            status = Status.INFEASIBLE if name == "infeasible" else Status.NO_SOLUTION
            return Solution(status, native_status=name, note=NOTE)
        choices = [NOT_DONE] * len(graph.tasks)
        for column in np.flatnonzero(found.x[: expanded.count] > 0.5):
            place, moment = divmod(int(column), expanded.last + 1)
            choices[place] = moment * expanded.step
        if not is_task_schedule(graph, choices):
            return Solution(Status.ERROR, native_status=f"{name}, and what it found is no schedule")
        value = value_of_begins(graph, choices)
        bound = int(np.ceil(found.mip_dual_bound - 1e-6)) * expanded.step
        status = Status.OPTIMAL if name == "optimal" and value == bound else Status.FEASIBLE
        return Solution(status, tuple(choices), min(bound, value), name, NOTE)


FORMULATION = TaskMilp()
