"""`diff`, `export --to trace` and pictures of plans of task graphs, as a user runs them, and what they refuse."""

from __future__ import annotations

import json

import pytest

from tests.task_graphs import task_graph_document

TWO = task_graph_document(
    {"on": ["core"], "seconds": 2}, {"on": ["core"], "after": ["k1"], "seconds": "1/3"}, {"seconds": 1},
    resources={"core": 1},
)  # fmt: skip


@pytest.fixture
def files(run, tmp_path):
    """Return the files of a task graph and of a plan of it."""
    tasks, plan = tmp_path / "tasks.json", tmp_path / "plan.json"
    tasks.write_text(json.dumps(TWO), encoding="utf-8")
    assert run("solve", tasks, "-f", "task-list-tail", "-q", "-o", plan).code == 0
    return tasks, plan


def test_a_trace_is_written(run, files, tmp_path):
    ran = run("export", *files, "--to", "trace", "-o", tmp_path / "trace.json")
    assert (ran.code, "lines for trace" in ran.out) == (0, True)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    spans = {one["name"]: (one["ts"], one["dur"]) for one in events if one["ph"] == "X"}
    assert spans == {"k1": (0, 2e6), "k2": (2e6, 333333.333), "k3": (0, 1e6)}


@pytest.mark.parametrize(
    ("target", "output", "text"),
    [
        ("trace", "trace.txt", "expected a name that ends in .json, got 'trace.txt'"),
        ("jax", "step.py", "--to trace writes it"),
        ("schedule", "sends.json", "schedules of sends are plans of collectives"),
    ],
)
def test_what_a_plan_of_tasks_is_not_exported_to(run, files, tmp_path, target, output, text):
    ran = run("export", *files, "--to", target, "-o", tmp_path / output)
    assert (ran.code, text in " ".join(ran.err.split())) == (2, True), ran.err
    assert not (tmp_path / output).exists()


@pytest.mark.slow
def test_a_plan_of_another_kind_is_no_trace_of_tasks(run, tmp_path):
    assert run("solve", "ring-4", "-f", "multitree", "-q", "-o", tmp_path / "sends.json").code == 0
    ran = run("export", "ring-4", tmp_path / "sends.json", "--to", "trace", "-o", tmp_path / "trace.json")
    assert (ran.code, "traces of tasks are of plans of task graphs" in ran.err) == (2, True)


def test_two_schedules_beside_each_other(run, files, tmp_path):
    tasks, plan = files
    later = tmp_path / "later.json"
    document = json.loads(plan.read_text())
    document["plan"]["k3"] = "1/2"
    later.write_text(json.dumps(document))
    ran = run("diff", plan, later, tasks)
    assert (ran.code, "1 of 3 tasks are done at other times" in ran.out) == (0, True)
    said = json.loads(run("diff", plan, later, tasks, "--json").out)
    assert said["tasks"] == [{"task": "k3", "begins_s": [0, "0.5"]}]
    assert run("diff", plan, later, tasks, "-q").out.startswith("it: 1 of 3 tasks")


@pytest.mark.slow
def test_a_picture_is_drawn(run, files, tmp_path):
    tasks, plan = files
    assert run("show", tasks, "--plan", plan, "-o", tmp_path / "schedule.svg").code == 0
    assert ">k1<" in (tmp_path / "schedule.svg").read_text()
    assert run("show", tasks, "--plan", plan, "-o", tmp_path / "schedule.csv").code == 0
    assert (tmp_path / "schedule.csv").read_text().splitlines()[1] == "k1,0,2,2,core 1"
