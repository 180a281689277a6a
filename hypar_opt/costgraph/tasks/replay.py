"""What begins come to, and whether they are a schedule, in the integers of the graph."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from hypar_opt.costgraph.tasks.graph import NOT_DONE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hypar_opt.costgraph.tasks.graph import TimedGraph

Span = tuple[int, int, int]
"""Begin, end and amount."""


def value_of_begins(graph: TimedGraph, choices: Sequence[int]) -> int:
    """Return the last end, the weighted sum of ends, or the period."""
    if graph.is_periodic:
        return choices[-1]
    ends = [
        (begin + one.duration, one.weight) for begin, one in zip(choices, graph.tasks, strict=True) if begin != NOT_DONE
    ]
    if graph.goal == "makespan":
        return max((end for end, _ in ends), default=0)
    return sum(end * weight for end, weight in ends)


def is_task_schedule(graph: TimedGraph, choices: Sequence[int]) -> bool:
    """Return whether all that has to be is done, nothing begins too early, and nothing is taken or kept too often."""
    begins, period = (choices[:-1], choices[-1]) if graph.is_periodic else (choices, None)
    if len(begins) != len(graph.tasks) or (period is not None and period < 1):
        return False
    done = [begin != NOT_DONE for begin in begins]
    if not all(is_done or one.group is not None for is_done, one in zip(done, graph.tasks, strict=True)):
        return False
    if any(sum(done[place] for place in group) != 1 for group in graph.groups):
        return False
    if any(done[place] and begins[place] < one.release for place, one in enumerate(graph.tasks)):
        return False
    for wait in graph.waits:
        if done[wait.first] and done[wait.second]:
            end = begins[wait.first] + graph.tasks[wait.first].duration
            if begins[wait.second] + wait.distance * (period or 0) < end + wait.lag:
                return False
    taken = (
        [
            (begins[place], begins[place] + graph.tasks[place].duration, units)
            for place, units in graph.users(resource)
            if done[place]
        ]
        for resource in range(len(graph.units))
    )
    kept = (list(_kept(graph, begins, memory)) for memory in range(len(graph.limits)))
    return all(
        most is None or peak(spans, period) <= most
        for spans, most in zip((*taken, *kept), (*graph.units, *graph.limits), strict=True)
    )


def _kept(graph: TimedGraph, begins: Sequence[int], memory: int) -> Iterator[Span]:
    def end(place: int) -> int:
        return begins[place] + graph.tasks[place].duration if begins[place] != NOT_DONE else 0

    for one in graph.kept:
        if one.memory == memory and begins[one.first] != NOT_DONE:
            yield begins[one.first], max(end(one.first), end(one.last)), one.amount


def peak(spans: Iterable[Span], period: int | None) -> int:
    """Return the most that there is at any time; of what is repeated, all that is there at once is counted."""
    events: list[tuple[int, int]] = []
    always = 0
    for begin, end, amount in spans:
        if period is None:
            events += [(begin, amount), (end, -amount)] if begin < end else []
            continue
        whole, rest = divmod(end - begin, period)
        always += whole * amount
        first = begin % period
        last = first + rest
        events += [(first, amount), (min(last, period), -amount)] if rest else []
        events += [(0, amount), (last - period, -amount)] if last > period else []
    now = most = 0
    for _, changes in groupby(sorted(events), key=lambda one: one[0]):
        now += sum(change for _, change in changes)
        most = max(most, now)
    return always + most
