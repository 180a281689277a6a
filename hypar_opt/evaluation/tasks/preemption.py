"""What weighted ends come to at least on one resource: by tasks that may be interrupted and share all units."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.evaluation.tasks.lanes import Lanes, LaneTask


class ShareStretch(NamedTuple):
    """A stretch of time in which one task has all units.

    Parameters
    ----------
    place
        The task's among those that share.
    begin, end
        Seconds.
    left
        Seconds that it needs after it.
    """

    place: int
    begin: Fraction
    end: Fraction
    left: Fraction


def interrupted(
    jobs: Sequence[LaneTask], needs: Sequence[Fraction], rank: Callable[[int, Fraction], Fraction]
) -> Iterator[ShareStretch]:
    """Yield who has all units when, if whoever comes first takes them from all others.

    Parameters
    ----------
    jobs
        None is begun before its head.
    needs
        Seconds that each needs.
    rank
        From a task's place and the seconds that it still needs to a number; the least comes first.
    """
    coming = sorted(range(len(jobs)), key=lambda place: jobs[place].head)
    waiting: list[tuple[Fraction, int, Fraction]] = []
    now, position = Fraction(0), 0
    while position < len(coming) or waiting:
        if not waiting:
            now = max(now, jobs[coming[position]].head)
        while position < len(coming) and jobs[coming[position]].head <= now:
            place = coming[position]
            heappush(waiting, (rank(place, needs[place]), place, needs[place]))
            position += 1
        _, place, left = heappop(waiting)
        end = now + left
        if position < len(coming):
            end = min(end, jobs[coming[position]].head)
        left -= end - now
        yield ShareStretch(place, now, end, left)
        if left:
            heappush(waiting, (rank(place, left), place, left))
        now = end


def shared_ends(lanes: Lanes) -> Fraction:
    """Return what weighted ends come to at least, whoever has units when.

    A task that takes k of m units for p seconds has k / m of them all the time, so that the middle of the time in which
    it has them is its end less p / 2. The weighted sum of these middles is least where all units are given to the one
    of the largest weight per work, taken from it as soon as a better one can be begun, each then done in p k / m
    seconds (Goemans, SODA 1997).
    """
    needs = [job.seconds * job.units / lanes.units for job in lanes.jobs]
    density = [job.weight / need for job, need in zip(lanes.jobs, needs, strict=True)]
    total = sum((job.weight * job.seconds / 2 for job in lanes.jobs), start=Fraction(0))
    for piece in interrupted(lanes.jobs, needs, lambda place, _: -density[place]):
        total += density[piece.place] * (piece.end - piece.begin) * (piece.end + piece.begin) / 2
    return total


def shortest_ends(jobs: Sequence[LaneTask]) -> Fraction:
    """Return what weighted ends come to at least of tasks of which only one is done at once.

    Where the one that needs least is done first, and interrupted by those that need less, as many have ended at any
    time as can (Schrage, Operations Research, 1968); the largest weights are taken to end first.
    """
    needs = [job.seconds for job in jobs]
    ends = [piece.end for piece in interrupted(jobs, needs, lambda _, left: left) if not piece.left]
    weights = sorted((job.weight for job in jobs), reverse=True)
    return sum((weight * end for weight, end in zip(weights, ends, strict=True)), start=Fraction(0))
