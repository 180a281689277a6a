"""Traces and pictures of a simulated step."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation.steps import compute, send, task_graphs
from traffic.machines import line

from hypar_opt.array import Link, Machine
from hypar_opt.errors import InputError
from hypar_opt.report.simulation_gantt import rows_of
from hypar_opt.simulation import Options, Span, TaskGraph, simulate, trace_events, write_trace
from hypar_opt.simulation.trace import lanes_of

FULL = Options("full")


def two_tasks():
    graph = TaskGraph((compute("a", 0, "1/3"), send("x", 0, 1, 2, [0])))
    return simulate(graph, line(2), FULL)


def test_a_trace_by_hand(tmp_path):
    write_trace(two_tasks(), tmp_path / "trace.json")
    document = json.loads((tmp_path / "trace.json").read_text())
    assert document["displayTimeUnit"] == "ms"
    names = [event for event in document["traceEvents"] if event["ph"] == "M"]
    assert [(one["name"], one["pid"], one["tid"], *one["args"].values()) for one in names] == [
        ("process_name", 1, 0, "accelerators"),
        ("process_name", 2, 0, "links"),
        ("process_name", 0, 0, "critical path"),
        ("thread_name", 1, 0, "a0"),
        ("thread_sort_index", 1, 0, 0),
        ("thread_name", 2, 1, "a0 -> a1"),
        ("thread_sort_index", 2, 1, 1),
    ]
    sent = {"task": 1, "bytes": 2, "from": "a0", "to": "a1"}
    first = {"name": "forward of a", "cat": "forward", "ph": "X", "ts": 0.0, "dur": 333333.333}
    then = {"name": "forward exchange of x, level 1", "cat": "forward", "ph": "X", "ts": 333333.333, "dur": 2000000.0}
    assert [event for event in document["traceEvents"] if event["ph"] == "X"] == [
        {**first, "pid": 1, "tid": 0, "args": {"task": 0}},
        {**then, "pid": 2, "tid": 1, "args": sent},
        {**first, "pid": 0, "tid": 0, "args": {"task": 0, "waited for": "start"}},
        {**then, "pid": 0, "tid": 0, "args": {**sent, "waited for": "data"}},
    ]


def test_what_is_held_while_waiting_has_events_of_its_own():
    found = simulate(TaskGraph((send("x", 1, 2, 3), send("y", 0, 2, 2))), line(3), FULL)
    held = [event for event in trace_events(found) if event.get("cat") == "held"]
    assert [(one["name"], one["ts"], one["dur"]) for one in held] == [
        ("held: forward exchange of y, level 1", 0.0, 3_000_000.0)
    ]
    critical = [
        event["args"]["waited for"] for event in trace_events(found) if event["pid"] == 0 and event["ph"] == "X"
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
    assert rows == ["a -> s", "b -> s", "s -> c", "s -> c (2)"]


@given(task_graphs(), st.booleans(), st.sampled_from(["none", "full"]))
def test_events_of_a_row_follow_each_other_and_all_tasks_are_there(drawn, contention, overlap):
    array, graph = drawn
    found = simulate(graph, array, Options(overlap, contention))
    rows = {}
    for event in trace_events(found):
        if event["ph"] == "X":
            rows.setdefault((event["pid"], event["tid"]), []).append(event)
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


def test_rows_of_a_picture():
    rows, left_out = rows_of(simulate(TaskGraph((send("x", 1, 2, 3), send("y", 0, 2, 2))), line(3), FULL))
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
