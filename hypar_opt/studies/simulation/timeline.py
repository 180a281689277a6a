"""What happened in a simulated step: which resource served which task, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.studies.simulation.options import Options
    from hypar_opt.studies.simulation.resources import Platform
    from hypar_opt.studies.simulation.tasks import TaskGraph


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
class Timeline:
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
    field: Platform
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
