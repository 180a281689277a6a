"""What tasks on one resource take at least, for they cannot all be done at once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappush, heappushpop
from math import lcm
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_SORTED: Final = 64
"""Units up to which the begin and the end of each are looked at by itself."""
MOST_STEPS: Final = 2**18
"""Tasks that are looked at, in all sets of them; of more tasks fewer sets are."""


N = TypeVar("N", int, Fraction)


class LaneTask(NamedTuple):
    """A task on some resource.

    Parameters
    ----------
    name
        The task's.
    head, seconds, tail
        What is before it at least, it takes, and is behind it at least.
    units
        That it takes, from 1.
    weight
        Of its end.
    """

    name: str
    head: Fraction
    seconds: Fraction
    tail: Fraction
    units: int
    weight: Fraction = Fraction(0)


@dataclass(frozen=True)
class Lanes:
    """Tasks of which not more can be done at once than there are units for.

    Parameters
    ----------
    units
        How many there are, from 1.
    jobs
        The tasks; all take time.
    why
        Why there are no more units, in a phrase.
    """

    units: int
    jobs: tuple[LaneTask, ...]
    why: str

    @property
    def work(self) -> Fraction:
        """Seconds of all units."""
        return sum((job.seconds * job.units for job in self.jobs), start=Fraction(0))


def lanes_of(name: str, units: int, jobs: Sequence[LaneTask], *, keeps: bool = False) -> Iterator[Lanes]:
    """Yield what stands in each other's way on a resource, or in a memory if something is kept.

    Of tasks each of which takes more than 1 / (n + 1) of all units at most n can be done at once, however many units
    are left over.
    """
    timed = tuple(job for job in jobs if job.seconds)
    if timed:
        yield Lanes(units, timed, f"{name} holds {units:,}" if keeps else f"{name} has {counted(units, 'unit')}")
    for most in sorted({units // job.units for job in timed if job.units > 1}):
        large = tuple(job._replace(units=1) for job in timed if job.units * (most + 1) > units)
        what = "be kept in" if keeps else "have units of"
        yield Lanes(most, large, f"at most {most:,} can {what} {name} at once")


class Subset(NamedTuple):
    """Tasks, and what they take.

    Parameters
    ----------
    seconds
        To the end of all, at least.
    jobs
        Which they are.
    heads, work, tails
        Seconds of all units that are idle before them, that they take, and that are idle behind them; `seconds` is
        their sum by the units.
    """

    seconds: Fraction
    jobs: tuple[LaneTask, ...]
    heads: Fraction
    work: Fraction
    tails: Fraction


def busiest_subset(lanes: Lanes) -> Subset:
    """Return the tasks that take longest of those whose heads and tails are not below some number.

    Before any of them is begun on a unit, that is idle as long as the head of the first one there says, and after the
    last one as its tail says; units are alike, so that each has one of them if there are so many. So `units` times the
    seconds are at least the smallest heads of as many tasks as there are units, their work, and as many smallest tails
    (Carlier, Annals of Operations Research, 1987). On one unit the largest is what Jackson's preemptive schedule takes
    (Carlier, EJOR, 1982).
    """
    unit = lcm(*{part.denominator for job in lanes.jobs for part in (job.head, job.seconds, job.tail)})
    jobs = [
        (int(job.head * unit), int(job.seconds * unit) * job.units, int(job.tail * unit), job.units)
        for job in lanes.jobs
    ]
    jobs.sort(key=lambda one: -one[0])
    limits = sorted({job[2] for job in jobs})
    most = max(1, MOST_STEPS // (len(jobs) * min(lanes.units, MOST_SORTED)))
    if len(limits) > most:  # evenly, with the least one
        limits = limits[:: -(-len(limits) // most)]
    value, least_head, least_tail = max(_of_tails(jobs, lanes.units, limit) for limit in limits)
    chosen = tuple(job for job in lanes.jobs if job.head * unit >= least_head and job.tail * unit >= least_tail)
    work = sum((job.seconds * job.units for job in chosen), start=Fraction(0))
    heads = _smallest([(job.head, job.units) for job in chosen], lanes.units)
    tails = _smallest([(job.tail, job.units) for job in chosen], lanes.units)
    assert heads + work + tails == Fraction(value, unit)
    return Subset(Fraction(value, unit * lanes.units), chosen, heads, work, tails)


def _of_tails(jobs: Sequence[tuple[int, int, int, int]], units: int, limit: int) -> tuple[int, int, int]:
    """Return the most seconds of all units that tasks with tails of some length take, with their least head.

    Parameters
    ----------
    jobs
        Heads, work, tails and units, the largest heads first.
    """
    heads: deque[tuple[int, int]] = deque()  # the last are the smallest
    tails: list[int] = []  # the smallest, negative; of many units only the smallest of all
    jobs = [job for job in jobs if job[2] >= limit]
    copies, work, best = 0, 0, (-1, 0, limit)
    for place, (head, own, tail, count) in enumerate(jobs):
        copies, work = copies + count, work + own
        heads.append((head, count))
        if len(heads) > min(units, MOST_SORTED):
            heads.popleft()
        for _ in range(min(count, units) if units <= MOST_SORTED else 1):
            if len(tails) < min(units, MOST_SORTED):
                heappush(tails, -tail)
            else:
                heappushpop(tails, -tail)
        if place + 1 < len(jobs) and jobs[place + 1][0] == head:
            continue  # those with the same head belong to the set
        if 1 < units <= MOST_SORTED and copies >= units:
            idle = _smallest(heads, units) - sum(tails)
        else:
            idle = units * (head - max(tails))
        best = max(best, (idle + work, head, limit))
    return best


def _smallest(parts: Iterable[tuple[N, int]], units: int) -> N:
    """Return the sum of the smallest numbers of as many copies as there are units; of too few, the smallest for all."""
    ordered = sorted(parts)
    if units > MOST_SORTED or sum(count for _, count in ordered) < units:
        return ordered[0][0] * units
    total, left = ordered[0][0] * 0, units
    for value, count in ordered:
        total, left = total + value * min(count, left), left - min(count, left)
    return total
