"""task-brute-force: all schedules in which nothing can be moved up, one task after the other by begin.

If every task of a schedule is moved up as far as the order of all begins and ends lets it, it begins at its release, or
when another ends, or a lag after one that it waits for: tasks that were not there at the same time are not now. So
begins are tried from those moments only, none before the last one that was chosen; at each it is counted by hand what
is taken and kept. Periods are tried from 1 on, with all places on the circle, where nothing is kept until another ends.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, ClassVar, Final

from hypar_opt.costgraph.tasks import NOT_DONE, is_task_schedule, value_of_begins
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.run import Run

MOST_TASKS: Final = 9
MOST_ON_CIRCLE: Final = 2_000_000
"""Places of all tasks on the longest circle that is tried."""


def selections(graph: TimedGraph) -> Iterator[frozenset[int]]:
    """Yield which tasks are done: whatever is in no group, and of each group one."""
    always = frozenset(place for place, one in enumerate(graph.tasks) if one.group is None)
    for chosen in product(*graph.groups):
        yield always | frozenset(chosen)


@dataclass
class _Orders:
    """The search of one selection.

    Parameters
    ----------
    graph, done, run
        Of what, which tasks are done, and within which limits.
    value, best
        What has been found so far.
    """

    graph: TimedGraph
    done: frozenset[int]
    run: Run
    value: int | None
    best: tuple[int, ...] | None = None
    begins: dict[int, int] = field(default_factory=dict)

    def search(self, now: int = 0) -> None:
        self.run.check()
        if len(self.begins) == len(self.done):
            choices = tuple(self.begins.get(place, NOT_DONE) for place in range(len(self.graph.tasks)))
            if is_task_schedule(self.graph, choices):
                self.value, self.best = value_of_begins(self.graph, choices), choices
            return
        for place in sorted(self.done - self.begins.keys()):
            for moment in self._moments(place, now):
                self.begins[place] = moment
                if self._may_be(place, moment):
                    self.search(moment)
                del self.begins[place]

    def _end(self, place: int) -> int:
        return self.begins[place] + self.graph.tasks[place].duration

    def _moments(self, place: int, now: int) -> list[int]:
        """Return when a task may begin, none before the last begin, once all that it waits for has one."""
        waits = [one for one in self.graph.waits if one.second == place and one.first in self.done]
        if any(one.first not in self.begins for one in waits):
            return []
        ready = [self._end(one.first) + one.lag for one in waits]
        least = max([now, self.graph.tasks[place].release, *ready])
        moments = {self.graph.tasks[place].release, *ready, *map(self._end, self.begins)}
        return sorted(one for one in moments if one >= least)

    def _may_be(self, place: int, now: int) -> bool:
        """Return whether there is enough at a begin of what is taken, and that what is known may still be better."""
        graph, ends = self.graph, {one: self._end(one) for one in self.begins}
        for resource, capacity in enumerate(graph.units):
            taken = sum(units for one, units in graph.users(resource) if one in ends and ends[one] > now)
            if taken > capacity:
                return False
        for memory, limit in enumerate(graph.limits):
            kept = 0
            for one in graph.kept:
                if one.memory == memory and one.first in ends:
                    # what takes no time may end right now, and then nothing of it is kept any more
                    long = graph.tasks[one.last].duration > 0
                    missing = long and one.last in self.done and one.last not in ends
                    kept += one.amount if missing or max(ends[one.first], ends.get(one.last, 0)) > now else 0
            if limit is not None and kept > limit:
                return False
        if self.value is None:
            return True
        if graph.goal == "makespan":
            return max(ends.values()) < self.value
        return sum(graph.tasks[one].weight * end for one, end in ends.items()) < self.value


@dataclass(frozen=True)
class TaskBruteForce:
    """All schedules."""

    name: ClassVar[str] = "task-brute-force"
    summary: ClassVar[str] = (
        f"tasks in time, all schedules in which nothing can be moved up, of up to {MOST_TASKS} tasks"
    )
    capabilities: ClassVar[Capabilities] = Capabilities(exact=True, encoding="enumeration", decides="begins", rank=442)

    def accepts(self, graph: TimedGraph, run: Run) -> str | None:
        """Accept very few tasks."""
        if len(graph.tasks) > MOST_TASKS:
            return (
                f"there are {len(graph.tasks):,} tasks, at most {MOST_TASKS} are tried in every order; try task-cp-sat"
            )
        if not graph.is_periodic:
            return None
        if any(one.first != one.last for one in graph.kept):
            return "it does not try periods where something is kept until another task ends; try task-cp-sat"
        if graph.horizon ** len(graph.tasks) > MOST_ON_CIRCLE:
            return "there are too many places on a circle; try task-cp-sat"
        return None

    def solve(self, graph: TimedGraph, run: Run) -> Solution:
        """Try all."""
        value, best = None, None
        try:
            if graph.is_periodic:
                best = next(_periods(graph, run), None)
            for done in selections(graph) if not graph.is_periodic else ():
                orders = _Orders(graph, done, run, value)
                orders.search()
                if orders.best is not None:
                    value, best = orders.value, orders.best
                    run.incumbent(value_of_begins(graph, best), best)
        except Stopped:
            status = Status.NO_SOLUTION if best is None else Status.FEASIBLE
            return Solution(status, best, None, "stopped before the last")
        if best is None:
            return Solution(Status.INFEASIBLE, native_status="none of all is a schedule")
        return Solution(Status.OPTIMAL, best, value_of_begins(graph, best), "all were tried")


def _periods(graph: TimedGraph, run: Run) -> Iterator[tuple[int, ...]]:
    """Yield choices of the least period first."""
    longest = graph.horizon + sum(one.lag for one in graph.waits) + 1
    for period in range(1, longest + 1):
        for done in selections(graph):
            free = sorted(done)
            for rests in product(range(period), repeat=len(free)):
                run.check()
                begins = _turned(graph, dict(zip(free, rests, strict=True)), period)
                choices = (*(begins.get(place, NOT_DONE) for place in range(len(graph.tasks))), period)
                if begins and is_task_schedule(graph, choices):
                    yield choices


def _turned(graph: TimedGraph, rests: dict[int, int], period: int) -> dict[int, int]:
    """Return the earliest begins that are at given places of the circle; none where nothing satisfies all waits."""
    begins = {
        place: rest + period * max(0, -((rest - graph.tasks[place].release) // period)) for place, rest in rests.items()
    }
    for _ in range(len(begins) + 1):
        changed = False
        for one in graph.waits:
            if one.first in begins and one.second in begins:
                short = begins[one.first] + graph.tasks[one.first].duration + one.lag
                short -= one.distance * period + begins[one.second]
                if short > 0:
                    begins[one.second] += -(-short // period) * period
                    changed = True
        if not changed:
            return begins
    return {}


FORMULATION = TaskBruteForce()
