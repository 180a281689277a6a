"""What fields of a task graph's file say that do not fit each other."""

from __future__ import annotations

from collections import Counter
from graphlib import CycleError, TopologicalSorter
from math import lcm
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.instance.tasks.words import PERIOD
from hypar_opt.instance.text import FieldPath, cut, shown
from hypar_opt.util.errors import nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.instance.tasks.schema import TaskGraphSpec, TaskSpec

Misfit: TypeAlias = tuple[FieldPath, str]
"""Where, and what is wrong."""
MOST_NAMED: Final = 8
"""Tasks of a circle that are named."""
MOST_DIGITS: Final = 200
"""Of the unit of all times: begins, of more seconds than that, are read back from plans."""


def misfit(spec: TaskGraphSpec) -> Misfit | None:
    """Return the first thing that does not fit, or None."""
    return next(_misfits(spec), None)


def _misfits(spec: TaskGraphSpec) -> Iterator[Misfit]:
    places = {one.name: place for place, one in reversed(list(enumerate(spec.tasks)))}
    sizes = Counter(one.group for one in spec.tasks)
    for place, task in enumerate(spec.tasks):
        at = ("tasks", place)
        if places[task.name] != place:
            yield (*at, "name"), f"the name {shown(task.name)} is there twice"
        if task.name == PERIOD:
            yield (*at, "name"), f"no task may be called {shown(PERIOD)}: plans say by that name how long a period is"
        if task.group is not None and sizes[task.group] == 1:
            said = f"the group {shown(task.group)} has no other task, and of all tasks of a group exactly one is done"
            yield (*at, "group"), f"{said}; leave it out where the task is always done"
        yield from _of_resources(task, spec.resources, at)
        yield from _of_memories(task, spec.memories, places, at)
        yield from _of_after(task, spec, places, at)
    yield from _of_circles(spec.tasks, places)
    yield from _of_digits(spec.tasks)
    if spec.objective == "completion-times" and not any(one.weight for one in spec.tasks):
        said = "expected the weight of one task at least to be above 0 with the objective completion-times"
        yield ("tasks",), f"{said}, got none: any schedule would be best"
    if spec.objective == PERIOD and not any(one.seconds for one in spec.tasks):
        yield ("tasks",), "expected a task that takes time, got none: any period would do"


def _of_resources(task: TaskSpec, resources: Mapping[str, int], at: FieldPath) -> Iterator[Misfit]:
    for name, units in task.on.items():
        if name not in resources:
            yield (*at, "on"), _unknown("resource", name, resources)
        elif units > resources[name]:
            said = f"expected at most {resources[name]:,} of {shown(name)}, which has no more units, got {units:,}"
            yield (*at, "on"), f"{said}; resources: {{{cut(name)}: {units}}} has enough"


def _of_memories(
    task: TaskSpec, memories: Mapping[str, int | None], places: Mapping[str, int], at: FieldPath
) -> Iterator[Misfit]:
    for number, keep in enumerate(task.keeps):
        where = (*at, "keeps", number)
        if keep.memory not in memories:
            yield (*where, "memory"), _unknown("memory", keep.memory, memories)
        if keep.until is not None and keep.until not in places:
            yield (*where, "until"), _unknown("task", keep.until, places)


def _of_after(task: TaskSpec, spec: TaskGraphSpec, places: Mapping[str, int], at: FieldPath) -> Iterator[Misfit]:
    for number, one in enumerate(task.after):
        where = (*at, "after", number)
        if one.task not in places:
            yield where, _unknown("task", one.task, places)
            continue
        if one.distance and spec.objective != PERIOD:
            said = "only tasks that are repeated have periods before; expected no distance, or `objective: period`"
            yield (*where, "distance"), said
        other = spec.tasks[places[one.task]]
        if task.group is not None and task.group == other.group and other.name != task.name:
            yield where, f"waits for {shown(one.task)} of its own group {shown(task.group)}, of which only one is done"


def _of_circles(tasks: Sequence[TaskSpec], places: Mapping[str, int]) -> Iterator[Misfit]:
    """Yield a circle of tasks that wait for each other within one period."""
    try:
        TopologicalSorter({one.name: [two.task for two in one.after if not two.distance] for one in tasks}).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        named = [*circle[:MOST_NAMED], "...", circle[-1]] if len(circle) > MOST_NAMED + 1 else circle
        said = "tasks wait for each other in a circle, each of which the next waits for: "
        yield (
            ("tasks", places[circle[-1]], "after"),
            said + ", ".join(one if one == "..." else shown(one) for one in named),
        )


def _of_digits(tasks: Sequence[TaskSpec]) -> Iterator[Misfit]:
    """Yield the first task whose times make the unit of all, one over their least common denominator, too small."""
    unit = 1
    for place, task in enumerate(tasks):
        unit = lcm(unit, *(one.denominator for one in (task.seconds, task.release, *(wait.lag for wait in task.after))))
        if unit >= 10**MOST_DIGITS:
            said = f"all times up to here have a least common denominator of more than {MOST_DIGITS} digits"
            yield ("tasks", place), f"{said}, in which no plan says begins; round them, to microseconds for instance"
            return


def _unknown(what: str, name: str, known: Collection[str]) -> str:
    hint = nearest(name, known)
    there = f"; there are {', '.join(map(cut, known))}" if 0 < len(known) <= MOST_NAMED and not hint else ""
    return f"no {what} is called {shown(name)}{hint or there}"
