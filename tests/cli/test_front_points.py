"""Points of fronts, given to the commands that read plans."""

from __future__ import annotations

import json

import pytest

ARRAY = ("--array", "hypar-row-stationary-16")


@pytest.fixture
def front(run, tmp_path):
    path = tmp_path / "front.json"
    assert run("pareto", "lenet-c", *ARRAY, "-o", path, "-q").code == 0
    return path


def test_a_point_goes_where_a_plan_goes(run, front, tmp_path):
    energy = json.loads(front.read_text())["points"][1]["cost"]["energy_J"]
    point = f"{front}#2"
    ran = run("verify", "lenet-c", point, "--json")
    assert ran.code == 0, ran.err
    verdict = json.loads(ran.out)
    assert verdict["verdict"] == "confirmed" and energy in ran.out
    assert run("simulate", "lenet-c", point, "-q").code == 0
    assert "time 74.74 ms" in run("show", "lenet-c", "--plan", point, "-q").out
    explored = run("explore", "lenet-c", *ARRAY, "--plan", point, "--layers", "fc2", "--levels-free", "4", "-q")
    assert explored.code == 0, explored.err
    started = run("solve", "lenet-c", *ARRAY, "--start", point, "-f", "cp-sat", "--objective", "energy", "--json")
    assert started.code == 0, started.err
    assert json.loads(started.out)["objective"] == energy


@pytest.mark.slow
def test_points_in_a_report_are_named_by_their_numbers(run, front, tmp_path):
    page = tmp_path / "page"
    given = [argument for number in (1, 2) for argument in ("--plans", f"{front}#{number}")]
    ran = run("report", *given, "--without", "front,exploration,scaling", "-o", page, "-q")
    assert ran.code == 0, ran.err
    assert sorted(path.name for path in (page / "plans" / "lenet-c").iterdir()) == [
        "joint-dp-front-2.json", "joint-dp.json",
    ]  # fmt: skip
    assert run("verify", "lenet-c", page / "plans" / "lenet-c" / "joint-dp-front-2.json", "-q").code == 0


def test_one_point_is_saved_as_a_plan(run, front, tmp_path):
    plan = tmp_path / "plan.json"
    ran = run("pareto", "lenet-c", *ARRAY, "--point", "2", "-o", plan)
    assert ran.code == 0 and "2 points, complete" in ran.out, "the front is shown as ever"
    said, point = json.loads(plan.read_text()), json.loads(front.read_text())["points"][1]
    assert (said["schema"], said["status"], said["bound"]) == ("hypar-opt/plan/1", "FEASIBLE", None)
    assert {name: said[name] for name in point} == point
    assert run("verify", "lenet-c", plan, "-q").out == "confirmed\n"


def test_a_point_that_the_front_does_not_have_is_not_written(run, tmp_path):
    ran = run("pareto", "lenet-c", *ARRAY, "--point", "3", "-o", tmp_path / "p.json", "--plot", tmp_path / "p.svg")
    assert (ran.code, ran.out) == (2, "")
    assert "error: --point: expected a number from 1 to 2, as many points as the front has, got 3" in ran.err
    ran = run("pareto", "lenet-c", *ARRAY, "--point", "1", "-o", tmp_path / "p.json", "--time-limit", "1e-9")
    assert ran.code == 2 and "--point: expected a front with points, got 1" in ran.err
    assert not list(tmp_path.iterdir())


def test_a_point_without_a_place(run):
    ran = run("pareto", "lenet-c", *ARRAY, "--point", "2")
    assert ran.code == 2 and "--point is written as a plan's file; say where with -o PLAN.json" in ran.err


COMMANDS = {
    "verify": ("lenet-c",),
    "simulate": ("lenet-c",),
    "show": ("lenet-c", "--plan"),
    "explore": ("lenet-c", *ARRAY, "--plan"),
    "report": ("-o", "page", "--plans"),
    "solve": ("lenet-c", *ARRAY, "-o", "new.json", "--start"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_point_that_there_is_not(command, run, front, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ran = run(command, *COMMANDS[command], "front.json#3")
    assert ran.code == 2
    assert ran.err.startswith("error: front.json: points: expected the number of a point after '#', from 1 to 2, got")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_front_is_no_plan(command, run, front, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    ran = run(command, *COMMANDS[command], "front.json")
    assert ran.code == 2 and sorted(tmp_path.iterdir()) == before
    assert ran.err.startswith("error: front.json: schema: ")
    assert "a front of 2 points, expected a plan; name one of them, as in front.json#2" in ran.err
