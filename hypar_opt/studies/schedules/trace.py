"""A schedule as a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show.

The format is the Trace Event Format's JSON object: a row for every device with a complete event (`X`) for each
operation, and a counter (`C`) of the bytes that it keeps. Times are microseconds with three decimals, rounded down, so
that events of a row never overlap.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from hypar_opt.evaluation.schedule import JudgedSchedule


def schedule_trace(name: str, judged: JudgedSchedule) -> str:
    """Return the trace of a schedule, an event a line.

    Parameters
    ----------
    name
        Of the schedule.
    """
    events = ",\n".join(json.dumps(one) for one in _events(name, judged))
    return f'{{"displayTimeUnit": "ms", "traceEvents": [\n{events}\n]}}\n'


def _events(name: str, judged: JudgedSchedule) -> Iterator[dict[str, Any]]:
    yield {"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": name}}
    for device in range(judged.devices):
        row = {"pid": 1, "tid": device + 1}
        yield {"name": "thread_name", "ph": "M", **row, "args": {"name": f"device {device + 1}"}}
        for time, kept in judged.memory(device):
            counted = {"bytes": float(kept)}
            yield {
                "name": f"kept by device {device + 1}",
                "ph": "C",
                "pid": 1,
                "ts": _microseconds(time),
                "args": counted,
            }
    for span in sorted(judged.spans):
        begin, end = _microseconds(span.begin), _microseconds(span.end)
        yield {
            "name": f"{span.phase} {span.microbatch + 1}",
            "cat": span.phase,
            "ph": "X",
            "pid": 1,
            "tid": span.device + 1,
            "ts": begin,
            "dur": round(end - begin, 3),
            "args": {"stage": span.stage + 1, "microbatch": span.microbatch + 1},
        }


def _microseconds(seconds: Fraction) -> float:
    return int(seconds * 10**9) / 1000
