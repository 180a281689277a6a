"""What a schedule of a task graph comes to, recomputed from its begins alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.tasks.profiles import Profile, TaskUse, peak_of, profile_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.tasks import TaskGraphInstance, TaskSchedule, TimedTask


@dataclass(frozen=True)
class CountedTasks:
    """A schedule, recomputed.

    A task has its units from its begin on, and at its end no more: what begins when another ends may have the same.
    A task of 0 seconds therefore has nothing at any moment, and may be done while others have all units; it waits for
    others as each task does, and others wait for it.

    Parameters
    ----------
    instance
        The tasks.
    schedule
        When each begins.
    """

    instance: TaskGraphInstance
    schedule: TaskSchedule

    @cached_property
    def begins(self) -> Mapping[str, Fraction]:
        """By task that is done, when it begins, in the file's order."""
        given = self.schedule.begins
        found = {task.name: given.get(task.name) for task in self.instance.tasks}
        return {name: begin for name, begin in found.items() if begin is not None}

    @cached_property
    def done(self) -> tuple[TimedTask, ...]:
        """The tasks that are done, in the file's order."""
        return tuple(task for task in self.instance.tasks if task.name in self.begins)

    @cached_property
    def ends(self) -> Mapping[str, Fraction]:
        """By task that is done, when it ends."""
        return {task.name: self.begins[task.name] + task.seconds for task in self.done}

    @property
    def repeats(self) -> Fraction | None:
        """Seconds after which all is repeated; None where nothing is."""
        return self.schedule.period if self.instance.goal == "period" else None

    @cached_property
    def uses(self) -> Mapping[str, tuple[TaskUse, ...]]:
        """By resource, which tasks have units of it, in the file's order."""
        found: dict[str, list[TaskUse]] = {name: [] for name in self.instance.resources}
        for task in self.done:
            for name, units in task.takes:
                use = TaskUse(task.name, self.begins[task.name], self.ends[task.name], Fraction(units))
                found.setdefault(name, []).append(use)
        return {name: tuple(uses) for name, uses in found.items()}

    @cached_property
    def holdings(self) -> Mapping[str, tuple[TaskUse, ...]]:
        """By memory, what tasks keep in it: to the end of another task that is done, and to their own at least."""
        found: dict[str, list[TaskUse]] = {name: [] for name in self.instance.memories}
        for task in self.done:
            for one in task.keeps:
                end = self.ends[task.name]
                until = end if one.until is None else self.ends.get(one.until, end)
                use = TaskUse(task.name, self.begins[task.name], max(end, until), Fraction(one.amount))
                found.setdefault(one.memory, []).append(use)
        return {name: tuple(uses) for name, uses in found.items()}

    def taken(self, resource: str) -> Profile:
        """Return how many units of a resource are taken when."""
        return self._taken[resource]

    def kept(self, memory: str) -> Profile:
        """Return how much is kept in a memory when."""
        return self._kept[memory]

    @cached_property
    def _taken(self) -> Mapping[str, Profile]:
        return {name: profile_of(uses, self.repeats) for name, uses in self.uses.items()}

    @cached_property
    def _kept(self) -> Mapping[str, Profile]:
        return {name: profile_of(uses, self.repeats) for name, uses in self.holdings.items()}

    def peak(self, memory: str) -> Fraction:
        """Return the most that is kept in a memory."""
        return peak_of(self.kept(memory))[1]

    def work(self, resource: str) -> Fraction:
        """Return the seconds of all units of a resource that are taken."""
        return sum((use.work for use in self.uses[resource]), start=Fraction(0))

    def busy(self, resource: str) -> Fraction:
        """Return the share of all units' time that is taken, up to the last end or within a period."""
        whole = self.instance.resources[resource] * (self.repeats or self.makespan)
        return self.work(resource) / whole if whole else Fraction(0)

    @cached_property
    def makespan(self) -> Fraction:
        """When the last task ends, in seconds from 0; of repeated tasks, that of those that are done first."""
        return max(self.ends.values(), default=Fraction(0))

    @cached_property
    def completion_times(self) -> Fraction:
        """The sum of all ends, each times its task's weight."""
        return sum((task.weight * self.ends[task.name] for task in self.done), start=Fraction(0))

    @property
    def period(self) -> Fraction | None:
        """Seconds after which all is repeated; None where nothing is."""
        return self.repeats

    @property
    def objective(self) -> Fraction:
        """What is to be least, in seconds; of completion times, in seconds times weights."""
        if self.instance.goal == "period":
            assert self.repeats is not None  # a fault where there is none
            return self.repeats
        return self.makespan if self.instance.goal == "makespan" else self.completion_times
