"""hypar-opt pareto --on as a user meets it."""

from __future__ import annotations

import json
import signal
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction

import pytest
import workers_here
from executor.here import Here

from formulations.fronts import asking
from hypar_opt.executor import LostWorkers

ROW_STATIONARY = ("--array", "hypar-row-stationary-16", "--workers", "1")
ASKED = ("pareto", "lenet-c", *ROW_STATIONARY)


def without_times(out):
    """Return a document for machines, but for times, as text."""
    found = json.loads(out)
    for one in (found, *found["points"]):
        one.pop("runtime_s", None)
    return json.dumps(found)


@pytest.mark.slow
def test_the_front_is_that_of_one_process_byte_for_byte(program, run, tmp_path):
    ran = program(*ASKED, "-f", "cp-sat", "--on", "local:2", "-o", tmp_path / "workers.json")
    assert (ran.code, ran.err) == (0, "on 2 local processes\n")
    assert "2 points, complete, by cp-sat" in ran.out
    here = run(*ASKED, "-f", "cp-sat", "-o", tmp_path / "here.json")
    assert here.code == 0, here.err
    workers, alone = (without_times((tmp_path / f"{name}.json").read_text()) for name in ("workers", "here"))
    assert workers == alone


@pytest.mark.slow
def test_a_signal_keeps_what_is_proven(start_program):
    process = start_program(
        "pareto", "vgg-a", *ROW_STATIONARY, "-f", "cp-sat", "--on", "local:2", "--json-lines",
    )  # fmt: skip
    for line in process.stdout:
        event = json.loads(line)
        if event.get("unit") == "points" and event["done"] > 8:  # weighted sums find eight
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=600)
    assert process.returncode == 130
    front = json.loads(out.splitlines()[-1])
    assert front["complete"] is False and len(front["points"]) > 8 and Fraction(front["excess"]) > 0


def by(monkeypatch, workers):
    """Have the command's workers be these."""
    monkeypatch.setattr("hypar_opt.cli.pareto_command.opened", lambda *_: nullcontext(workers))
    return workers


def test_a_check_by_workers(run, monkeypatch):
    workers = by(monkeypatch, Here())
    ran = run(*ASKED, "--check", "cp-sat", "--on", "local")
    assert ran.code == 0, ran.err
    assert "by joint-dp" in ran.out and "cp-sat finds the same points" in ran.out
    assert workers.batches


def test_a_zone_that_kills_its_workers_leaves_the_front_incomplete(run, monkeypatch):
    workers = by(monkeypatch, Here(lambda piece: len(workers.batches) == 1))
    ran = run(*ASKED, "-f", "cp-sat", "--check", "cp-sat", "--on", "local")
    assert ran.code == 3, ran.err
    said = " ".join(ran.out.split())
    assert "NOT complete" in said
    assert "(the search of a zone was set aside: 3 processes died while they ran it)" in said


def test_workers_that_are_lost_leave_the_points_so_far_and_the_error(run, monkeypatch):
    answers = []

    def lose(result):
        answers.append(result)
        if len(answers) > 1:
            raise LostWorkers("the scheduler is gone", field="--on")
        return result

    monkeypatch.setattr("hypar_opt.cli.on.open_workers", lambda *_: workers_here.Here(lose))
    ran = run(*ASKED, "-f", "cp-sat", "--on", "local:2", "--json")
    assert (ran.code, ran.err) == (2, "error: --on: the scheduler is gone; what was done by then is kept\n")
    front = json.loads(ran.out)
    assert front["complete"] is False and front["points"] and len(answers) > 1


def test_an_answer_that_was_changed_on_its_way_is_an_error(run, monkeypatch, tmp_path):
    found = asking.answered

    def changed(piece, limits):
        return replace(found(piece, limits), found=None)

    changed.__module__, changed.__qualname__ = asking.__name__, "answered"  # as which it is pickled
    monkeypatch.setattr(asking, "answered", changed)
    by(monkeypatch, Here())
    ran = run(*ASKED, "-f", "cp-sat", "--on", "local", "-o", tmp_path / "front.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "error: what came back of a zone from its worker is damaged, or answers something else\n"
    assert not (tmp_path / "front.json").exists()


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ((), "whose searches are handed out?"),
        (("-f", "joint-dp"), "joint-dp would give workers nothing to do"),
        (("-f", "joint-dp", "--check", "brute-force"), "joint-dp and brute-force would give workers nothing to do"),
    ],
)
def test_what_hands_out_nothing_is_refused_before_any_work(run, tmp_path, named, why):
    ran = run(*ASKED, *named, "--on", "local:2", "-o", tmp_path / "front.json")
    ways = "name a formulation that hands out the zones of a front: -f cp-sat or --check cp-sat"
    assert (ran.code, ran.out) == (2, "")
    assert f"Error: --on: {why}; {ways}\n" in ran.err
    assert not (tmp_path / "front.json").exists()
