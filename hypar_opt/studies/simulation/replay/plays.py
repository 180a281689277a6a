"""What is replayed: every task that is done, in every period, on a clock on which all its times are whole.

What is not done is left out, and so is what others wait for of it. What is repeated waits for what was done periods
before, and in the first ones for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.instance.tasks import TaskGraphInstance, TaskSchedule, TimedTask

MOST: Final = 1_000_000
"""Tasks that are replayed, each counted once a period; each takes a kilobyte or two."""
MORE_PERIODS: Final = 2
"""Of a repeated graph, how many are replayed besides those that go on at once, or are waited for."""


@dataclass(frozen=True, slots=True)
class Play:
    """A task that is done once.

    Parameters
    ----------
    task
        Its place in the file.
    period
        In which it is done, from 0.
    begin
        When it begins by the schedule, in ticks.
    ticks
        How long it takes.
    release
        Before which it does not begin.
    waits
        Positions of plays that have to have ended, each with how long before.
    takes
        Positions of what it takes while it is done, with units; nothing if that takes no time.
    keeps
        Positions of what it takes from its begin on, with amounts, and the play at whose end it is given up, if that
        is later than its own.
    """

    task: int
    period: int
    begin: int
    ticks: int
    release: int
    waits: tuple[tuple[int, int], ...]
    takes: tuple[tuple[int, int], ...]
    keeps: tuple[tuple[int, int, int | None], ...]


@dataclass(frozen=True, repr=False)
class Score:
    """A schedule as it is replayed.

    Parameters
    ----------
    instance, schedule
        What it is of.
    unit
        Ticks a second.
    periods
        How often everything is done.
    plays
        Period by period, each in the order of the file.
    rooms
        Of each resource, then of each memory that has a limit, how much there is.
    """

    instance: TaskGraphInstance
    schedule: TaskSchedule
    unit: int
    periods: int
    plays: tuple[Play, ...]
    rooms: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Score({self.instance.name!r}, {len(self.plays):,} plays)"

    def seconds(self, ticks: int) -> Fraction:
        """Return a time in seconds."""
        return Fraction(ticks, self.unit)


def score_of(instance: TaskGraphInstance, schedule: TaskSchedule, periods: int | None = None) -> Score:
    """Return a schedule as it is replayed, whether or not it is a good one.

    Parameters
    ----------
    instance, schedule
        The schedule, and what it is of.
    periods
        How often everything is done where it is repeated; None for as many as go on at once
        or are waited for, and two more.

    Raises
    ------
    Refusal
        If there is too much to be done.
    """
    done = [place for place, task in enumerate(instance.tasks) if schedule.begins[task.name] is not None]
    count = _periods(instance, schedule, periods)
    if len(done) * count > MOST:
        said = f"{len(done):,} tasks in {count:,} periods" if count > 1 else f"{len(done):,} tasks"
        raise Refusal(f"there are {said}, and at most {MOST:,} are replayed")
    unit = lcm(1, *{time.denominator for time in _times(instance, schedule)})
    limited = [name for name, room in instance.memories.items() if room is not None]
    position = {("resource", name): number for number, name in enumerate(instance.resources)}
    position |= {("memory", name): len(position) + number for number, name in enumerate(limited)}
    writer = _Writer(instance, schedule, unit, {place: number for number, place in enumerate(done)}, position)
    plays = tuple(writer.play(place, period) for period in range(count) for place in done)
    rooms = (*instance.resources.values(), *(instance.memories[name] or 0 for name in limited))
    return Score(instance, schedule, unit, count, plays, rooms)


def _periods(instance: TaskGraphInstance, schedule: TaskSchedule, periods: int | None) -> int:
    if schedule.period is None:
        return 1
    if periods is not None:
        return periods
    ends = (begin + one.seconds for one in instance.tasks if (begin := schedule.begins[one.name]) is not None)
    farthest = max((wait.distance for one in instance.tasks for wait in one.after), default=0)
    return int(max(ends, default=Fraction(0)) // schedule.period) + 1 + farthest + MORE_PERIODS


def _times(instance: TaskGraphInstance, schedule: TaskSchedule) -> Iterable[Fraction]:
    yield schedule.period or Fraction(0)
    for task in instance.tasks:
        begin = schedule.begins[task.name]
        if begin is not None:
            yield from (begin, task.seconds, task.release, *(one.lag for one in task.after))


@dataclass(frozen=True)
class _Writer:
    """Makes plays.

    Parameters
    ----------
    instance, schedule, unit
        See `Score`.
    numbers
        By place of a task that is done, its position among those of a period.
    position
        By kind and name, where a resource or a limited memory stands.
    """

    instance: TaskGraphInstance
    schedule: TaskSchedule
    unit: int
    numbers: Mapping[int, int]
    position: Mapping[tuple[str, str], int]

    def play(self, place: int, period: int) -> Play:
        task, shift = self.instance.tasks[place], period * self._ticks(self.schedule.period or Fraction(0))
        begin = self.schedule.begins[task.name]
        assert begin is not None  # it is done
        return Play(
            place,
            period,
            self._ticks(begin) + shift,
            self._ticks(task.seconds),
            self._ticks(task.release) + shift,
            tuple(self._waits(task, period)),
            tuple((self.position["resource", name], units) for name, units in task.takes) if task.seconds else (),
            tuple(self._keeps(task, period)),
        )

    def _waits(self, task: TimedTask, period: int) -> Iterable[tuple[int, int]]:
        for one in task.after:
            other = self._number(one.task, period - one.distance)
            if other is not None:
                yield other, self._ticks(one.lag)

    def _keeps(self, task: TimedTask, period: int) -> Iterable[tuple[int, int, int | None]]:
        for one in task.keeps:
            place, until = self.position.get(("memory", one.memory)), None
            if one.until is not None:
                until = self._number(one.until, period)
            if place is not None and (until is not None or task.seconds):
                yield place, one.amount, until

    def _number(self, name: str, period: int) -> int | None:
        """Return the position of a play; None of one that is not done, or was before everything."""
        number = self.numbers.get(self.instance.places[name])
        return None if number is None or period < 0 else period * len(self.numbers) + number

    def _ticks(self, seconds: Fraction) -> int:
        return seconds.numerator * (self.unit // seconds.denominator)
