"""A schedule by a list: whenever something ends, of all tasks that could begin those do that come first by a rule.

Time goes forward, so that what is in a memory is known: what a task keeps until another ends is there until it does.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from hypar_opt.costgraph.tasks import NOT_DONE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.tasks import KeptAmount, TimedGraph


def listed(
    graph: TimedGraph, keys: Sequence[Fraction | int], done: Sequence[bool], check: Callable[[], None]
) -> tuple[int, ...] | None:
    """Return begins; None where a memory is full of what nothing that could begin would free.

    Parameters
    ----------
    keys
        By task; the least comes first.
    done
        Which tasks are done, of each group one.
    check
        Raises where the run has to end.
    """
    return _Listing(graph, keys, done).run(check)


def shortest_of_groups(graph: TimedGraph) -> tuple[bool, ...]:
    """Return which tasks are done where of each group it is the shortest, of these the one with the fewest units."""
    done = [one.group is None for one in graph.tasks]
    for group in graph.groups:
        done[min(group, key=lambda place: (graph.tasks[place].duration, _units(graph, place), place))] = True
    return tuple(done)


def lightest_of_groups(graph: TimedGraph) -> tuple[bool, ...]:
    """Return which tasks are done where of each group it is the one that takes the least of what there is."""
    done = [one.group is None for one in graph.tasks]
    for group in graph.groups:
        done[min(group, key=lambda place: (graph.tasks[place].duration * _units(graph, place), place))] = True
    return tuple(done)


def _units(graph: TimedGraph, place: int) -> Fraction:
    """Return the share of all units that a task takes, added up over resources."""
    shares = (Fraction(units, graph.units[resource]) for resource, units in graph.tasks[place].takes)
    return sum(shares, Fraction(0))


class _Listing:
    """What is known as time goes by."""

    def __init__(self, graph: TimedGraph, keys: Sequence[Fraction | int], done: Sequence[bool]) -> None:
        self.graph, self.keys, self.done = graph, keys, done
        self.begins = [NOT_DONE] * len(graph.tasks)
        self.free = list(graph.units)
        self.room = list(graph.limits)
        self.missing = [sum(done[wait.first] for wait in before) for before in graph.before]
        self.keeps: list[list[KeptAmount]] = [[] for _ in graph.tasks]
        self.pending: dict[int, int] = {}
        """By number of what is kept, how many of the two ends have not come yet."""
        self.ended: set[int] = set()
        self.frees: list[list[int]] = [[] for _ in graph.tasks]
        for number, one in enumerate(graph.kept):
            if done[one.first]:
                self.keeps[one.first].append(one)
                waits = {one.first, one.last} if done[one.last] else {one.first}
                self.pending[number] = len(waits)
                for place in waits:
                    self.frees[place].append(number)
        self.ready: dict[tuple[tuple[int, int], ...], list[tuple[Fraction | int, int]]] = {}
        """By what they need, tasks that could begin."""
        self.events: list[tuple[int, int, int]] = []
        """Moment, kind and task: 0 an end, 1 what it waits for is over."""
        for place, task in enumerate(graph.tasks):
            if done[place] and not self.missing[place]:
                heappush(self.events, (task.release, 1, place))

    def run(self, check: Callable[[], None]) -> tuple[int, ...] | None:
        left = sum(self.done)
        while self.events:
            check()
            now = self.events[0][0]
            while self.events and self.events[0][0] == now:
                _, kind, place = heappop(self.events)
                if kind:
                    heappush(self.ready.setdefault(self._need(place), []), (self.keys[place], place))
                else:
                    self._end(place, now)
            left -= self._begin(now)
        return tuple(self.begins) if not left else None

    def _end(self, place: int, now: int) -> None:
        one = self.graph.tasks[place]
        if one.duration:
            for resource, units in one.takes:
                self.free[resource] += units
        self.ended.add(place)
        for number in self.frees[place]:
            self.pending[number] -= 1
            kept = self.graph.kept[number]
            if not self.pending[number] and kept.first in self.ended:
                self._take(kept, -1)
        for wait in self.graph.behind[place]:
            self.missing[wait.second] -= 1
            if self.done[wait.second] and not self.missing[wait.second]:
                heappush(self.events, (max(self._earliest(wait.second), now), 1, wait.second))

    def _earliest(self, place: int) -> int:
        """Return when all that a task waits for has ended, and lags are over."""
        graph = self.graph
        ends = [
            self.begins[wait.first] + graph.tasks[wait.first].duration + wait.lag
            for wait in graph.before[place]
            if self.done[wait.first]
        ]
        return max([graph.tasks[place].release, *ends])

    def _begin(self, now: int) -> int:
        """Begin what can, in the order of the list; return how many do.

        Tasks that need the same wait in one queue: where its first one finds no place, none of it does, until
        something ends.
        """
        heads, count = [(queue[0], need) for need, queue in self.ready.items() if queue], 0
        heapify(heads)
        while heads:
            (_, place), need = heappop(heads)
            if not self._fits(place):
                continue
            heappop(self.ready[need])
            if self.ready[need]:
                heappush(heads, (self.ready[need][0], need))
            one = self.graph.tasks[place]
            self.begins[place], count = now, count + 1
            if one.duration:
                for resource, units in one.takes:
                    self.free[resource] -= units
            for kept in self.keeps[place]:
                self._take(kept, 1)
            heappush(self.events, (now + one.duration, 0, place))
        return count

    def _need(self, place: int) -> tuple[tuple[int, int], ...]:
        """Return what a task needs to begin, memories behind the resources."""
        one, resources = self.graph.tasks[place], len(self.graph.units)
        kept = ((resources + keep.memory, keep.amount) for keep in self.keeps[place])
        return (*(sorted(one.takes) if one.duration else ()), *sorted(kept))

    def _fits(self, place: int) -> bool:
        one = self.graph.tasks[place]
        if one.duration and any(units > self.free[resource] for resource, units in one.takes):
            return False
        needed: dict[int, int] = {}
        for kept in self.keeps[place]:
            needed[kept.memory] = needed.get(kept.memory, 0) + kept.amount
        rooms = ((self.room[memory], amount) for memory, amount in needed.items())
        return all(room is None or amount <= room for room, amount in rooms)

    def _take(self, kept: KeptAmount, sign: int) -> None:
        room = self.room[kept.memory]
        if room is not None:
            self.room[kept.memory] = room - sign * kept.amount
