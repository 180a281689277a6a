"""The chain of tasks that determines when a step ends.

Walked from the last task back. A task began when its data were there, or when what it runs on became free; whichever
came last is followed: the task that made the data, or the one that was served before. So there are no gaps, and the
chain is as long as the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal, TypeAlias

from hypar_opt.studies.simulation.interruption import watched
from hypar_opt.studies.simulation.tasks import Transfer

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.simulation.timeline import Span, Timeline

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


def critical_path(found: Timeline, limits: Limits | None = None) -> tuple[CriticalStep, ...]:
    """Return the chain, from the beginning on; tasks without length are left out of it.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    if not found.ends:
        return ()
    walk = _Walk(found)
    task, resource = found.ends.index(found.end), None
    steps = []
    for _ in watched(count(), limits, "while the critical path was followed"):
        step, before = walk.back(task, resource)
        if step.end > step.begin:
            steps.append(step)
        if before is None:
            break
        task, resource = before
    return tuple(reversed(steps))


class _Walk:
    def __init__(self, found: Timeline) -> None:
        self._found = found
        self._spans: dict[int, dict[int, Span]] = {}
        self._freed: dict[int, dict[int, int]] = {}
        self._stages: dict[int, list[int]] = {}
        for number, task in enumerate(found.graph.tasks):
            self._stages.setdefault(task.stage, []).append(number)
        self._order = sorted(self._stages)
        self._at = {stage: at for at, stage in enumerate(self._order)}

    def back(self, task: int, resource: int | None) -> tuple[CriticalStep, tuple[int, int | None] | None]:
        """Return a task's step on the chain, and the task before it with the resource on which that counts."""
        found = self._found
        on = self._slowest(task) if resource is None else resource
        span = None if on is None else self._span(on, task)
        begin, end = (found.begins[task], found.ends[task]) if span is None else (span.begin, span.end)
        if begin > found.released[task]:
            waited_for = found.waited[task] if found.waited[task] >= 0 else on
            assert waited_for is not None  # what waits waits for something
            before = self._before(waited_for, begin)
            served_apart = not found.options.contention and isinstance(found.graph.tasks[task], Transfer)
            return CriticalStep(task, begin, end, on, "resource", waited_for), (
                before,
                waited_for if served_apart else None,
            )
        maker = self._maker(task)
        if maker is not None:
            return CriticalStep(task, begin, end, on, "data"), (maker, None)
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
            way = found.field.ways[item.source, item.target]
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

    def _opener(self, task: int) -> int | None:
        """Return the task that opened the barrier before a task's stage."""
        found, at = self._found, self._at[self._found.graph.tasks[task].stage]
        if found.options.overlap == "full" or not at:
            return None
        return next(one for one in self._stages[self._order[at - 1]] if found.ends[one] == found.released[task])
