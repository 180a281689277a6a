"""What a simulation found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.simulation.stopping import watched
from hypar_opt.simulation.tasks import Compute

if TYPE_CHECKING:
    from hypar_opt.array import Machine
    from hypar_opt.run import Limits
    from hypar_opt.simulation.critical import Step
    from hypar_opt.simulation.field import Field
    from hypar_opt.simulation.options import Options
    from hypar_opt.simulation.tasks import TaskGraph

SUMMING: Final = "while it was summed up"
"""What it is at, for whoever stops it."""


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


@dataclass(frozen=True)
class Simulation:
    """A step that was simulated to its end; times in ticks of `field.clock`.

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
    field: Field
    released: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    waited: tuple[int, ...]
    spans: tuple[tuple[Span, ...], ...]

    @property
    def end(self) -> int:
        """When all is done, in ticks."""
        return max(self.ends, default=0)

    @property
    def time(self) -> Fraction:
        """Seconds of the step."""
        return self.field.clock.seconds(self.end)

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
                way, units = field.ways[task.source, task.target], clock.units(task.amount)
                for resource, pace in zip(way.resources, way.paces, strict=True):
                    total[resource] += units * pace
        return clock.seconds(max(total, default=0))

    @cached_property
    def critical_path(self) -> tuple[Step, ...]:
        """The chain of tasks that determines the end, from the beginning on; see `Step`."""
        return self._path(None)

    def _path(self, limits: Limits | None) -> tuple[Step, ...]:
        from hypar_opt.simulation.critical import critical_path

        return critical_path(self, limits)

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
        makers = {"uses": self._uses, "floor": self._floor, "critical_path": self._path}
        for name, make in makers.items():
            if name not in self.__dict__:  # where cached_property keeps it
                self.__dict__[name] = make(limits)
