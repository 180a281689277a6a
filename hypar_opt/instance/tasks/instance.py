"""A task graph as read: tasks, resources, memories, and what is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.data import sha256_of_fields
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.instance.tasks.schema import Goal, TaskGraphSpec, TaskSpec


@dataclass(frozen=True)
class Dependence:
    """A task that another waits for.

    Parameters
    ----------
    task
        Its name.
    lag
        Seconds from its end to the begin of the one that waits, at least.
    distance
        How many periods before it is that task's; 0 in the same.
    """

    task: str
    lag: Fraction = Fraction(0)
    distance: int = 0


@dataclass(frozen=True)
class Keep:
    """What a task has in a memory from its begin on.

    Parameters
    ----------
    memory
        Its name.
    amount
        How much, in whatever that memory counts.
    until
        The task at whose end it is given up, if that is done and ends later than its own end; None for that.
    """

    memory: str
    amount: int
    until: str | None = None


@dataclass(frozen=True)
class TimedTask:
    """What is done as a whole, from its begin on without a pause.

    Parameters
    ----------
    name
        Unique.
    seconds
        How long it takes; a task of 0 seconds occupies no unit, and what it keeps to its own end is nothing.
    takes
        Resources, each with the units that it takes of it, as its file says them.
    after
        What it waits for; of tasks that are not done, nothing.
    release
        The second before which it does not begin.
    weight
        Of its end in the weighted sum of completion times.
    group
        Of all tasks of one group exactly one is done; a task of none is always done.
    keeps
        What it has in memories.
    """

    name: str
    seconds: Fraction
    takes: tuple[tuple[str, int], ...] = ()
    after: tuple[Dependence, ...] = ()
    release: Fraction = Fraction(0)
    weight: Fraction = Fraction(0)
    group: str | None = None
    keeps: tuple[Keep, ...] = ()


@dataclass(frozen=True, repr=False)
class TaskGraphInstance:
    """A valid task graph.

    Parameters
    ----------
    name, sha256, overrides, source
        What it is called, its digest, what was given to replace fields, and its file.
    tasks
        As its file lists them.
    resources
        By name, how many equal units there are.
    memories
        By name, how much there may be in it at any time; None where that is not limited.
    goal
        What is to be least: makespan, completion-times or period.
    """

    name: str
    sha256: str
    tasks: tuple[TimedTask, ...]
    resources: Mapping[str, int]
    memories: Mapping[str, int | None]
    goal: Goal = "makespan"
    source: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"TaskGraphInstance({cut(self.name)!r}, {len(self.tasks):,} tasks, {len(self.resources):,} resources)"

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each task in the file, by its name."""
        return MappingProxyType({one.name: place for place, one in enumerate(self.tasks)})

    @cached_property
    def groups(self) -> Mapping[str, tuple[int, ...]]:
        """By name, the places of the tasks of a group."""
        found: dict[str, list[int]] = {}
        for place, one in enumerate(self.tasks):
            if one.group is not None:
                found.setdefault(one.group, []).append(place)
        return MappingProxyType({name: tuple(places) for name, places in found.items()})

    @property
    def is_periodic(self) -> bool:
        """Whether every task is repeated."""
        return self.goal == "period"

    @property
    def objective(self) -> ObjectiveFunction:
        """Time, whatever it is the time of."""
        return ObjectiveFunction("sum", {TIME: Fraction(1)})

    @property
    def bounds(self) -> Mapping[str, Fraction]:
        """Nothing: what a schedule may take at most is not said."""
        return MappingProxyType({})

    @property
    def fix(self) -> Mapping[str, str]:
        """Nothing: no begin is given."""
        return MappingProxyType({})

    @classmethod
    def from_spec(cls, spec: TaskGraphSpec, sha256: str, source: Path | None = None) -> TaskGraphInstance:
        """Return the task graph that a checked file says."""
        return cls(
            spec.name,
            sha256,
            tuple(map(_task, spec.tasks)),
            MappingProxyType(dict(spec.resources)),
            MappingProxyType(dict(spec.memories)),
            spec.objective,
            source,
        )


def read_task_graph(
    data: Mapping[str, Any], error: Callable[..., InputError] | None = None, source: Path | None = None
) -> TaskGraphInstance:
    """Return the task graph that fields of a file say.

    Parameters
    ----------
    data
        As in a file; numbers are integers, decimals, or fractions as text.
    error
        From a message and a field's path to the error that says where it is; without it the field alone is named.
    source
        The file.

    Raises
    ------
    InputError
        If something is wrong; names the field.
    """
    from hypar_opt.instance.faults import field_error, fitting
    from hypar_opt.instance.tasks.faults import misfit
    from hypar_opt.instance.tasks.schema import TaskGraphSpec

    spec = fitting(TaskGraphSpec, data, misfit, error or field_error)
    return TaskGraphInstance.from_spec(spec, sha256_of_fields(spec), source)


def _task(spec: TaskSpec) -> TimedTask:
    return TimedTask(
        spec.name,
        spec.seconds,
        tuple(spec.on.items()),
        tuple(Dependence(one.task, one.lag, one.distance) for one in spec.after),
        spec.release,
        spec.weight,
        spec.group,
        tuple(Keep(one.memory, one.amount, None if one.until == spec.name else one.until) for one in spec.keeps),
    )
