"""What a simulation found: which resource served which task, and when; what it sums up to, and why it took so long.

What determines when a step ends is a chain of tasks, walked from the last one back. A task began when its data were
there, or when what it runs on became free; whichever came last is followed: the task that made the data, or the one
that was served before. So there are no gaps, and the chain is as long as the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import count
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from hypar_opt.studies.simulation.tasks import Compute, Options, TaskGraph, Transfer, watched
from hypar_opt.util.numbers import amount

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.studies.simulation.platform import Platform


class Span(NamedTuple):
    """A resource's time with one task, in ticks.

    Parameters
    ----------
    task
        Its position.
    since
        When the task took the resource; it may have had to wait for others then.
    begin, end
        When it was served.
    lots
        How much of the resource's capacity it took.
    """

    task: int
    since: int
    begin: int
    end: int
    lots: int = 1


@dataclass(frozen=True)
class Use:
    """How much a resource had to do.

    Parameters
    ----------
    resource
        Its position.
    tasks
        How many it served.
    busy
        Seconds in which it served; those of a part of it count in part.
    blocked
        The same of seconds in which it was held by tasks that waited for other resources.
    share
        Of the step, that it was busy.
    """

    resource: int
    tasks: int
    busy: Fraction
    blocked: Fraction
    share: Fraction


Reason: TypeAlias = Literal["start", "data", "barrier", "resource"]
"""What a task waited for last."""


@dataclass(frozen=True)
class CriticalStep:
    """A task on the chain.

    Parameters
    ----------
    task
        Its position.
    begin, end
        The part of its time that counts, in ticks.
    resource
        On which that time passed: of several the one that needs longest; None where it takes no time.
    reason
        What it waited for: nothing, the data of the step before, the barrier that the step before opened, or a
        resource that the step before had.
    waited_for
        That resource.
    """

    task: int
    begin: int
    end: int
    resource: int | None
    reason: Reason
    waited_for: int | None = None


SUMMING: Final = "while it was summed up"
"""What it is at, for whoever stops it."""


@dataclass(frozen=True, repr=False)
class Simulation:
    """A step that was simulated to its end, and what follows from it; times in ticks of `field.clock`.

    Parameters
    ----------
    graph, machine, options
        What was simulated.
    field
        The resources, routes and the clock.
    released
        By task, when its data were there.
    begins, ends
        By task, when it began on what it runs on, and when it was done.
    waited
        By task, the resource that it waited for last, or -1.
    spans
        By resource, what it served, in the order in which it was done.
    """

    graph: TaskGraph
    machine: Machine
    options: Options
    field: Platform
    released: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    waited: tuple[int, ...]
    spans: tuple[tuple[Span, ...], ...]

    def __repr__(self) -> str:
        return f"Simulation({amount(self.time, 's')}, {len(self.ends):,} tasks on {len(self.spans):,} resources)"

    @property
    def end(self) -> int:
        """When all is done, in ticks."""
        return max(self.ends, default=0)

    @property
    def time(self) -> Fraction:
        """Seconds of the step."""
        return self.field.clock.seconds(self.end)

    def left(self, task: int) -> int:
        """Return when a transfer had left its links, in ticks: of others than collectives that is when it ends."""
        item = self.graph.tasks[task]
        latency = Fraction(0) if isinstance(item, Compute) else item.latency
        return self.ends[task] - self.field.clock.ticks(latency)

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """By resource."""
        return self._uses(None)

    def _uses(self, limits: Limits | None) -> tuple[Use, ...]:
        return tuple(self._use(number) for number in watched(range(len(self.spans)), limits, SUMMING, every=1))

    def _use(self, number: int) -> Use:
        spans, whole = self.spans[number], self.field.capacities[number]
        busy = Fraction(sum((span.end - span.begin) * span.lots for span in spans), whole)
        blocked = Fraction(sum((span.begin - span.since) * span.lots for span in spans), whole)
        share, unit = busy / self.end if self.end else Fraction(0), self.field.clock.unit
        return Use(number, len(spans), busy / unit, blocked / unit, share)

    @cached_property
    def floor(self) -> Fraction:
        """Seconds below which no order of these tasks can end: what the resource with most to do has to do."""
        return self._floor(None)

    def _floor(self, limits: Limits | None) -> Fraction:
        total = [0] * len(self.spans)
        clock, field = self.field.clock, self.field
        for task in watched(self.graph.tasks, limits, SUMMING):
            if isinstance(task, Compute):
                total[field.accelerators[task.accelerator]] += clock.ticks(task.seconds)
            else:
                way, units = field.ways[task.way], clock.units(task.amount)
                for resource, pace in zip(way.resources, way.paces, strict=True):
                    total[resource] += units * pace
        return clock.seconds(max(total, default=0))

    @cached_property
    def critical_path(self) -> tuple[CriticalStep, ...]:
        """The chain of tasks that determines the end, from the beginning on; see `CriticalStep`."""
        return critical_path(self)

    def complete(self, limits: Limits | None = None) -> None:
        """Find uses, floor and critical path now, or stop on the way; what is found is kept.

        Parameters
        ----------
        limits
            Its deadline and its flag end the work.

        Raises
        ------
        SimulationStopped
            If the limits are over before the end.
        """
        makers: dict[str, Callable[[Limits | None], object]]
        makers = {"uses": self._uses, "floor": self._floor, "critical_path": partial(critical_path, self)}
        for name, make in makers.items():
            if name not in self.__dict__:  # where cached_property keeps it
                self.__dict__[name] = make(limits)


def critical_path(found: Simulation, limits: Limits | None = None) -> tuple[CriticalStep, ...]:
    """Return the chain, from the beginning on; tasks without length are left out of it.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    if not found.ends:
        return ()
    walk = _Walk(found)
    task, resource, until = found.ends.index(found.end), None, found.end
    steps = []
    for _ in watched(count(), limits, "while the critical path was followed"):
        step, before = walk.back(task, resource, until)
        if step.end > step.begin:
            steps.append(step)
        if before is None:
            break
        (task, resource), until = before, step.begin
    return tuple(reversed(steps))


class _Walk:
    def __init__(self, found: Simulation) -> None:
        self._found = found
        self._spans: dict[int, dict[int, Span]] = {}
        self._freed: dict[int, dict[int, int]] = {}
        self._stages: dict[int, list[int]] = {}
        for number, task in enumerate(found.graph.tasks):
            self._stages.setdefault(task.stage, []).append(number)
        self._order = sorted(self._stages)
        self._at = {stage: at for at, stage in enumerate(self._order)}

    def back(self, task: int, resource: int | None, end: int) -> tuple[CriticalStep, tuple[int, int | None] | None]:
        """Return a task's step on the chain, and the task before it with the resource on which that counts.

        Parameters
        ----------
        end
            Until when it counts: of a transfer when it was there, or when it left the links that the next one needed.
        """
        found = self._found
        on = self._slowest(task) if resource is None else resource
        begin = found.begins[task] if on is None else self._span(on, task).begin
        if begin > found.released[task]:
            waited_for = found.waited[task] if found.waited[task] >= 0 else on
            assert waited_for is not None  # what waits waits for something
            served_apart = not found.options.contention and isinstance(found.graph.tasks[task], Transfer)
            before = self._before(waited_for, begin), waited_for if served_apart else None
            return CriticalStep(task, begin, end, on, "resource", waited_for), before
        maker = self._maker(task)
        if maker is not None:
            return CriticalStep(task, begin, end, on, "data"), (maker, None)
        ahead = self._ahead(task)
        if ahead is not None:
            return CriticalStep(task, begin, end, on, "resource", self._shared(task, ahead)), (ahead, None)
        opener = self._opener(task)
        if opener is not None:
            return CriticalStep(task, begin, end, on, "barrier"), (opener, None)
        return CriticalStep(task, begin, end, on, "start"), None

    def _slowest(self, task: int) -> int | None:
        """Return the resource of a task that served it last, and of those the one that needs longest."""
        found, item = self._found, self._found.graph.tasks[task]
        if isinstance(item, Transfer):
            if not item.amount:
                return None
            way = found.field.ways[item.way]
            last = [(self._span(one, task).end, pace, -one) for one, pace in zip(way.resources, way.paces, strict=True)]
            return -max(last)[2] if last else None
        return found.field.accelerators[item.accelerator] if item.seconds else None

    def _span(self, resource: int, task: int) -> Span:
        if resource not in self._spans:
            self._spans[resource] = {span.task: span for span in self._found.spans[resource]}
        return self._spans[resource][task]

    def _before(self, resource: int, time: int) -> int:
        """Return the task that had a resource until a time."""
        if resource not in self._freed:
            # not those that both got and left it then, as they waited for it themselves; of several the first
            long = [span for span in self._found.spans[resource] if span.end > span.since]
            self._freed[resource] = {span.end: span.task for span in reversed(long)}
        return self._freed[resource][time]

    def _maker(self, task: int) -> int | None:
        """Return the task whose data came last, if they came when the task could begin."""
        found = self._found
        last = (one for one in found.graph.tasks[task].waits_for if found.ends[one] == found.released[task])
        return min(last, default=None)

    def _ahead(self, task: int) -> int | None:
        """Return the transfer that a task had to go behind, if it left its links when the task could begin."""
        found, item = self._found, self._found.graph.tasks[task]
        ahead = () if isinstance(item, Compute) else item.behind
        return min((one for one in ahead if found.left(one) == found.released[task]), default=None)

    def _shared(self, task: int, ahead: int) -> int | None:
        """Return a link that two transfers have in common."""
        ways = [self._found.field.ways[item.way] for item in self._transfers(task, ahead)]
        return next((one for one in ways[0].resources if one in ways[1].resources), None)

    def _transfers(self, *tasks: int) -> list[Transfer]:
        items = [self._found.graph.tasks[task] for task in tasks]
        return [item for item in items if isinstance(item, Transfer)]

    def _opener(self, task: int) -> int | None:
        """Return the task that opened the barrier before a task's stage."""
        found, at = self._found, self._at[self._found.graph.tasks[task].stage]
        if found.options.overlap == "full" or not at:
            return None
        return next(one for one in self._stages[self._order[at - 1]] if found.ends[one] == found.released[task])
