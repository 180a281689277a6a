"""Which units of its resources each task gets: units are alike, so that plans do not say it, and one rule does.

Tasks are looked at by their begin, then in the order of the file; each gets the free units with the lowest numbers.
Where no more units are taken at any time than there are this always ends well, for intervals are coloured greedily
by their begin with as many colours as overlap anywhere.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.instance.tasks.instance import TaskGraphInstance
    from hypar_opt.instance.tasks.schedule import TaskSchedule

    Moment: TypeAlias = Fraction | int


def units_of(instance: TaskGraphInstance, schedule: TaskSchedule, resource: str) -> dict[str, tuple[int, ...]]:
    """Return the units of a resource that each task gets, by its name; tasks that take none of it are left out.

    Parameters
    ----------
    schedule
        Of which no more units are taken at any time than there are; of a periodic one the first period, as if nothing
        were repeated.
    resource
        Its name.

    Returns
    -------
    By task, numbers from 0, ascending; none of a task that takes no time.

    Raises
    ------
    ValueError
        If more units are taken at some time than there are.
    """
    takers = []
    for task in instance.tasks:
        begin, units = schedule.begins[task.name], dict(task.takes).get(resource)
        if begin is not None and units is not None:
            takers.append((task.name, (begin, begin + task.seconds, units)))
    found = allotted([one for _, one in takers], instance.resources[resource])
    short = next((begin for (_, (begin, _, _)), own in zip(takers, found, strict=True) if own is None), None)
    if short is not None:
        raise ValueError(f"more units of {resource!r} are taken at {short} s than there are")
    return {name: own for (name, _), own in zip(takers, found, strict=True) if own is not None}


def allotted(takers: Sequence[tuple[Moment, Moment, int]], count: int) -> list[tuple[int, ...] | None]:
    """Return the units that each gets who takes some from one moment to another.

    Parameters
    ----------
    takers
        Begin, end and units of each, in the order in which those come that begin at once.
    count
        How many units there are.

    Returns
    -------
    By taker, numbers from 0, ascending; none of one that takes no time, and None of one for whom too few are left.
    """
    free = list(range(count))
    busy: list[tuple[Moment, int]] = []
    found: list[tuple[int, ...] | None] = [None] * len(takers)
    for place in sorted(range(len(takers)), key=lambda one: (takers[one][0], one)):
        begin, end, units = takers[place]
        if begin == end:
            found[place] = ()
            continue
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        if len(free) >= units:
            own = found[place] = tuple(heappop(free) for _ in range(units))
            for unit in own:
                heappush(busy, (end, unit))
    return found


def lanes_of(spans: Sequence[tuple[Moment, Moment, int]], count: int = 0) -> list[list[int]]:
    """Return by unit the places of those that have it, by the rule of `allotted`, in the order of the spans.

    Parameters
    ----------
    spans
        Begin, end and units of each.
    count
        How many units there are; 0 for as many as are taken at once at the most, without any that nobody has.
    """
    lanes: list[list[int]] = [[] for _ in range(count)]
    for place, own in enumerate(allotted(spans, count or sum(units for *_, units in spans))):
        for unit in own or ():
            lanes += [[] for _ in range(unit + 1 - len(lanes))]
            lanes[unit].append(place)
    return lanes
