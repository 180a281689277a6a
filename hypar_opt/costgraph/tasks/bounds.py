"""What no schedule of tasks is below: the longest way, what a resource does, weighted ends, circles of repeated tasks.

A task of a group may not be done: ways go through those that are, and of a group counts what is least.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.costgraph.tasks.graph import Precedence, TimedGraph

BoundKind: TypeAlias = Literal["way", "resource", "weights", "circle"]
MOST_RELAXED: Final = 20_000_000
"""Tasks times waits among which circles are looked for."""
KINDS: Final[Mapping[BoundKind, str]] = {
    "way": "the longest way of tasks that wait for each other",
    "resource": "what a resource has to do, or a memory to keep",
    "weights": "weighted ends, each task alone or the heaviest first",
    "circle": "a circle of tasks that wait for each other",
}
"""What shows a bound, in words."""


class BeginBound(NamedTuple):
    """A number that no schedule is below, in units of the graph's values, and what shows it."""

    value: int
    kind: BoundKind


class CertainWork(NamedTuple):
    """A task that is done anyhow, or the least of a group: earliest begin, duration, units, and what is behind it."""

    head: int
    duration: int
    units: int
    tail: int
    weight: int


def lower_bound(graph: TimedGraph) -> BeginBound:
    """Return the best bound that sums show."""
    found = {"makespan": _makespan, "completion-times": _completion_times, "period": _period}[graph.goal](graph)
    return max(found, key=lambda one: one.value)


def heads_of(graph: TimedGraph) -> list[int]:
    """Return when each task can begin at the earliest, for all that it waits for."""
    found = [one.release for one in graph.tasks]
    for place in graph.order:
        for wait in graph.before[place]:
            if graph.tasks[wait.first].group is None:
                found[place] = max(found[place], found[wait.first] + graph.tasks[wait.first].duration + wait.lag)
    return found


def tails_of(graph: TimedGraph) -> list[int]:
    """Return how long it takes at least from the end of each task to that of all that wait for it."""
    found = [0] * len(graph.tasks)
    for place in reversed(graph.order):
        for wait in graph.behind[place]:
            if graph.tasks[wait.second].group is None:
                own = wait.lag + graph.tasks[wait.second].duration + found[wait.second]
                found[place] = max(found[place], own)
    return found


def _certain(graph: TimedGraph) -> Iterator[tuple[int, ...]]:
    """Yield the tasks of which one is done: each that is always done alone, and each group."""
    yield from ((place,) for place, one in enumerate(graph.tasks) if one.group is None)
    yield from graph.groups


def items_of(graph: TimedGraph, resource: int) -> list[CertainWork]:
    """Return what has to be done on a resource whatever is chosen."""
    heads, tails = heads_of(graph), tails_of(graph)
    units = dict(graph.users(resource))
    found = []
    for places in _certain(graph):
        if all(place in units for place in places):
            own = [
                (heads[one], graph.tasks[one].duration, units[one], tails[one], graph.tasks[one].weight)
                for one in places
            ]
            found.append(CertainWork(*map(min, zip(*own, strict=True))))
    return found


def kept_in(graph: TimedGraph, memory: int, limit: int) -> list[CertainWork]:
    """Return what is kept in a memory whatever is chosen, as if amounts were units: at least how long.

    Where the task at whose end it is given up waits for the one that keeps it, that is until then.
    """
    heads, tails = heads_of(graph), tails_of(graph)
    found = []
    for one in graph.kept:
        first = graph.tasks[one.first]
        if one.memory != memory or first.group is not None or not 0 < one.amount <= limit:
            continue
        length, last = first.duration, one.first
        for wait in graph.behind[one.first]:
            other = graph.tasks[wait.second]
            if wait.second == one.last and other.group is None:
                length, last = max(length, first.duration + wait.lag + other.duration), one.last
        found.append(CertainWork(heads[one.first], length, one.amount, tails[last], 0))
    return found


def _shared(graph: TimedGraph) -> Iterator[tuple[list[CertainWork], int]]:
    """Yield what tasks have of each resource and of each memory, and how much there is; also those that never meet."""
    every = [(items_of(graph, resource), units) for resource, units in enumerate(graph.units)]
    every += [(kept_in(graph, memory, limit), limit) for memory, limit in enumerate(graph.limits) if limit]
    for items, most in every:
        yield items, most
        yield [one._replace(units=1) for one in items if 2 * one.units > most], 1


def _makespan(graph: TimedGraph) -> Iterator[BeginBound]:
    heads, tails = heads_of(graph), tails_of(graph)

    def through(place: int) -> int:
        return heads[place] + graph.tasks[place].duration + tails[place]

    yield BeginBound(max(min(map(through, places)) for places in _certain(graph)), "way")
    for items, most in _shared(graph):
        yield BeginBound(_busy(items, most), "resource")


def _busy(items: Sequence[CertainWork], capacity: int) -> int:
    """Return the longest that items keep a resource busy between what is before and behind them."""
    most, work, tail = 0, 0, None
    for one in sorted(items, key=lambda one: -one.head):
        work += one.duration * one.units
        tail = one.tail if tail is None else min(tail, one.tail)
        most = max(most, one.head - (-work // capacity) + tail)
    return most


def _completion_times(graph: TimedGraph) -> Iterator[BeginBound]:
    heads = heads_of(graph)

    def alone(place: int) -> int:
        return graph.tasks[place].weight * (heads[place] + graph.tasks[place].duration)

    least = {places: min(map(alone, places)) for places in _certain(graph)}
    yield BeginBound(sum(least.values()), "weights")
    for resource, capacity in enumerate(graph.units):
        users = dict(graph.users(resource))
        own = [places[0] for places in least if len(places) == 1 and places[0] in users]
        others = sum(value for places, value in least.items() if places[0] not in own)
        yield BeginBound(others + _in_order(graph, own, users, capacity), "weights")


def _in_order(graph: TimedGraph, places: Sequence[int], units: Mapping[int, int], capacity: int) -> int:
    """Return what weighted ends come to at least on a resource that is divided at will.

    The mean moment at which a task is done is half its duration before its end (Eastman, Even and Isaacs, 1964);
    weighted, these are least where all units do one task after the other by weight for work (Smith, 1956).
    """
    work = {place: Fraction(graph.tasks[place].duration * units[place], capacity) for place in places}
    now, found = Fraction(0), Fraction(0)
    for place in sorted(places, key=lambda one: -graph.tasks[one].weight / work[one]):
        one = graph.tasks[place]
        found += one.weight * (now + work[place] / 2 + Fraction(one.duration, 2))
        now += work[place]
    return ceil(found)


def _period(graph: TimedGraph) -> Iterator[BeginBound]:
    yield BeginBound(1, "circle")
    for items, most in _shared(graph):
        work = sum(one.duration * one.units for one in items)
        yield BeginBound(-(-work // most), "resource")
    yield BeginBound(_longest_circle(graph), "circle")


def _longest_circle(graph: TimedGraph) -> int:
    """Return the least period with which no task has to wait for itself."""
    waits = [one for one in graph.waits if all(graph.tasks[end].group is None for end in one[:2])]
    if not any(one.distance for one in waits) or len(waits) * len(graph.tasks) > MOST_RELAXED:
        return 1
    low, high = 1, sum(one.duration for one in graph.tasks) + sum(one.lag for one in waits)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if _fits(graph, waits, middle) else (middle + 1, high)
    return low


def _fits(graph: TimedGraph, waits: Sequence[Precedence], period: int) -> bool:
    """Return whether begins that satisfy all waits settle, by Bellman and Ford."""
    begins = [0] * len(graph.tasks)
    for _ in graph.tasks:
        changed = False
        for one in waits:
            least = begins[one.first] + graph.tasks[one.first].duration + one.lag - one.distance * period
            if least > begins[one.second]:
                begins[one.second], changed = least, True
        if not changed:
            return True
    return False
