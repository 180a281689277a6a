"""Schedules of task graphs as rows of units, as pictures, tables and traces."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import assume, given, settings
from small_task_graphs import scheduled

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks.unit_rows import MOST_PERIODS, unit_rows, window_of
from hypar_opt.export.task_trace import task_trace
from hypar_opt.instance.tasks import TaskSchedule
from hypar_opt.report.tables import csv_text
from hypar_opt.report.tasks import tables
from tests.task_graphs import task_graph_of


def judged(instance, *begins, period=None):
    names = [task.name for task in instance.tasks]
    found = {name: None if begin is None else Fraction(begin) for name, begin in zip(names, begins, strict=True)}
    made = JudgedTasks(instance, TaskSchedule(found, None if period is None else Fraction(period)))
    assert made.fault is None
    return made


@cache
def steps():
    """Return a schedule of two resources with a group and a memory."""
    instance = task_graph_of(
        {"on": {"core": 2}, "seconds": "1/3"},
        {"on": ["core"], "after": ["k1"], "keeps": [{"memory": "hbm", "amount": 7}]},
        {"on": ["core", "link"], "seconds": 2, "after": ["k1"]},
        {"seconds": 1, "group": "g"},
        {"seconds": 1, "group": "g"},
        resources={"core": 2, "link": 1},
        memories={"hbm": 10, "disk": None},
    )
    return judged(instance, 0, "1/3", "1/3", 0, None)


@cache
def periodic():
    """Return a schedule whose first task is longer than its period."""
    instance = task_graph_of(
        {"on": ["core"], "seconds": 3},
        {"on": ["link"], "seconds": 1, "after": ["k1"]},
        resources={"core": 2, "link": 1},
        memories={"hbm": 10},
        objective="period",
    )
    return judged(instance, 0, 3, period="3/2")


def of_rows(found):
    return {row.name: [(bar.task, bar.begin, bar.end) for bar in row.bars] for row in unit_rows(found)}


def test_each_unit_has_a_row_and_what_takes_none_has_one_behind_them():
    third = Fraction(1, 3)
    assert of_rows(steps()) == {
        "core 1": [("k1", 0, third), ("k2", third, 1 + third)],
        "core 2": [("k1", 0, third), ("k3", third, 2 + third)],
        "link": [("k3", third, 2 + third)],
        "no resource": [("k4", 0, 1)],
    }


def test_what_is_repeated_is_shown_over_whole_periods():
    assert window_of(periodic()) == Fraction(9, 2)
    rows = {row.name: [(bar.begin, bar.end, bar.repeat) for bar in row.bars] for row in unit_rows(periodic())}
    half = Fraction(3, 2)
    assert rows["core 1"] == [(0, half, -1), (half, 3 * half, 1)]
    assert rows["core 2"] == [(0, 3, 0), (3, 3 * half, 2)]
    assert rows["link"] == [(0, 1, -2), (half, half + 1, -1), (3, 4, 0)]


@pytest.mark.slow
@settings(max_examples=30)
@given(scheduled())
def test_rows_have_as_much_as_resources_have_work(case):
    found = JudgedTasks(*case)
    assume(found.fault is None)
    for name in found.instance.resources:
        assert sum(row.busy for row in unit_rows(found) if row.resource == name) == found.work(name)


@pytest.mark.slow
@settings(max_examples=30)
@given(scheduled("period"))
def test_rows_of_what_is_repeated_have_as_much_in_each_period(case):
    found = JudgedTasks(*case)
    assume(found.fault is None)
    periods = window_of(found) / found.period
    assert 2 <= periods <= MOST_PERIODS
    for name in found.instance.resources:
        assert sum(row.busy for row in unit_rows(found) if row.resource == name) == periods * found.work(name)


def colours(figure):
    """Return by task the legend's word of its bars."""
    rows = [row for data in figure.spec["datasets"].values() for row in data] if "datasets" in figure.spec else []
    found = {}

    def look(part):
        if isinstance(part, dict):
            for row in part.get("data", {}).get("values", ()) if isinstance(part.get("data"), dict) else ():
                rows.append(row)
            for one in part.values():
                look(one)
        elif isinstance(part, list | tuple):
            for one in part:
                look(one)

    look(figure.spec)
    for row in rows:
        if "what" in row:
            found.setdefault(row["task"], set()).add(row["what"])
    return found


def test_the_picture_marks_what_leads_up_to_the_last_end():
    from hypar_opt.report.charts.task_gantt import CRITICAL, OTHERS, marked_tasks, task_figure

    figure = task_figure("by hand", steps())
    assert marked_tasks(steps()) == {"k1", "k3"}
    assert colours(figure) == {"k1": {CRITICAL}, "k2": {OTHERS}, "k3": {CRITICAL}, "k4": {OTHERS}}
    assert "the last end is 2.333 s" in figure.alternative
    assert "kept in hbm, which holds 10 (dashed)" in str(figure.spec)
    assert "kept in disk" not in str(figure.spec)


def test_the_picture_of_what_is_repeated_marks_what_needs_all_of_the_period():
    from hypar_opt.report.charts.task_gantt import AROUND, ONCE, REPEATED, marked_tasks, task_figure

    assert colours(task_figure("by hand", periodic())) == {"k1": {AROUND, REPEATED}, "k2": {ONCE, REPEATED}}
    longer = replace(periodic(), schedule=TaskSchedule(periodic().schedule.begins, Fraction(2)))
    assert longer.fault is None
    assert marked_tasks(longer) == frozenset()


def test_a_picture_of_too_many_units_says_how_many_are_left_out(monkeypatch):
    from hypar_opt.report.charts import task_gantt

    monkeypatch.setattr(task_gantt, "MOST_ROWS", 2)
    assert "the busiest 2 units are shown, 2 are not" in str(task_gantt.task_figure("by hand", steps()).spec)


def test_a_picture_of_tasks_of_no_time_has_colours_all_the_same():
    from hypar_opt.report.charts.task_gantt import OTHERS, task_figure

    found = judged(task_graph_of({"on": ["core"], "seconds": 0}, resources={"core": 1}), 0)
    figure = task_figure("by hand", found)
    assert (colours(figure), f"'domain': ['{OTHERS}']" in str(figure.spec)) == ({}, True)  # else Vega draws nothing


def test_many_tasks_that_nearly_touch_are_drawn_as_one(monkeypatch):
    from hypar_opt.report.charts import task_gantt

    monkeypatch.setattr(task_gantt, "MOST_NAMED", 3)
    instance = task_graph_of(*({"on": ["core"], "seconds": 1} for _ in range(9)), resources={"core": 1})
    found = judged(instance, *range(9))
    assert set(colours(task_gantt.task_figure("by hand", found))) == {""}


def test_tables_say_begins_units_busy_shares_and_peaks():
    lines = csv_text(tables.tasks_table(steps())).splitlines()
    assert lines == [
        "task,begin_s,end_s,seconds,units,group",
        "k1,0,1/3,1/3,core 1-2,",
        "k4,0,1,1,,g",
        "k2,1/3,4/3,1,core 1,",
        'k3,1/3,7/3,2,"core 2, link 1",',
        "k5,,,1,not done,g",
    ]
    assert csv_text(tables.resources_table(steps())).splitlines()[1:] == ["core,2,3,11/3,11/14", "link,1,1,2,6/7"]
    assert csv_text(tables.memories_table(steps())).splitlines()[1:] == ["hbm,10,7,0.7,1/3", "disk,,0,,0"]
    assert csv_text(tables.chain_table(steps())).splitlines()[1:] == [
        "k1,0,1/3,begins first of all", "k3,1/3,7/3,waits for k1",
    ]  # fmt: skip
    bounds = csv_text(tables.bounds_table(steps().instance)).splitlines()
    assert bounds[1] == '7/3,"k1 and k3 end no earlier, with all that they wait for"'


def events(found):
    return json.loads(task_trace(found, "trace.json"))["traceEvents"]


def test_a_trace_has_a_row_a_unit_and_what_is_kept():
    found = events(steps())
    rows = {one["tid"]: one["args"]["name"] for one in found if one["name"] == "thread_name"}
    assert list(rows.values()) == ["core 1", "core 2", "link", "no resource"]
    spans = [(rows[one["tid"]], one["name"], one["ts"], one["dur"]) for one in found if one["ph"] == "X"]
    assert ("core 2", "k3", 333333.333, 2e6) in spans
    assert len(spans) == 6
    kept = [(one["ts"], one["args"]["kept"]) for one in found if one["ph"] == "C" and one["name"] == "kept in hbm"]
    assert kept == [(0, 0), (333333.333, 7), (1333333.333, 0)]


@pytest.mark.parametrize("found", [steps, periodic], ids=["once", "repeated"])
def test_spans_of_a_row_of_a_trace_never_overlap(found):
    last = {}
    for one in events(found()):
        if one["ph"] == "X":
            assert one["ts"] >= last.get(one["tid"], 0)
            last[one["tid"]] = round(one["ts"] + one["dur"], 3)
