"""What each unit of each resource does when: rows of pictures and of traces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.tasks import TaskSchedule, units_of
from hypar_opt.instance.tasks.units import lanes_of

if TYPE_CHECKING:
    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.instance.tasks import TaskGraphInstance

MOST_PERIODS: Final = 8
"""That are shown side by side; of tasks over more of them what is first is cut off."""
NOWHERE: Final = "no resource"
"""What the rows of tasks are called that take none."""


@dataclass(frozen=True)
class UnitBar:
    """A task on a unit.

    Parameters
    ----------
    task
        Its name.
    begin, end
        Seconds.
    repeat
        How many periods after the first one; 0 where nothing is repeated.
    """

    task: str
    begin: Fraction
    end: Fraction
    repeat: int = 0


@dataclass(frozen=True)
class UnitRow:
    """A unit of a resource.

    Parameters
    ----------
    resource
        Its name.
    unit
        From 0.
    name
        Of both, with the unit's number from 1 where there are several.
    bars
        By begin.
    """

    resource: str
    unit: int
    name: str
    bars: tuple[UnitBar, ...]

    @property
    def busy(self) -> Fraction:
        """Seconds for which it is taken."""
        return sum((one.end - one.begin for one in self.bars), start=Fraction(0))


def window_of(judged: JudgedTasks) -> Fraction:
    """Return the seconds that are shown: up to the last end; of what is repeated whole periods, two at least."""
    if judged.repeats is None:
        return judged.makespan
    count = -(-judged.makespan // judged.repeats)
    return judged.repeats * max(2, min(count, MOST_PERIODS))


def unit_rows(judged: JudgedTasks) -> tuple[UnitRow, ...]:
    """Return a row a unit in the file's order, then rows of the tasks that take none.

    What is repeated is shown over the whole window, the tasks of periods before the first one with it.

    Parameters
    ----------
    judged
        A schedule without faults.
    """
    instance, schedule, repeats = _unrolled(judged)
    window = window_of(judged)
    bars = {
        name: UnitBar(judged.instance.tasks[place % len(judged.instance.tasks)].name, begin, end, repeat)
        for place, (name, begin, end, repeat) in enumerate(repeats)
        if begin is not None and end is not None
    }
    shown = {
        name: replace(bar, begin=max(bar.begin, Fraction(0)), end=min(bar.end, window))
        for name, bar in bars.items()
        if bar.end > 0 and bar.begin < window and bar.begin < bar.end
    }
    rows = []
    for resource, count in instance.resources.items():
        own: list[list[UnitBar]] = [[] for _ in range(count)]
        for name, units in units_of(instance, schedule, resource).items():
            for unit in units if name in shown else ():
                own[unit].append(shown[name])
        for unit, each in enumerate(own):
            name = resource if count == 1 else f"{resource} {unit + 1}"
            rows.append(UnitRow(resource, unit, name, tuple(sorted(each, key=lambda one: one.begin))))
    takers = {one.name for one in instance.tasks if one.takes}
    idle = [shown[one.name] for one in instance.tasks if one.name in shown and one.name not in takers]
    return (*rows, *_nowhere(idle))


def _unrolled(
    judged: JudgedTasks,
) -> tuple[TaskGraphInstance, TaskSchedule, list[tuple[str, Fraction | None, Fraction | None, int]]]:
    """Return the tasks of all periods that are seen as tasks of their own, which are done once."""
    period, window = judged.repeats, window_of(judged)
    numbers = range(1) if period is None else range(-int(judged.makespan // period) - 1, int(window // period))
    tasks, begins, repeats = [], {}, []
    for number in numbers:
        shift = number * (period or Fraction(0))
        for task in judged.instance.tasks:
            name = f"{task.name}@{number}" if number else task.name
            begin = judged.begins.get(task.name)
            tasks.append(replace(task, name=name))
            begins[name] = None if begin is None else begin + shift
            repeats.append((name, begins[name], None if begin is None else begin + shift + task.seconds, number))
    return replace(judged.instance, tasks=tuple(tasks)), TaskSchedule(begins), repeats


def _nowhere(bars: list[UnitBar]) -> list[UnitRow]:
    """Return as few rows as there can be for tasks that take nothing."""
    bars = sorted(bars, key=lambda one: one.begin)
    lanes = [[bars[place] for place in own] for own in lanes_of([(one.begin, one.end, 1) for one in bars])]
    several = len(lanes) > 1
    return [
        UnitRow("", lane, f"{NOWHERE} {lane + 1}" if several else NOWHERE, tuple(each))
        for lane, each in enumerate(lanes)
    ]
