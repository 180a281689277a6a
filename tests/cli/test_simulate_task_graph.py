"""hypar-opt simulate of task graphs."""

from __future__ import annotations

import json

import pytest

GRAPH = """\
schema: hypar-opt/task-graph/1
name: three
resources: {core: 2}
memories: {hbm: 4}
tasks:
  - {name: a, seconds: "1/3", on: [core], keeps: [{memory: hbm, amount: 3, until: b}]}
  - {name: b, seconds: 2, on: {core: 2}, after: [{task: a, lag: "1/2"}]}
  - {name: c, seconds: 1, after: [b], weight: 2}
"""
REPEATED = """\
schema: hypar-opt/task-graph/1
name: again
resources: {core: 1}
tasks:
  - {name: a, seconds: 1, on: [core]}
  - {name: b, seconds: 2, on: [core], after: [a]}
objective: period
"""


@pytest.fixture
def three(run, tmp_path):
    """Return a task graph, and its best plan."""
    path, plan = tmp_path / "three.yaml", tmp_path / "plan.json"
    path.write_text(GRAPH, encoding="utf-8")
    assert run("solve", path, "-f", "task-brute-force", "-o", plan, "--quiet").code == 0
    return path, plan


def lines(ran):
    return [row.rstrip() for row in ran.out.splitlines()]


def test_the_best_is_reproduced(run, three):
    ran = run("simulate", *three)
    assert (ran.code, ran.err) == (0, "")
    assert lines(ran) == [
        "three: 3 tasks, begun when the plan says: makespan 3.833 s, as planned, exactly",
        "the last ends after 3.833 s",
        "begun as early as the plan's order lets them: no task begins earlier",
    ]


def test_what_begins_earlier_in_the_same_order(run, three):
    plan = json.loads(three[1].read_text(encoding="utf-8"))
    plan["plan"]["b"] = "1"
    plan["plan"]["c"] = "7/2"
    three[1].write_text(json.dumps(plan), encoding="utf-8")
    ran = run("simulate", *three)
    assert lines(ran)[0] == "three: 3 tasks, begun when the plan says: makespan 4.5 s, as planned, exactly"
    assert lines(ran)[2:] == [
        "begun as early as the plan's order lets them: 2 tasks begin earlier, and the last ends after 3.833 s",
        "task  planned (s)  earliest (s)",
        "c     3.5          2.83333",
        "b     1            0.833333",
    ]
    found = json.loads(run("simulate", *three, "--json").out)
    assert (found["planned_s"], found["replayed_s"], found["earliest_makespan_s"]) == ("4.5", "4.5", "23/6")
    assert (found["is_reproduced"], found["earlier"]) == (True, 2)
    assert found["tasks"][1] == {"task": "b", "period": 0, "begin_s": 1, "end_s": 3, "earliest_s": "5/6"}


def test_a_trace_has_units_and_memories(run, three, tmp_path):
    ran = run("simulate", *three, "--trace", tmp_path / "trace.json", "-q")
    assert (ran.code, len(lines(ran))) == (0, 3)
    events = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    rows = {one["tid"]: one["args"]["name"] for one in events if one["name"] == "thread_name"}
    assert list(rows.values()) == ["core 1", "core 2", "no resource"]
    tasks = [(rows[one["tid"]], one["name"], one["ts"], one["dur"]) for one in events if one["ph"] == "X"]
    assert tasks == [
        ("core 1", "a", 0, 333333.333), ("core 1", "b", 833333.333, 2e6), ("core 2", "b", 833333.333, 2e6),
        ("no resource", "c", 2833333.333, 1e6),
    ]  # fmt: skip
    kept = [(one["name"], one["ts"], one["args"]["kept"]) for one in events if one["ph"] == "C"]
    assert kept == [("hbm", 0, 3), ("hbm", 2833333.333, 0)]


def test_what_is_repeated(run, tmp_path):
    path, plan = tmp_path / "again.yaml", tmp_path / "plan.json"
    path.write_text(REPEATED, encoding="utf-8")
    assert run("solve", path, "-f", "task-brute-force", "-o", plan, "--quiet").code == 0
    ran = run("simulate", path, plan, "--periods", 5, "--trace", tmp_path / "trace.json", "-q")
    assert lines(ran)[:2] == [
        "again: 2 tasks in 5 periods, begun when the plan says: period 3 s, as planned, exactly",
        "the last ends after 15 s",
    ]
    events = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
    assert [one["args"]["period"] for one in events if one["ph"] == "X"] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--overlap", "full"], "--overlap cannot be given with a task graph"),
        (["--sends", "greedy"], "--sends cannot be given with a task graph"),
        (["--gantt", "it.png"], "--gantt cannot be given with a task graph"),
        (["--periods", 3], "--periods: is of what is repeated; expected `objective: period`"),
    ],
)
def test_what_says_nothing_of_a_task_graph(run, three, options, said):
    ran = run("simulate", *three, *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_what_is_no_schedule_is_not_replayed(run, three, tmp_path):
    plan = json.loads(three[1].read_text(encoding="utf-8"))
    plan["plan"]["b"] = "0"
    three[1].write_text(json.dumps(plan), encoding="utf-8")
    ran = run("simulate", *three, "--trace", tmp_path / "trace.json")
    assert (ran.code, ran.out, (tmp_path / "trace.json").exists()) == (2, "", False)
    assert "plan.json: plan: b begins at 0 s" in ran.err.replace("'", "")


def test_periods_are_of_task_graphs(run, three):
    plan = json.loads(three[1].read_text(encoding="utf-8"))
    three[1].write_text(json.dumps(plan | {"instance": "sfc"}), encoding="utf-8")
    ran = run("simulate", "sfc", three[1], "--periods", 3)
    assert (ran.code, "--periods cannot be given with what is no task graph" in ran.err) == (2, True)
