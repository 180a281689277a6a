"""What a simulation found: its timeline, summed up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.studies.simulation.critical_path import CriticalStep, critical_path
from hypar_opt.studies.simulation.interruption import watched
from hypar_opt.studies.simulation.tasks import Compute
from hypar_opt.studies.simulation.timeline import Timeline

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits

SUMMING: Final = "while it was summed up"
"""What it is at, for whoever stops it."""


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
class Simulation(Timeline):
    """A step that was simulated to its end, and what follows from its timeline."""

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
    def critical_path(self) -> tuple[CriticalStep, ...]:
        """The chain of tasks that determines the end, from the beginning on; see `CriticalStep`."""
        return self._path(None)

    def _path(self, limits: Limits | None) -> tuple[CriticalStep, ...]:
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
