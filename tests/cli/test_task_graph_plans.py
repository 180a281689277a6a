"""Task graphs on the command line: solved, verified, shown, compared; what is wrong is told, and writes nothing."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.task_graphs import task_graph_document

LIST = "task-list-tail"


@pytest.fixture
def solved(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "six-tasks", "-f", LIST, "-o", path).code == 0
    return path


def test_a_schedule_is_shown_with_the_units_that_tasks_get(run, solved):
    shown = run("show", "six-tasks", "--plan", solved)
    assert shown.code == 0
    assert "multiplier 2" in shown.out
    assert "registers" in shown.out
    document = json.loads(run("show", "six-tasks", "--plan", solved, "--json").out)
    assert document["schedule"]["tasks"][0]["task"] == "m1"
    about = run("show", "six-tasks").out
    assert "6 tasks, 2 x multiplier, 1 x adder, registers of 3; least makespan" in about
    assert "none is below: multiplier has 2 units" in about
    assert json.loads(run("show", "six-tasks", "--json").out)["bounds"][0]["seconds"] == "7.5"


def test_damaged_schedules_are_refuted(run, solved):
    document = json.loads(solved.read_text())
    document["plan"]["a1"] = "1/2"
    solved.write_text(json.dumps(document))
    ran = run("verify", "six-tasks", solved)
    assert (ran.code, "too early" in ran.out) == (1, True)
    assert "too early" in run("show", "six-tasks", "--plan", solved).err


def test_what_is_wrong_in_a_file_is_told_and_nothing_is_written(run, tmp_path):
    path, output = tmp_path / "mine.yaml", tmp_path / "plan.json"
    path.write_text(yaml.safe_dump(task_graph_document({}, {"after": ["k11"]}), sort_keys=False))
    ran = run("solve", path, "-o", output)
    assert (ran.code, output.exists()) == (2, False)
    assert "mine.yaml:" in ran.err
    assert "tasks[1].after[0]: no task is called 'k11'; did you mean 'k1'?" in ran.err


def test_task_graphs_are_compared_and_listed(run):
    ran = run("compare", "six-tasks", "-f", "task-brute-force,task-list-tail,task-list-first")
    assert (ran.code, "8*" in ran.out) == (0, True), ran.err
    assert "six-tasks" in run("list", "task-graphs").out


def test_a_memory_that_is_too_small_is_explained(run, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(task_graph_document({"keeps": [{"memory": "m", "amount": 5}]}, memories={"m": 3})))
    ran = run("solve", path, "-f", "task-brute-force")
    assert "what would help: memories.m: 5" in ran.out
