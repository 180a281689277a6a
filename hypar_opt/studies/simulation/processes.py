"""The state of a simulation while events happen: simpy's processes, one a task, on integer time."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

from hypar_opt.studies.simulation.result import Span
from hypar_opt.studies.simulation.route_reservation import RouteReservation
from hypar_opt.studies.simulation.tasks import Compute, Options, TaskGraph, Transfer, watched

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.simulation.platform import Platform

    Process: TypeAlias = Generator[Any, Any, None]

NEVER = -1
"""Instead of a time, or of a position."""
PREPARING = "while the simulation was prepared"
"""What it is at, for whoever stops it."""


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
    limits
        Its deadline and its flag end the preparations.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end of them.
    """

    def __init__(self, graph: TaskGraph, field: Platform, options: Options, limits: Limits | None = None) -> None:
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
        self.together = RouteReservation(field.capacities)
        self.serving = False
        """Whether at the end of this instant those are served who wait for whole routes."""
        self.missing = [0] * count
        self.followers: list[list[int]] = [[] for _ in graph.tasks]
        self.trailing: dict[int, list[int]] = defaultdict(list)
        """By transfer, those that go once it has left its links."""
        for number, task in watched(enumerate(graph.tasks), limits, PREPARING):
            for other in set(task.waits_for):
                self.followers[other].append(number)
                self.missing[number] += 1
            for other in () if isinstance(task, Compute) else set(task.behind):
                self.trailing[other].append(number)
                self.missing[number] += 1
        self._prepare_barriers(limits)
        for number, missing in watched(enumerate(self.missing), limits, PREPARING):
            if not missing:
                self._release(number)

    @property
    def now(self) -> int:
        """Ticks since the beginning; simpy counts on from the 0 that it begins with in the integers it is given."""
        return self.env.now  # type: ignore[return-value]

    def _prepare_barriers(self, limits: Limits | None) -> None:
        """Let every stage but the first wait for the one before, where nothing overlaps."""
        self.stages: list[list[int]] = []
        if self.options.overlap == "full":
            return
        by_stage = defaultdict(list)
        for number, task in watched(enumerate(self.graph.tasks), limits, PREPARING):
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
        if not (task.seconds if isinstance(task, Compute) else task.amount):
            self.env.process(self._pass(number))
        elif isinstance(task, Compute):
            self.env.process(self._compute(number, task))
        elif not self.options.contention:
            self.env.process(self._serve(number, task))
        elif self.options.acquire == "together":
            self.together.ask(number, self._needs(task))
            self._serve_soon()
        else:
            self.env.process(self._hold(number, task))

    def _satisfied(self, number: int) -> None:
        self.missing[number] -= 1
        if not self.missing[number]:
            self._release(number)

    def _arrive(self, number: int, task: Transfer) -> Process:
        """Let a transfer that has left its links get where it goes to."""
        for follower in self.trailing[number]:
            self._satisfied(follower)
        latency = self.field.clock.ticks(task.latency)
        if latency:
            yield self.env.timeout(latency)
        self._finish(number)

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

    def _pass(self, number: int) -> Process:
        """Do what takes no time: it needs nothing."""
        self.begins[number] = self.now
        for follower in self.trailing[number]:
            self._satisfied(follower)
        self._finish(number)
        yield from ()

    def _compute(self, number: int, task: Compute) -> Process:
        ticks = self.field.clock.ticks(task.seconds)
        yield from self._occupy(number, ((self.field.accelerators[task.accelerator], 1),), ticks)
        self._finish(number)

    def _needs(self, task: Transfer) -> list[tuple[int, int]]:
        """Return what a transfer takes of every link of its route."""
        way, whole = self.field.ways[task.way], self.options.hold == "whole"
        lots = (self.field.capacities[resource] for resource in way.resources) if whole else way.lots
        return list(zip(way.resources, lots, strict=True))

    def _ticks(self, task: Transfer) -> int:
        """Return how long a transfer has its route."""
        paces = self.field.ways[task.way].paces
        return self.field.clock.units(task.amount) * max(paces, default=0)

    def _hold(self, number: int, task: Transfer) -> Process:
        """Take what is needed of every link of the route, one after the other, and keep all of it to the end."""
        needs = self._needs(task)
        yield from self._occupy(number, needs if self.options.acquire == "route" else sorted(needs), self._ticks(task))
        yield from self._arrive(number, task)

    def _serve_soon(self) -> None:
        """At the end of this instant, when all is there that comes in it, see who can have a whole route.

        What ends now was put on the clock before, and what takes no time goes first, so that nothing comes after.
        """
        if not self.serving:
            self.serving = True
            self.env.timeout(0).callbacks.append(self._serve_together)

    def _serve_together(self, _: object) -> None:
        self.serving = False
        self.together.serve(self._go, self._stand)

    def _stand(self, number: int, resource: int) -> None:
        self.waited[number] = self.wanted[number] = resource

    def _go(self, number: int) -> None:
        """Begin a transfer that has its route."""
        self.wanted.pop(number, None)
        task = self.graph.tasks[number]
        assert isinstance(task, Transfer)
        self.env.process(self._send(number, task))

    def _send(self, number: int, task: Transfer) -> Process:
        needs, ticks = self._needs(task), self._ticks(task)
        begin = self.begins[number] = self.now
        yield self.env.timeout(ticks)
        for resource, lots in needs:
            self.spans[resource].append(Span(number, begin, begin, begin + ticks, lots))
        self.together.leave(needs)
        self._serve_soon()
        yield from self._arrive(number, task)

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
        way, units, now = self.field.ways[task.way], self.field.clock.units(task.amount), self.now
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
        yield from self._arrive(number, task)
