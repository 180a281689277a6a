"""What can be wrong with a schedule of tasks: one function a rule, each of which looks at nothing but its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.instance.text import shown
from hypar_opt.util.numbers import amount, in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.tasks.counted import CountedTasks
    from hypar_opt.evaluation.tasks.profiles import Profile, TaskUse

FaultKind: TypeAlias = Literal["period", "unknown", "not-done", "group", "release", "precedence", "resource", "memory"]
"""A period that is none, a task that there is not, one that is missing, not exactly one of a group, a begin before the
release or before what it waits for is there, more units than there are, and more in a memory than it holds."""
MOST_NAMES: Final = 4
"""Tasks that are named where more of them have something."""


@dataclass(frozen=True)
class TaskFault:
    """What is wrong.

    Parameters
    ----------
    kind
        In short.
    text
        Which task, when, and by how much.
    task
        The task; of several that have too much together, the one that began last.
    moment
        When, in seconds; None where something is not done.
    over
        By how much: seconds too early, units or an amount too many.
    """

    kind: FaultKind
    text: str
    task: str | None = None
    moment: Fraction | None = None
    over: Fraction | None = None

    def __str__(self) -> str:
        return self.text


def period_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield whether there is a period where there has to be one: of more than 0 seconds."""
    period = judged.schedule.period
    if judged.instance.goal != "period":
        if period is not None:
            yield TaskFault("period", f"nothing is repeated, and the period is {amount(period, 's')}: expected none")
    elif period is None:
        yield TaskFault("period", "every task is repeated, and there is no period")
    elif period <= 0:
        over = -period
        yield TaskFault("period", f"the period is {amount(period, 's')}, expected more than 0 s", over=over)


def choice_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield which tasks are unknown or not done: all are that are in no group, and of each group exactly one."""
    known = {task.name for task in judged.instance.tasks}
    for name in judged.schedule.begins:
        if name not in known:
            yield TaskFault("unknown", f"there is no task {shown(name)}", name)
    groups: dict[str, list[str]] = {}
    for task in judged.instance.tasks:
        if task.group is not None:
            groups.setdefault(task.group, []).append(task.name)
        elif task.name not in judged.begins:
            yield TaskFault("not-done", f"{task.name} is not done, and it is in no group", task.name)
    for group, names in groups.items():
        done = [name for name in names if name in judged.begins]
        if len(done) != 1:
            said = f"{listed(done)} are done" if done else f"none of {listed(names)} is done"
            yield TaskFault("group", f"group {shown(group)}: {said}, expected exactly one", (done or names)[-1])


def release_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield which tasks begin before their release, or before 0."""
    for task in judged.instance.tasks:
        begin, least = judged.begins.get(task.name), max(task.release, Fraction(0))
        if begin is not None and begin < least:
            text = f"{task.name} begins at {amount(begin, 's')}, {amount(least - begin, 's')} before its release"
            yield TaskFault("release", f"{text} at {amount(least, 's')}", task.name, begin, least - begin)


def precedence_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield which tasks begin before another that they wait for has ended, and its lag is over.

    What is waited for of `distance` periods before ended so many periods earlier. Who waits for a task that is not done
    waits for nothing.
    """
    period = judged.schedule.period or Fraction(0)
    for task in judged.instance.tasks:
        begin = judged.begins.get(task.name)
        for one in task.after if begin is not None else ():
            end = judged.ends.get(one.task)
            if end is None:
                continue
            ready = end + one.lag - one.distance * period
            if begin is not None and begin < ready:
                text = f"{task.name} begins at {amount(begin, 's')}, {amount(ready - begin, 's')} too early: "
                text += f"{one.task} ends at {amount(end, 's')}"
                text += f", and then a lag of {amount(one.lag, 's')} follows" if one.lag else ""
                text += f" (of {one.distance:,} periods of {amount(period, 's')} before)" if one.distance else ""
                yield TaskFault("precedence", text, task.name, begin, ready - begin)


def resource_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield where more units of a resource are taken than there are."""
    for name, units in judged.instance.resources.items():
        yield from _too_much("resource", name, Fraction(units), judged.uses[name], judged.taken(name), judged.repeats)


def memory_faults(judged: CountedTasks) -> Iterator[TaskFault]:
    """Yield where more is kept in a memory than it holds."""
    for name, most in judged.instance.memories.items():
        if most is not None:
            kept = judged.holdings[name], judged.kept(name)
            yield from _too_much("memory", name, Fraction(most), *kept, judged.repeats)


_SAID: Final[Mapping[str, tuple[str, str]]] = {"resource": ("taken of", "there are"), "memory": ("kept in", "it holds")}


def _too_much(
    kind: FaultKind, name: str, most: Fraction, uses: Sequence[TaskUse], profile: Profile, period: Fraction | None
) -> Iterator[TaskFault]:
    """Yield the first moment at which there is more than there may be."""
    moment, there = next((one for one in profile if one[1] > most), (Fraction(0), most))
    if there <= most:
        return
    present = [use for use in uses if use.times_at(moment, period)]
    present.sort(
        key=lambda use: -_age(use, moment, period)
    )  # stable: of those that begin together as the file has them
    said, of_what = _SAID[kind]
    text = f"{in_full(there)} are {said} {shown(name)} at {amount(moment, 's')}"
    text += "" if period is None else f" of every period of {amount(period, 's')}"
    text += f", {in_full(there - most)} more than {of_what}: by {listed([use.task for use in present])}"
    yield TaskFault(kind, text, present[-1].task, moment, there - most)


def _age(use: TaskUse, moment: Fraction, period: Fraction | None) -> Fraction:
    """Return how long ago it began: of what is repeated, the last one."""
    return moment - use.begin if period is None else (moment - use.begin) % period


def listed(names: Sequence[str]) -> str:
    """Return names in a row: the last ones of many."""
    few = list(dict.fromkeys(names))
    if len(few) > MOST_NAMES:
        few = [f"{len(few) - MOST_NAMES:,} others", *few[-MOST_NAMES:]]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} and {few[-1]}"


RULES: Final[tuple[Callable[[CountedTasks], Iterator[TaskFault]], ...]] = (
    choice_faults,
    period_faults,
    release_faults,
    precedence_faults,
    resource_faults,
    memory_faults,
)
"""In the order in which they are asked; where a period is none, nothing that comes after it can be counted."""
