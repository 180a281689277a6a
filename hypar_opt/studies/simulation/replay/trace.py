"""A replay as a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show.

A row for every unit of a resource, a complete event (`X`) for every task on it; a counter (`C`) for every memory that
has a limit; a row for what takes no resource. Times are as in `hypar_opt.studies.simulation.trace`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.tasks.units import lanes_of
from hypar_opt.studies.simulation.tasks import watched
from hypar_opt.studies.simulation.trace import WRITING, meta, write_events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.simulation.replay.run import Replay

UNITS: Final = (1, "resources")
MEMORIES: Final = (2, "memories")
ALONE: Final = "no resource"
"""The row of tasks that take none."""


def replay_events(found: Replay, limits: Limits | None = None) -> Iterator[dict[str, Any]]:
    """Yield the events: names of rows, tasks on units, and how much is in each memory from when on.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    return watched(_events(found), limits, WRITING)


def write_replay_trace(found: Replay, path: Path, limits: Limits | None = None) -> None:
    """Write the trace atomically, an event a line.

    Raises
    ------
    InputError
        If the file cannot be written.
    SimulationStopped
        If the limits are over before the end.
    """
    write_events(replay_events(found, limits), path, limits)


def _events(found: Replay) -> Iterator[dict[str, Any]]:
    instance = found.score.instance
    for process, name in (UNITS, MEMORIES):
        yield meta("process_name", process, 0, name=name)
    takers: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, play in enumerate(found.score.plays):
        for place, units in play.takes or ((len(instance.resources), 1),):
            takers[place].append((number, units))
    thread = 1
    for place, (name, count) in enumerate([*instance.resources.items(), (ALONE, 0)]):
        for lane, own in enumerate(_lanes(found, takers[place], count)):
            yield meta("thread_name", UNITS[0], thread, name=f"{name} {lane + 1}" if count > 1 else name)
            yield meta("thread_sort_index", UNITS[0], thread, sort_index=thread)
            yield from (_event(found, number, thread) for number in own)
            thread += 1
    yield from _counters(found)


def _lanes(found: Replay, takers: Sequence[tuple[int, int]], count: int) -> list[list[int]]:
    """Return by unit the plays that have it, by the rule of `units_of`; of no resource as many as there are at once."""
    spans = [(found.begins[number], found.ends[number], units) for number, units in takers]
    return [[takers[place][0] for place in own] for own in lanes_of(spans, count)]


def _event(found: Replay, number: int, thread: int) -> dict[str, Any]:
    play = found.score.plays[number]
    first, last = _nanoseconds(found, found.begins[number]), _nanoseconds(found, found.ends[number])
    args = {"period": play.period + 1} if found.score.schedule.period is not None else {}
    name = found.score.instance.tasks[play.task].name
    times = {"ts": first / 1000, "dur": (last - first) / 1000}
    return {"name": name, "cat": "task", "ph": "X", "pid": UNITS[0], "tid": thread, **times, "args": args}


def _counters(found: Replay) -> Iterator[dict[str, Any]]:
    """Yield how much is in each memory with a limit, whenever that changes."""
    instance = found.score.instance
    limited = [name for name, room in instance.memories.items() if room is not None]
    changes: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for number, play in enumerate(found.score.plays):
        for place, amount, until in play.keeps:
            end = max(found.ends[number], 0 if until is None else found.ends[until])
            changes[place][found.begins[number]] += amount
            changes[place][end] -= amount
    for number, name in enumerate(limited, len(instance.resources)):
        there = 0
        for time, change in sorted(changes[number].items()):
            there += change
            moment = _nanoseconds(found, time) / 1000
            yield {"name": name, "ph": "C", "pid": MEMORIES[0], "ts": moment, "args": {"kept": there}}


def _nanoseconds(found: Replay, ticks: int) -> int:
    return ticks * 10**9 // found.score.unit
