"""A simulation as a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show.

The format is the Trace Event Format's JSON object: a row for every accelerator, link direction and memory, a complete
event (`X`) for every task on it. A link that carries several at once has as many rows. Times are microseconds with
three decimals: whole nanoseconds, rounded down, so that events of a row never overlap.
"""

from __future__ import annotations

import json
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.simulation.tasks import Transfer, check, watched
from hypar_opt.util.files import atomically
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.simulation.platform import Kind
    from hypar_opt.studies.simulation.result import Simulation, Span

GROUPS: Final[Mapping[Kind, tuple[int, str]]] = {
    "accelerator": (2, "accelerators"),
    "link": (3, "links"),
    "memory": (4, "memories"),
}
"""By kind of a resource, the group of rows that it stands in, and what that is called; viewers show them in order."""
PATH: Final = (1, 1)
"""The critical path's group and row, both its own; viewers take row 0 for a processor without work."""
CRITICAL: Final = "critical path"
"""What both are called."""
WRITING: Final = "while the trace was written"
"""What it is at, for whoever stops it."""


def trace_events(found: Simulation, limits: Limits | None = None) -> Iterator[dict[str, Any]]:
    """Yield the events: names of groups, every row's name and tasks, the critical path.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    return watched(_events(found), limits, WRITING)


def _events(found: Simulation) -> Iterator[dict[str, Any]]:
    resources = found.field.resources
    for process, name in sorted({GROUPS[one.kind] for one in resources}):
        yield meta("process_name", process, 0, name=name)
    yield meta("process_name", PATH[0], 0, name=CRITICAL)
    yield meta("thread_name", *PATH, name=CRITICAL)
    thread = PATH[1] + 1
    for number, one in enumerate(resources):
        for lane, spans in enumerate(lanes_of(found.spans[number]) or [[]]):
            place = GROUPS[one.kind][0], thread
            name = one.name(found.machine) + (f" ({lane + 1})" if lane else "")
            yield meta("thread_name", *place, name=name)
            yield meta("thread_sort_index", *place, sort_index=thread)
            for span in spans:
                yield from _of_span(found, place, span)
            thread += 1
    for step in found.critical_path:
        waited = "" if step.waited_for is None else f" {resources[step.waited_for].name(found.machine)}"
        event = _event(found, step.task, PATH, step.begin, step.end)
        yield {**event, "args": {**event["args"], "waited for": f"{step.reason}{waited}"}}


def write_trace(found: Simulation, path: Path, limits: Limits | None = None) -> None:
    """Write the trace atomically, an event a line.

    Parameters
    ----------
    limits
        Its deadline and its flag end the writing; what was there before is left as it was.

    Raises
    ------
    InputError
        If the file cannot be written.
    SimulationStopped
        If the limits are over before the end.
    """
    write_events(trace_events(found, limits), path, limits)


def write_events(events: Iterable[dict[str, Any]], path: Path, limits: Limits | None = None) -> None:
    """Write events of whatever as a trace, atomically, an event a line; errors are those of `write_trace`."""
    with atomically(path) as stream:
        stream.write(b'{"displayTimeUnit": "ms", "traceEvents": [')
        for number, event in enumerate(events):
            stream.write((",\n" if number else "\n").encode() + json.dumps(event).encode())
        stream.write(b"\n]}\n")
        check(limits, WRITING)


def lanes_of(spans: Sequence[Span]) -> list[list[Span]]:
    """Return a resource's spans in as few rows as there can be without overlaps."""
    lanes: list[list[Span]] = []
    ends: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda one: (one.since, one.end, one.task)):
        if ends and ends[0][0] <= span.since:
            _, lane = heappop(ends)
        else:
            lane = len(lanes)
            lanes.append([])
        lanes[lane].append(span)
        heappush(ends, (span.end, lane))
    return lanes


def _of_span(found: Simulation, place: tuple[int, int], span: Span) -> Iterator[dict[str, Any]]:
    """Yield what a resource did for a task, and before it how long it was held for nothing."""
    if span.begin > span.since:
        held = _event(found, span.task, place, span.since, span.begin)
        yield {**held, "name": f"held: {held['name']}", "cat": "held"}
    yield _event(found, span.task, place, span.begin, span.end)


def _event(found: Simulation, number: int, place: tuple[int, int], begin: int, end: int) -> dict[str, Any]:
    task, unit, names = found.graph.tasks[number], found.field.clock.unit, found.machine.names
    first, last = begin * 10**9 // unit, end * 10**9 // unit
    args: dict[str, Any] = {"task": number}
    if isinstance(task, Transfer):
        args |= {"bytes": exact(task.amount), "from": names[task.source], "to": names[task.target]}
    process, thread = place
    times = {"ts": first / 1000, "dur": (last - first) / 1000}
    return {"name": task.name, "cat": task.phase, "ph": "X", "pid": process, "tid": thread, **times, "args": args}


def meta(kind: str, process: int, thread: int, **args: object) -> dict[str, Any]:
    """Return an event that says something of a row, or of a group of rows."""
    return {"name": kind, "ph": "M", "pid": process, "tid": thread, "args": args}
