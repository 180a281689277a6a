"""What no schedule of a task graph can be below, each with why: sums that can be checked by hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.tasks.circles import longest_circle
from hypar_opt.evaluation.tasks.faults import listed
from hypar_opt.evaluation.tasks.heads import WaitingWays
from hypar_opt.evaluation.tasks.lanes import Lanes, LaneTask, busiest_subset, lanes_of
from hypar_opt.evaluation.tasks.preemption import shared_ends, shortest_ends
from hypar_opt.util.numbers import amount, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.instance.tasks import TaskGraphInstance


@dataclass(frozen=True)
class TaskBound:
    """A number that no schedule's objective is below.

    Parameters
    ----------
    value
        Seconds; of completion times, seconds times weights.
    text
        Why.
    tasks
        Whose time it is made of.
    """

    value: Fraction
    text: str
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True)
class TaskProver:
    """What can be proven of the schedules of a task graph without a search.

    Parameters
    ----------
    instance
        The tasks.
    """

    instance: TaskGraphInstance

    @cached_property
    def ways(self) -> WaitingWays:
        """What is before and behind each task."""
        return WaitingWays(self.instance)

    @cached_property
    def bounds(self) -> tuple[TaskBound, ...]:
        """All that is known of the objective, the best first."""
        return tuple(sorted(BOUNDS[self.instance.goal](self), key=lambda one: -one.value))

    @property
    def best(self) -> TaskBound:
        """The best of them."""
        return self.bounds[0]

    def jobs(self, resource: str) -> tuple[LaneTask, ...]:
        """Return what is done on a resource whatever is chosen: of a group that needs it anyhow, the least of all."""
        return self._certain({task.name: self._of_resource(task.name, resource) for task in self.instance.tasks})

    def kept(self, memory: str, most: int) -> tuple[LaneTask, ...]:
        """Return what is kept in a memory whatever is chosen, as if its amount were units."""
        found: list[LaneTask] = []
        for task in self.instance.tasks:
            for one in task.keeps if task.group is None else ():
                if one.memory == memory and 0 < one.amount <= most:
                    found.append(self._of_memory(task.name, one.amount, one.until))
        return tuple(found)

    def _of_resource(self, name: str, resource: str) -> LaneTask | None:
        task, ways = self.ways.tasks[name], self.ways
        units = dict(task.takes).get(resource)
        if units is None:
            return None
        head, tail = (
            (Fraction(0), Fraction(0)) if self.instance.goal == "period" else (ways.head(name), ways.tail(name))
        )
        return LaneTask(name, head, task.seconds, tail, units, task.weight)

    def _of_memory(self, name: str, count: int, until: str | None) -> LaneTask:
        task, ways, periodic = self.ways.tasks[name], self.ways, self.instance.goal == "period"
        seconds, last = task.seconds, name
        if until is not None and until in ways.behind[name] and ways.tasks[until].group is None:
            seconds, last = seconds + ways.behind[name][until] + ways.tasks[until].seconds, until
        head, tail = (Fraction(0), Fraction(0)) if periodic else (ways.head(name), ways.tail(last))
        return LaneTask(name, head, seconds, tail, count)

    def _certain(self, jobs: Mapping[str, LaneTask | None]) -> tuple[LaneTask, ...]:
        tasks = self.ways.tasks
        found = [job for name, job in jobs.items() if job is not None and tasks[name].group is None]
        for group, names in self.ways.groups.items():
            own = [jobs[name] for name in names]
            every = [job for job in own if job is not None]
            if len(every) == len(own):
                least = [min(parts) for parts in zip(*(job[1:] for job in every), strict=True)]
                found.append(LaneTask(f"one of {group}", *least))
        return tuple(found)

    def lanes(self) -> Iterator[Lanes]:
        """Yield what stands in each other's way, on resources and in memories."""
        for name, units in self.instance.resources.items():
            yield from lanes_of(name, units, self.jobs(name))
        for name, most in self.instance.memories.items():
            if most:
                yield from lanes_of(name, most, self.kept(name, most), keeps=True)


def of_makespan(prover: TaskProver) -> Iterator[TaskBound]:
    """Yield what the last end is not before: the longest way, and what shares units."""
    ways = prover.ways
    certain = [name for name, task in ways.tasks.items() if task.group is None]
    certain += [min(names, key=ways.through) for names in ways.groups.values()]
    longest = max(certain, key=ways.through)
    path = ways.path(longest)
    yield TaskBound(
        ways.through(longest),
        f"{_said(path)} {_verb(path, 'end')} no earlier, with all that they wait for",
        tuple(path),
    )
    for lanes in prover.lanes():
        found = busiest_subset(lanes)
        names = tuple(job.name for job in found.jobs)
        idle = [f"{amount(found.heads, 's')} before"] if found.heads else []
        idle += [f"{amount(found.tails, 's')} behind"] if found.tails else []
        text = f"{lanes.why}, of which {_said(names)} {_verb(names, 'take')} {amount(found.work, 's')}"
        text += f", idle for {' and '.join(idle)}" if idle else ""
        text += f", divided by {lanes.units:,}" if lanes.units > 1 else ""
        yield TaskBound(found.seconds, text, names)


def of_completion_times(prover: TaskProver) -> Iterator[TaskBound]:
    """Yield what weighted ends are not below: each by itself, and those that share units together."""
    ways = prover.ways

    def alone(name: str) -> Fraction:
        task = ways.tasks[name]
        return task.weight * (ways.head(name) + task.seconds)

    by_name = {name: alone(name) for name, task in ways.tasks.items() if task.group is None}
    by_name |= {f"one of {group}": min(map(alone, names)) for group, names in ways.groups.items()}
    every = sum(by_name.values(), start=Fraction(0))
    yield TaskBound(every, "every task ends no earlier than with all that it waits for")
    for name, units in prover.instance.resources.items():
        for lanes in lanes_of(name, units, [job for job in prover.jobs(name) if job.weight]):
            names = tuple(job.name for job in lanes.jobs)
            others = every - sum((by_name[one] for one in names), start=Fraction(0))
            rest = f"; the others at least {amount(others)}" if others else ""
            text = f"{lanes.why}, given to {_said(names)} by weight for their work{rest}"
            yield TaskBound(shared_ends(lanes) + others, text, names)
            if lanes.units == 1:
                text = f"{lanes.why}, given to {_said(names)}, the shortest first, interrupted{rest}"
                yield TaskBound(shortest_ends(lanes.jobs) + others, text, names)


def of_period(prover: TaskProver) -> Iterator[TaskBound]:
    """Yield what a period is not shorter than: circles of waiting tasks, and what all units do in a period."""
    circle = longest_circle(prover.instance)
    if circle is not None:
        text = f"{_said(circle.tasks)} {_verb(circle.tasks, 'wait')} for each other around in"
        text += f" {amount(circle.seconds, 's')} and {counted(circle.distance, 'period')}"
        yield TaskBound(circle.period, text, circle.tasks)
    for lanes in prover.lanes():
        names = tuple(job.name for job in lanes.jobs)
        text = f"{lanes.why}, of which {_said(names)} {_verb(names, 'take')} {amount(lanes.work, 's')}"
        text += f", divided by {lanes.units:,}" if lanes.units > 1 else ""
        yield TaskBound(lanes.work / lanes.units, text, names)
    yield TaskBound(Fraction(0), "no period is shorter than 0 s")


def _said(names: Sequence[str]) -> str:
    return listed(names)


def _verb(names: Sequence[str], verb: str) -> str:
    return verb if len(set(names)) > 1 else f"{verb}s"


BOUNDS: Final[Mapping[str, Callable[[TaskProver], Iterator[TaskBound]]]] = {
    "makespan": of_makespan,
    "completion-times": of_completion_times,
    "period": of_period,
}
"""By what is to be least."""
