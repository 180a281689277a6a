"""The circle of waiting tasks that takes longest for the periods that it goes through."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.tasks import TaskGraphInstance


class CircleWait(NamedTuple):
    """That a task begins so long after another began, of some periods before.

    Parameters
    ----------
    first, second
        Places of tasks.
    seconds
        What the first takes, and the lag.
    distance
        Periods.
    """

    first: int
    second: int
    seconds: Fraction
    distance: int


@dataclass(frozen=True)
class Circle:
    """Tasks that wait for each other around, over periods.

    Parameters
    ----------
    tasks
        Their names, each of which the next waits for, from the one that the file has first.
    seconds
        What they take one after the other with their lags.
    distance
        How many periods later the first is waited for again.
    """

    tasks: tuple[str, ...]
    seconds: Fraction
    distance: int

    @property
    def period(self) -> Fraction:
        """Seconds between begins of a task, at least."""
        return self.seconds / self.distance


def longest_circle(instance: TaskGraphInstance) -> Circle | None:
    """Return the circle of tasks that are always done with the longest period; None where there is none.

    From a circle on to one that takes longer at the period of the last, until there is none (Howard's and Lawler's
    problem of the largest ratio; each step is found by Bellman and Ford's labels).
    """
    waits = _waits(instance)
    unit = lcm(1, *{wait.seconds.denominator for wait in waits})
    best: Circle | None = None
    while True:
        period = Fraction(0) if best is None else best.period * unit
        scaled = [int(wait.seconds * unit) * period.denominator - wait.distance * period.numerator for wait in waits]
        found = _positive_circle(waits, scaled, len(instance.tasks))
        if found is None:
            return best
        names = tuple(instance.tasks[wait.first].name for wait in found)
        seconds = sum((wait.seconds for wait in found), start=Fraction(0))
        best = Circle(names, seconds, sum(wait.distance for wait in found))


def _waits(instance: TaskGraphInstance) -> list[CircleWait]:
    places = {task.name: place for place, task in enumerate(instance.tasks) if task.group is None}
    return [
        CircleWait(
            places[one.task], places[task.name], instance.tasks[places[one.task]].seconds + one.lag, one.distance
        )
        for task in instance.tasks
        for one in task.after
        if task.name in places and one.task in places
    ]


def _positive_circle(waits: Sequence[CircleWait], lengths: Sequence[int], tasks: int) -> list[CircleWait] | None:
    """Return waits around a circle whose lengths add up to more than 0, or None."""
    label, last = [0] * tasks, [-1] * tasks
    changed = -1
    for _ in range(tasks):
        changed = -1
        for place, wait in enumerate(waits):
            if label[wait.first] + lengths[place] > label[wait.second]:
                label[wait.second] = label[wait.first] + lengths[place]
                last[wait.second] = place
                changed = wait.second
        if changed < 0:
            return None
    node = changed
    for _ in range(tasks):  # back far enough to be on the circle
        node = waits[last[node]].first
    found = [waits[last[node]]]
    while found[-1].first != node:
        found.append(waits[last[found[-1].first]])
    found.reverse()
    start = min(range(len(found)), key=lambda place: found[place].first)
    return found[start:] + found[:start]
