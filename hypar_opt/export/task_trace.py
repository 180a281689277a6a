"""A schedule of a task graph as a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show.

The format is the Trace Event Format's JSON object: a row for every unit of a resource with a complete event (`X`) for
each task on it, and a counter (`C`) of what is kept in each memory. Times are microseconds with three decimals, rounded
down, so that events of a row never overlap.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.tasks.chain import chain_of
from hypar_opt.evaluation.tasks.unit_rows import unit_rows, window_of
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.tasks import JudgedTasks


def task_trace(judged: JudgedTasks, _: str) -> str:
    """Return the trace of a schedule, an event a line; of one that is repeated, some of its periods."""
    events = ",\n".join(json.dumps(one) for one in _events(judged))
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{events}\n]}}\n'


def _events(judged: JudgedTasks) -> Iterator[dict[str, Any]]:
    yield {"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": judged.instance.name}}
    because = {} if judged.repeats else {step.task: step.reason for step in chain_of(judged)}
    for row, unit in enumerate(unit_rows(judged), 1):
        place = {"pid": 1, "tid": row}
        yield {"name": "thread_name", "ph": "M", **place, "args": {"name": unit.name}}
        yield {"name": "thread_sort_index", "ph": "M", **place, "args": {"sort_index": row}}
        for bar in unit.bars:
            begin, end = _microseconds(bar.begin), _microseconds(bar.end)
            args: dict[str, Any] = {"begin_s": exact(bar.begin), "end_s": exact(bar.end)}
            args |= {"period": bar.repeat} if judged.repeats else {}
            args |= {"leads up to the last end": because[bar.task]} if bar.task in because else {}
            times = {"ts": begin, "dur": round(end - begin, 3)}
            yield {"name": bar.task, "cat": unit.resource or "none", "ph": "X", **place, **times, "args": args}
    for memory in judged.instance.memories:
        yield from _kept(judged, memory)


def _kept(judged: JudgedTasks, memory: str) -> Iterator[dict[str, Any]]:
    period = judged.repeats
    count = 1 if period is None else int(window_of(judged) / period)
    for number in range(count):
        for moment, kept in judged.kept(memory):
            when = _microseconds(moment + number * (period or Fraction(0)))
            yield {"name": f"kept in {memory}", "ph": "C", "pid": 1, "ts": when, "args": {"kept": float(kept)}}


def _microseconds(seconds: Fraction) -> float:
    return int(seconds * 10**9) / 1000
