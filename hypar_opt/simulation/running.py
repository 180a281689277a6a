"""The state of a simulation while events happen: simpy's processes, one a task, on integer time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from hypar_opt.simulation.result import Span
from hypar_opt.simulation.tasks import Compute, Transfer

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any, TypeAlias

    from hypar_opt.simulation.field import Field
    from hypar_opt.simulation.options import Options
    from hypar_opt.simulation.tasks import TaskGraph

    Process: TypeAlias = Generator[Any, Any, None]

NEVER = -1
"""Instead of a time, or of a position."""


class Running:
    """One run of a task graph.

    Parameters
    ----------
    graph
        What is to be done.
    field
        On what, and for how long.
    options
        What overlaps and what contends.
    """

    def __init__(self, graph: TaskGraph, field: Field, options: Options) -> None:
        import simpy

        self.graph, self.field, self.options = graph, field, options
        self.env = simpy.Environment()
        self.stores = [simpy.Container(self.env, size, size) for size in field.capacities]
        """By resource, the lots that nobody holds."""
        self.free = [0] * len(field.resources)
        """By resource that serves by itself: when it has served all that asked so far."""
        count = len(graph)
        self.released, self.begins, self.ends = [NEVER] * count, [NEVER] * count, [NEVER] * count
        self.waited = [NEVER] * count
        """By task: the resource that it waited for last."""
        self.spans: list[list[Span]] = [[] for _ in field.resources]
        self.wanted: dict[int, int] = {}
        """By task that waits for a resource: which."""
        self.holders: dict[int, dict[int, None]] = defaultdict(dict)
        """By resource: the tasks that hold some of it, in the order in which they got it."""
        self.left = count
        self.missing = [len(set(task.waits_for)) for task in graph.tasks]
        self.followers: list[list[int]] = [[] for _ in graph.tasks]
        for number, task in enumerate(graph.tasks):
            for other in set(task.waits_for):
                self.followers[other].append(number)
        self._prepare_barriers()
        for number, missing in enumerate(self.missing):
            if not missing:
                self._release(number)

    @property
    def now(self) -> int:
        """Ticks since the beginning; simpy counts on from the 0 that it begins with in the integers it is given."""
        return self.env.now  # type: ignore[return-value]

    def _prepare_barriers(self) -> None:
        """Let every stage but the first wait for the one before, where nothing overlaps."""
        self.stages: list[list[int]] = []
        if self.options.overlap == "full":
            return
        by_stage = defaultdict(list)
        for number, task in enumerate(self.graph.tasks):
            by_stage[task.stage].append(number)
        self.stages = [by_stage[stage] for stage in sorted(by_stage)]
        self.stage_of = {number: at for at, numbers in enumerate(self.stages) for number in numbers}
        self.left_of = [len(numbers) for numbers in self.stages]
        for numbers in self.stages[1:]:
            for number in numbers:
                self.missing[number] += 1

    def _release(self, number: int) -> None:
        """Begin a task whose data are there."""
        self.released[number] = self.now
        task = self.graph.tasks[number]
        if isinstance(task, Compute):
            work = self._compute(number, task)
        else:
            work = self._hold(number, task) if self.options.contention else self._serve(number, task)
        self.env.process(work)

    def _satisfied(self, number: int) -> None:
        self.missing[number] -= 1
        if not self.missing[number]:
            self._release(number)

    def _finish(self, number: int) -> None:
        self.ends[number] = self.now
        self.left -= 1
        for follower in self.followers[number]:
            self._satisfied(follower)
        if self.stages:
            at = self.stage_of[number]
            self.left_of[at] -= 1
            if not self.left_of[at] and at + 1 < len(self.stages):
                for follower in self.stages[at + 1]:
                    self._satisfied(follower)

    def _compute(self, number: int, task: Compute) -> Process:
        ticks = self.field.clock.ticks(task.seconds)
        if ticks:
            yield from self._occupy(number, ((self.field.accelerators[task.accelerator], 1),), ticks)
        else:
            self.begins[number] = self.now
        self._finish(number)
        yield from ()

    def _hold(self, number: int, task: Transfer) -> Process:
        """Take what is needed of every link of the route, one after the other, and keep all of it to the end."""
        way = self.field.ways[task.source, task.target]
        ticks = self.field.clock.units(task.amount) * max(way.paces, default=0)
        whole = self.options.hold == "whole"
        needs = [
            (resource, self.field.capacities[resource] if whole else lots)
            for resource, lots in zip(way.resources, way.lots, strict=True)
        ]
        yield from self._occupy(number, needs if self.options.acquire == "route" else sorted(needs), ticks)
        self._finish(number)

    def _occupy(self, number: int, needs: Sequence[tuple[int, int]], ticks: int) -> Process:
        since = []
        for resource, lots in needs:
            request = self.stores[resource].get(lots)
            if not request.triggered:
                self.waited[number] = self.wanted[number] = resource
                yield request
                del self.wanted[number]
            elif self.options.acquire == "route":
                yield request  # link by link, as a header moves: whoever began at the same time moves as well
            self.holders[resource][number] = None
            since.append(self.now)
        begin = self.begins[number] = self.now
        yield self.env.timeout(ticks)
        for (resource, lots), taken in zip(needs, since, strict=True):
            del self.holders[resource][number]
            self.stores[resource].put(lots)
            self.spans[resource].append(Span(number, taken, begin, begin + ticks, lots))

    def _serve(self, number: int, task: Transfer) -> Process:
        """Let every link serve its share by itself, behind what asked before."""
        way, units, now = self.field.ways[task.source, task.target], self.field.clock.units(task.amount), self.now
        begins, end = [], now
        for resource, pace in zip(way.resources, way.paces, strict=True):
            begin = max(now, self.free[resource])
            self.free[resource] = begin + units * pace
            lots = self.field.capacities[resource]
            self.spans[resource].append(Span(number, begin, begin, self.free[resource], lots))
            begins.append(begin)
            end = max(end, self.free[resource])
        self.begins[number] = min(begins, default=now)
        yield self.env.timeout(end - now)
        self._finish(number)
