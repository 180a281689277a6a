"""Which units of its resources each task gets: units are alike, so that plans do not say it, and one rule does.

Tasks are looked at by their begin, then in the order of the file; each gets the free units with the lowest numbers.
Where no more units are taken at any time than there are this always ends well, for intervals are coloured greedily
by their begin with as many colours as overlap anywhere.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.instance.tasks.instance import TaskGraphInstance
    from hypar_opt.instance.tasks.schedule import TaskSchedule


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
    for place, task in enumerate(instance.tasks):
        begin, units = schedule.begins[task.name], dict(task.takes).get(resource)
        if begin is not None and units is not None:
            takers.append((begin, place, task, units))
    free = list(range(instance.resources[resource]))
    busy: list[tuple[Fraction, int]] = []
    found: dict[str, tuple[int, ...]] = {}
    for begin, _, task, units in sorted(takers, key=lambda one: one[:2]):
        if not task.seconds:
            found[task.name] = ()
            continue
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        if len(free) < units:
            raise ValueError(f"more units of {resource!r} are taken at {begin} s than there are")
        own = tuple(heappop(free) for _ in range(units))
        for unit in own:
            heappush(busy, (begin + task.seconds, unit))
        found[task.name] = own
    return found
