"""Traces and pictures of a simulated step."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise
from threading import Event as Flag

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.formulation.run import Limits
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.report.charts.gantt import rows_of
from hypar_opt.studies.simulation import (
    Options,
    SimulationStopped,
    Span,
    TaskGraph,
    simulate,
    trace_events,
    write_trace,
)
from hypar_opt.studies.simulation.trace import lanes_of
from hypar_opt.util.errors import InputError
from tests.evaluation.links.machines import line
from tests.studies.simulation.steps import compute, over_after, send, task_graphs

FULL, ORDERED = Options("full"), Options("full", acquire="ordered")


def two_tasks():
    graph = TaskGraph((compute("a", 0, "1/3"), send("x", 0, 1, 2, [0])))
    return simulate(graph, line(2), FULL)


def test_a_trace_by_hand(tmp_path):
    write_trace(two_tasks(), tmp_path / "trace.json")
    document = json.loads((tmp_path / "trace.json").read_text())
    assert document["displayTimeUnit"] == "ms"
    names = [event for event in document["traceEvents"] if event["ph"] == "M"]
    assert [(one["name"], one["pid"], one["tid"], *one["args"].values()) for one in names] == [
        ("process_name", 2, 0, "accelerators"),
        ("process_name", 3, 0, "links"),
        ("process_name", 1, 0, "critical path"),
        ("thread_name", 1, 1, "critical path"),
        ("thread_name", 2, 2, "a0"),
        ("thread_sort_index", 2, 2, 2),
        ("thread_name", 3, 3, "a0 -> a1"),
        ("thread_sort_index", 3, 3, 3),
    ]
    sent = {"task": 1, "bytes": 2, "from": "a0", "to": "a1"}
    first = {"name": "forward of a", "cat": "forward", "ph": "X", "ts": 0.0, "dur": 333333.333}
    then = {"name": "forward exchange of x, level 1", "cat": "forward", "ph": "X", "ts": 333333.333, "dur": 2000000.0}
    assert [event for event in document["traceEvents"] if event["ph"] == "X"] == [
        {**first, "pid": 2, "tid": 2, "args": {"task": 0}},
        {**then, "pid": 3, "tid": 3, "args": sent},
        {**first, "pid": 1, "tid": 1, "args": {"task": 0, "waited for": "start"}},
        {**then, "pid": 1, "tid": 1, "args": {**sent, "waited for": "data"}},
    ]


def test_what_is_held_while_waiting_has_events_of_its_own():
    found = simulate(TaskGraph((send("x", 1, 2, 3), send("y", 0, 2, 2))), line(3), ORDERED)
    held = [event for event in trace_events(found) if event.get("cat") == "held"]
    assert [(one["name"], one["ts"], one["dur"]) for one in held] == [
        ("held: forward exchange of y, level 1", 0.0, 3_000_000.0)
    ]
    critical = [
        event["args"]["waited for"] for event in trace_events(found) if event["pid"] == 1 and event["ph"] == "X"
    ]
    assert critical == ["start", "resource a1 -> a2"]


def test_a_link_that_carries_several_at_once_has_as_many_rows():
    spans = [Span(0, 0, 0, 4), Span(1, 0, 1, 3), Span(2, 3, 3, 3), Span(3, 3, 3, 9), Span(4, 5, 5, 6)]
    assert [[span.task for span in lane] for lane in lanes_of(spans)] == [[1, 2, 3], [0, 4]]
    graph = TaskGraph((send("x", 0, 2, 4), send("y", 1, 2, 4)))
    links = (Link((0, 3), Fraction(1)), Link((1, 3), Fraction(1)), Link((3, 2), Fraction(2)))
    found = simulate(graph, Machine("custom", ("a", "b", "c"), ("s",), links), FULL)
    assert found.time == 4
    rows = [event["args"]["name"] for event in trace_events(found) if event["name"] == "thread_name"]
    assert rows == ["critical path", "a -> s", "b -> s", "s -> c", "s -> c (2)"]


@pytest.mark.slow
@given(task_graphs(), st.booleans(), st.sampled_from(["none", "full"]))
def test_events_of_a_row_follow_each_other_and_all_tasks_are_there(drawn, contention, overlap):
    array, graph = drawn
    found = simulate(graph, array, Options(overlap, contention))
    rows, named = {}, set()
    for event in trace_events(found):
        if event["name"] == "thread_name":
            named.add((event["pid"], event["tid"]))
        if event["ph"] == "X":
            rows.setdefault((event["pid"], event["tid"]), []).append(event)
    assert rows.keys() <= named
    assert all(pid and tid for pid, tid in named)
    for events in rows.values():
        for one, two in pairwise(events):
            # whole nanoseconds, so that the end of one is not behind the beginning of the next
            assert round(one["ts"] * 1000) + round(one["dur"] * 1000) <= round(two["ts"] * 1000)
    shown = {event["args"]["task"] for events in rows.values() for event in events}
    long = {number for number in range(len(graph)) if found.ends[number] > found.begins[number]}
    assert long <= shown


def test_a_trace_that_cannot_be_written_leaves_what_was_there(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        write_trace(two_tasks(), tmp_path / "none" / "trace.json")
    assert list(tmp_path.iterdir()) == []


def test_a_trace_that_is_stopped_leaves_what_was_there(tmp_path):
    path, stop = tmp_path / "trace.json", Flag()
    path.write_text("old")
    found = simulate(TaskGraph(tuple(compute(f"c{i}", 0, 1) for i in range(600))), line(2), FULL)
    for number, _ in enumerate(trace_events(found, Limits(stop=stop))):
        if number == 300:
            break  # it goes on as long as nobody stops it
    stop.set()
    with pytest.raises(SimulationStopped, match=r"^stopped while the trace was written; nothing is reported$"):
        write_trace(found, path, Limits(stop=stop))
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])
    write_trace(found, path, Limits())
    assert len(json.loads(path.read_text())["traceEvents"]) > 1200


def test_a_trace_is_stopped_on_the_way(tmp_path):
    found = simulate(TaskGraph(tuple(compute(f"c{i}", 0, 1) for i in range(600))), line(2), FULL)
    stop, seen = Flag(), []
    with pytest.raises(SimulationStopped):
        for event in trace_events(found, Limits(stop=stop)):
            seen.append(event)
            stop.set()
    assert 0 < len(seen) < 600


def test_a_trace_that_is_stopped_at_its_last_event_is_not_put_into_its_place(tmp_path):
    with pytest.raises(SimulationStopped, match=r"^stopped while the trace was written; nothing is reported$"):
        write_trace(two_tasks(), tmp_path / "trace.json", over_after(1))
    assert list(tmp_path.iterdir()) == []
    write_trace(two_tasks(), tmp_path / "trace.json", over_after(2))
    assert list(tmp_path.iterdir()) == [tmp_path / "trace.json"]


def test_a_picture_can_be_stopped():
    stop = Flag()
    stop.set()
    with pytest.raises(SimulationStopped, match=r"^stopped while the picture was drawn; nothing is reported$"):
        rows_of(two_tasks(), Limits(stop=stop))


def test_rows_of_a_picture():
    rows, left_out = rows_of(simulate(TaskGraph((send("x", 1, 2, 3), send("y", 0, 2, 2))), line(3), ORDERED))
    blue, grey = "#56B4E9", "#DDDDDD"
    assert [(row.name, row.bars) for row in rows] == [
        ("critical path", ((blue, 0.0, 1.0),)),
        ("a0 -> a1", ((grey, 0.0, 0.6), (blue, 0.6, 1.0))),
        ("a1 -> a2", ((blue, 0.0, 1.0),)),
    ]
    assert left_out == ""


def test_of_many_the_busiest_are_shown_and_that_is_said():
    tasks = [compute(f"c{i}", i, 1 + i % 3) for i in range(40)] + [send("x", 0, 1, 1)]
    rows, left_out = rows_of(simulate(TaskGraph(tuple(tasks)), line(40), FULL))
    assert left_out == "shown: the 16 busiest of 40 accelerators"
    names = [row.name for row in rows]
    assert names[0] == "critical path"
    assert names[-1] == "a0 -> a1"
    # 13 of three seconds, then the first three of two
    assert names[1:-1] == [f"a{i}" for i in range(40) if i % 3 == 2 or i in (1, 4, 7)]


def test_small_gaps_are_not_drawn():
    tasks = tuple(compute(f"c{i}", 0, Fraction(1, 100_000)) for i in range(1000))
    rows, _ = rows_of(simulate(TaskGraph(tasks), line(2), FULL))
    assert rows[1].bars == (("#56B4E9", 0.0, 1.0),)


def test_a_picture_of_nothing_is_one():
    rows, left_out = rows_of(simulate(TaskGraph((compute("join", 0, 0),)), line(2), FULL))
    assert [(row.name, row.bars) for row in rows] == [("critical path", ()), ("a0", ())]
    assert not re.search("shown", left_out)
