"""Tasks in time: the one form of a task graph that formulations of its schedules read.

All numbers are integers: times in units of 1 / unit seconds, weights in units of 1 / weight_unit. Choices are the begin
of every task, in order, or `NOT_DONE`; of what is repeated the period follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOT_DONE: Final = -1
"""Stands for the begin of a task of a group whose other is done."""
TaskGoal: TypeAlias = Literal["makespan", "completion-times", "period"]


class TaskNode(NamedTuple):
    """What is done as a whole.

    Parameters
    ----------
    duration, release, weight
        How long it takes, when it begins at the earliest, and by how much its end counts.
    takes
        Numbers of resources, each with the units that it takes of it.
    group
        The number of the group of which exactly one is done; None of a task that is always done.
    """

    duration: int
    takes: tuple[tuple[int, int], ...] = ()
    release: int = 0
    weight: int = 0
    group: int | None = None


class Precedence(NamedTuple):
    """Task `second` begins no earlier than `lag` after the end of `first`, `distance` periods before."""

    first: int
    second: int
    lag: int = 0
    distance: int = 0


class KeptAmount(NamedTuple):
    """From the begin of task `first` to its end and that of `last`, whichever is later, an amount is in a memory."""

    memory: int
    amount: int
    first: int
    last: int


@dataclass(frozen=True)
class TimedGraph:
    """Tasks, each to be given a begin.

    Parameters
    ----------
    tasks
        In the order of the file.
    waits
        What begins after what.
    kept
        What is in memories meanwhile.
    units
        By resource, how many units there are.
    limits
        By memory, how much there may be at any time; None where any amount may.
    goal
        What is to be least.
    unit, weight_unit
        Times are in units of 1 / unit seconds, weights in 1 / weight_unit.
    """

    tasks: tuple[TaskNode, ...]
    waits: tuple[Precedence, ...] = ()
    kept: tuple[KeptAmount, ...] = ()
    units: tuple[int, ...] = ()
    limits: tuple[int | None, ...] = ()
    goal: TaskGoal = "makespan"
    unit: int = 1
    weight_unit: int = 1

    @property
    def cost_unit(self) -> int:
        """Values are in units of 1 / cost_unit of the objective."""
        return self.unit * self.weight_unit if self.goal == "completion-times" else self.unit

    @property
    def unit_text(self) -> str:
        """The unit of times, in words."""
        return "1 s" if self.unit == 1 else f"1/{self.unit} s"

    @property
    def is_periodic(self) -> bool:
        """Whether everything is repeated, so that the last of the choices is the period."""
        return self.goal == "period"

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """By group, its tasks."""
        found: dict[int, list[int]] = {}
        for place, one in enumerate(self.tasks):
            if one.group is not None:
                found.setdefault(one.group, []).append(place)
        return tuple(tuple(found[group]) for group in sorted(found))

    @cached_property
    def before(self) -> tuple[tuple[Precedence, ...], ...]:
        """By task, what it waits for in its own period."""
        found: list[list[Precedence]] = [[] for _ in self.tasks]
        for one in self.waits:
            if not one.distance:
                found[one.second].append(one)
        return tuple(map(tuple, found))

    @cached_property
    def behind(self) -> tuple[tuple[Precedence, ...], ...]:
        """By task, what waits for it in its own period."""
        found: list[list[Precedence]] = [[] for _ in self.tasks]
        for one in self.waits:
            if not one.distance:
                found[one.first].append(one)
        return tuple(map(tuple, found))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The tasks, each behind all that it waits for in its own period."""
        from graphlib import TopologicalSorter

        waits: Mapping[int, list[int]] = {
            place: [one.first for one in before] for place, before in enumerate(self.before)
        }
        return tuple(TopologicalSorter(waits).static_order())

    @cached_property
    def horizon(self) -> int:
        """When the last of a best schedule has ended at the latest.

        In one of them every task begins at its release, or at the end of another and its lag: moved up as far as they
        go, tasks are in each other's way no more than before.
        """
        lags = [max((one.lag for one in before), default=0) for before in self.before]
        return max(one.release for one in self.tasks) + sum(one.duration for one in self.tasks) + sum(lags)

    def users(self, resource: int) -> Iterator[tuple[int, int]]:
        """Yield the tasks that occupy units of a resource, each with how many."""
        for place, one in enumerate(self.tasks):
            units = dict(one.takes).get(resource, 0)
            if units and one.duration:
                yield place, units
