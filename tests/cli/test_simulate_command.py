"""hypar-opt simulate as a user runs it."""

from __future__ import annotations

import json
import signal
import time
from fractions import Fraction

import pytest

TINY = """\
schema: hypar-opt/instance/1
name: tiny
batch: 8
network:
  input: [4]
  layers:
    - {name: fc1, linear: {features: 3}}
    - {name: fc2, linear: {features: 5}}
array:
  topology: ring
  levels: 1
  placement: identity
  link: {bandwidth: 12}
  accelerator: {model: as-evaluated, rate: 24, memory: {bandwidth: 6}}
cost: {accounting: published, choices: [dp, mp]}
fix: {fc1: m, fc2: d}
"""
TORUS = """\
topology: torus
levels: 4
dims: [4, 4]
placement: identity
link: {bandwidth: 125000000}
accelerator: {model: as-evaluated, rate: 84e9}
"""
NETWORKS = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")


@pytest.fixture
def solved(run, tmp_path):
    """Return a function that solves and returns the plan's path."""

    def solve(*arguments):
        path = tmp_path / "plan.json"
        ran = run("solve", *arguments, "-o", path, "--quiet", "--no-explain")
        assert ran.code == 0, ran.err
        return path

    return solve


@pytest.fixture
def tiny(tmp_path, solved):
    """Return an instance that can be reckoned by hand, and its plan."""
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path, solved(path)


def test_a_step_by_hand(run, tiny):
    # fc1: 96 macs, halved, are 4 s a phase; fc2: 120, halved, 5 s; so 27 s. 96 + 60 + 48 bytes at 12 B/s: 17 s
    ran = run("simulate", *tiny)
    assert (ran.code, ran.err) == (0, "")
    assert [row.rstrip() for row in ran.out.splitlines()] == [
        "tiny: a step takes 44 s simulated (overlap none, contention)",
        "analytic: 44 s = computing 27 s + communicating 17 s; simulated is the same exactly",
        "analytic with overlap: 27 s layer by layer, 27 s perfect",
        "no order of these tasks takes less than 27 s, the most that one resource has to do",
        "",
        "resources        used  busy at least  mean    at most  held waiting, mean",
        "accelerators     2     61.4 %         61.4 %  61.4 %   0 %",
        "link directions  2     38.6 %         38.6 %  38.6 %   0 %",
        "",
        "busiest   tasks  busy  of the step  held waiting",
        "a0 -> a1  3      17 s  38.6 %       0",
        "a1 -> a0  3      17 s  38.6 %       0",
        "",
        "critical path  tasks  seconds  of the step  computing  sending",
        "forward        3      17 s     38.6 %       9 s        8 s",
        "backward       3      13 s     29.5 %       9 s        4 s",
        "gradient       3      14 s     31.8 %       9 s        5 s",
        "its 9 tasks waited: 5 for data, 3 for a barrier, 1 for nothing",
    ]


def test_with_overlap_by_hand(run, tiny):
    # forward 4 + 8 + 5, backward of fc2 5, its gradient 5 while E crosses in 4; backward and gradient of fc1 4 + 4
    ran = run("simulate", *tiny, "--overlap", "full", "--quiet")
    assert ran.out.splitlines()[:2] == [
        "tiny: a step takes 35 s simulated (overlap full, contention)",
        "analytic: 44 s = computing 27 s + communicating 17 s; simulated takes 20.5 % less",
    ]


def test_memory_ports(run, tiny):
    # 6 B/s at either end, what comes and what goes: every exchange takes four times as long with both ports held
    ran = run("simulate", *tiny, "--memory-ports", "--json")
    assert json.loads(ran.out)["time_s"] == 27 + 4 * 17
    assert json.loads(ran.out)["memory_bytes_per_s"] == 6
    ran = run("simulate", *tiny, "--memory-ports", "--quiet")
    assert ran.out.startswith("tiny: a step takes 95 s simulated (overlap none, contention, memory ports)\n")


def test_the_same_for_machines(run, tiny):
    document = json.loads(run("simulate", *tiny, "--json").out)
    path = document.pop("critical_path")
    assert document == {
        "instance": "tiny", "overlap": "none", "contention": True, "hold": "rate",
        "acquire": "together", "memory_bytes_per_s": None, "tasks": 22, "time_s": 44, "floor_s": 27,
        "analytic": {"time_s": 44, "compute_time_s": 27, "comm_time_s": 17, "by_layer_s": 27, "perfect_s": 27},
        "resources": [
            {"kind": kind, "name": name, "tasks": tasks, "busy_s": busy, "held_waiting_s": 0, "utilisation": share}
            for kind, names, tasks, busy, share in (
                ("accelerator", ("a0", "a1"), 6, 27, 0.613636), ("link", ("a0 -> a1", "a1 -> a0"), 3, 17, 0.386364)
            )
            for name in names
        ],
    }  # fmt: skip
    assert path[1] == {
        "task": 3, "phase": "forward", "part": "fc1", "level": 1, "bytes": 96, "from": "a1", "to": "a0",
        "begin_s": 4, "end_s": 12, "waited_for": "data",
    }  # fmt: skip
    assert (path[0]["layer"], path[0]["accelerator"], path[0]["waited_for"]) == ("fc1", "a1", "start")
    *events, result = [json.loads(line) for line in run("simulate", *tiny, "--json-lines").out.splitlines()]
    assert [(event["event"], event.get("text"), event.get("total")) for event in events] == [
        ("progress", None, 22), ("phase", "0 of 22 tasks", None)
    ]  # fmt: skip
    assert result == {"event": "result", **document, "critical_path": path}


@pytest.mark.parametrize("name", NETWORKS)
def test_without_contention_a_step_takes_what_the_plan_says(run, solved, name):
    plan = solved(name, "--array", "hypar-16", "--objective", "time")
    found = json.loads(run("simulate", name, plan, "--no-contention", "--json").out)
    assert found["time_s"] == json.loads(plan.read_text())["objective"] == found["analytic"]["time_s"]
    assert sum(Fraction(one["end_s"]) - Fraction(one["begin_s"]) for one in found["critical_path"]) == Fraction(
        found["time_s"]
    )


def test_on_another_array(run, solved, tmp_path):
    plan, torus = solved("sfc"), tmp_path / "torus.yaml"
    torus.write_text(TORUS, encoding="utf-8")
    ran = run("simulate", "sfc", plan)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "error: array.accelerator: missing; expected what an accelerator can do, to know how long it computes; "
        "try --array hypar-16\n"
    )
    assert run("simulate", "sfc", plan, "--array", torus).code == 0
    assert run("simulate", "sfc", plan, "--array", "hypar-16").code == 0


def test_a_deadlock_is_reported_with_who_waits_for_what(run, solved, tmp_path):
    plan, torus = solved("sfc"), tmp_path / "torus.yaml"
    torus.write_text(TORUS, encoding="utf-8")
    ran = run("simulate", "sfc", plan, "--array", torus, "--acquire", "route")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: the simulation cannot go on at ")
    assert " a0 to a2 holds a0 -> a1 and waits for a1 -> a2; " in ran.err
    assert "; a circle of 4: " in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.slow
def test_files_beside_the_result(run, tiny, tmp_path):
    trace, picture, drawn = tmp_path / "t.json", tmp_path / "g.png", tmp_path / "g.svg"
    assert run("simulate", *tiny, "--trace", trace, "--gantt", picture).code == 0
    assert run("simulate", *tiny, "--gantt", drawn).code == 0
    assert len(json.loads(trace.read_text())["traceEvents"]) == 4 + 2 * 4 + 18 + 9
    assert picture.read_bytes().startswith(b"\x89PNG")
    first = drawn.read_bytes()
    assert b"<svg" in first
    assert run("simulate", *tiny, "--gantt", drawn).code == 0
    assert drawn.read_bytes() == first


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--gantt", "g.pdf"), "error: --gantt: expected a name that ends in .png or .svg, got 'g.pdf'\n"),
        (("--array", "no-such"), "error: no-such: neither a file nor the name of a shipped array; there are "),
    ],
)
def test_bad_usage(run, tiny, arguments, message):
    ran = run("simulate", *tiny, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(message)


def test_what_cannot_be_written_is_said_before_the_work(run, tiny, tmp_path):
    ran = run("simulate", *tiny, "--trace", tmp_path / "none" / "t.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (f"error: {tmp_path}/none/t.json: there is no folder '{tmp_path}/none' to write it in\n")


def test_memory_ports_need_a_bandwidth(run, tiny, solved):
    path, _ = tiny
    path.write_text(TINY.replace(", memory: {bandwidth: 6}", ""), encoding="utf-8")
    ran = run("simulate", path, solved(path), "--memory-ports")
    assert (ran.code, ran.err) == (2, "error: array.accelerator.memory.bandwidth: missing; --memory-ports needs it\n")


def test_links_need_a_bandwidth(run, tiny, solved):
    path, _ = tiny
    path.write_text(TINY.replace("  link: {bandwidth: 12}\n", ""), encoding="utf-8")
    ran = run("simulate", path, solved(path))
    assert ran.err == "error: array.link.bandwidth: missing between 'a0' and 'a1'; expected bytes a second\n"
    assert ran.code == 2


def test_a_plan_of_another_instance(run, tiny):
    _, plan = tiny
    ran = run("simulate", "sfc", plan)
    assert (ran.code, ran.err) == (2, f"error: {plan}: instance: is a plan of 'tiny', not of 'sfc'\n")


def test_there_has_to_be_a_plan(run, tiny):
    path, plan = tiny
    document = json.loads(plan.read_text())
    plan.write_text(
        json.dumps(document | {"status": "INFEASIBLE", "cost": None, "objective": None, "bound": None, "plan": None})
    )
    ran = run("simulate", path, plan)
    expected = f"error: {plan}: plan: has status INFEASIBLE and no plan, expected a plan to simulate\n"
    assert (ran.code, ran.err) == (2, expected)


def test_a_plan_that_is_not_allowed(run, tiny):
    path, plan = tiny
    document = json.loads(plan.read_text())
    plan.write_text(json.dumps(document | {"plan": {"fc1": "d", "fc2": "d"}}))
    ran = run("simulate", path, plan)
    assert ran.code == 2
    assert ran.err.startswith(f"error: {plan}: plan: ")


def test_leaf_exact_does_not_say_who_sends(run, tiny, solved):
    path, _ = tiny
    ran = run("simulate", path, solved(path, "--accounting", "leaf-exact"))
    assert (ran.code, ran.err) == (2, (
        "error: accounting 'leaf-exact' does not say who sends at which level; "
        "expected a plan of another accounting\n"
    ))  # fmt: skip


def test_stopped_at_a_limit_nothing_is_written(run, tiny, tmp_path):
    trace = tmp_path / "trace.json"
    ran = run("simulate", *tiny, "--time-limit", "0.000001", "--trace", trace)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "error: stopped before the tasks of the step were made; nothing is reported\n"
    assert not trace.exists()


@pytest.mark.slow
def test_interrupted_nothing_is_written(start_program, program, tmp_path):
    plan, trace = tmp_path / "plan.json", tmp_path / "trace.json"
    assert program("solve", "vgg-e", "--levels", "8", "-o", plan, "--no-explain").code == 0
    process = start_program(
        "simulate", "vgg-e", plan, "--array", "hypar-16", "--overlap", "full", "--trace", trace, "--json-lines"
    )
    while json.loads(process.stdout.readline()).get("done", 0) == 0:
        time.sleep(0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=600)
    assert process.returncode == 130
    assert err.startswith("error: stopped after ")
    assert '"result"' not in out
    assert not trace.exists()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)],
)  # fmt: skip
def test_stopped_while_the_files_are_made_nothing_is_written(run, tiny, tmp_path, monkeypatch, number, code):
    # a signal that comes as the first event of the trace is written; the picture was drawn before
    from hypar_opt.studies.simulation import trace

    path, picture = tmp_path / "trace.json", tmp_path / "g.png"
    path.write_text("old")
    events = trace._events

    def signalled(found):
        signal.raise_signal(number)
        yield from events(found)

    monkeypatch.setattr(trace, "_events", signalled)
    ran = run("simulate", *tiny, "--trace", path, "--gantt", picture)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err == "error: stopped while the trace was written; nothing is reported\n"
    assert path.read_text() == "old"
    assert not picture.exists()
    assert not list(tmp_path.glob(".hypar-opt.*"))


def test_a_limit_that_is_over_while_the_picture_is_drawn(run, tiny, tmp_path, monkeypatch):
    from hypar_opt.formulation.run import Limits
    from hypar_opt.report.charts import gantt

    drawn = gantt._path

    def late(found):
        monkeypatch.setattr(Limits, "over", True)
        return drawn(found)

    monkeypatch.setattr(gantt, "_path", late)
    files = ("--trace", tmp_path / "t.json", "--gantt", tmp_path / "g.png")
    ran = run("simulate", *tiny, *files, "--time-limit", "1000000")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == "error: stopped while the picture was drawn; nothing is reported\n"
    assert not (tmp_path / "t.json").exists()
    assert not (tmp_path / "g.png").exists()


@pytest.mark.parametrize(
    "given",
    [("--hold", "whole"), ("--hold", "rate"), ("--acquire", "route"), ("--hold", "whole", "--acquire", "route")],
)
def test_what_says_nothing_without_contention_is_refused(run, tiny, given):
    ran = run("simulate", *tiny, "--no-contention", *given)
    assert (ran.code, ran.out) == (2, "")
    assert f"{given[0]} says what contention is like; it cannot be given with --no-contention" in ran.err
    assert run("simulate", *tiny, "--contention", *given).code == 0
    assert run("simulate", *tiny, "--no-contention").code == 0


def test_where_links_are_held_for_nothing_the_headline_says_so(run, solved, tmp_path):
    array = tmp_path / "ring.yaml"
    array.write_text(TORUS.replace("torus", "ring").replace("dims: [4, 4]\n", ""), encoding="utf-8")
    plan = solved("sfc", "--array", array)
    said = run("simulate", "sfc", plan, "--overlap", "full", "--acquire", "ordered", "--quiet").out
    assert "(overlap full, contention, links taken one by one in one order)" in said
    held = [line for line in said.splitlines() if line.startswith("links are held by ")]
    assert len(held) == 1
    assert held[0].endswith(" % of the step, on average, which --acquire together avoids")
    assert 10 < float(held[0].split(" for ")[-1].split(" %")[0]) < 100
    together = run("simulate", "sfc", plan, "--overlap", "full", "--quiet").out
    assert "links are held" not in together
    assert together.splitlines()[0].endswith("(overlap full, contention)")
    # where hardly any are, it is not worth a line
    few = run("simulate", "sfc", plan, "--array", "hypar-16", "--acquire", "ordered", "--quiet").out
    assert "links are held" not in few


def test_an_array_of_other_levels(run, tiny, solved):
    path, _ = tiny
    path.write_text(TINY.partition("fix:")[0], encoding="utf-8")
    ran = run("simulate", path, solved(path), "--array", "hypar-16")
    assert (ran.code, ran.err) == (2, "error: --array: expected an array of levels 1 (of the plan), got 4\n")


def test_a_plan_on_several_kinds_is_simulated_class_by_class(run, tmp_path):
    path = tmp_path / "plan.json"
    assert run("solve", "mixed-equal-halves", "-q", "-o", path).code == 0
    ran = run("simulate", "mixed-equal-halves", path)
    assert ran.code == 0
    assert "mixed-equal-halves: a step takes 3 s simulated" in ran.out
    assert "the same exactly" in ran.out
    machine = json.loads(run("simulate", "mixed-equal-halves", path, "--json").out)
    assert (machine["time_s"], [one["class"] for one in machine["classes"]]) == (3, ["a", "b"])
    refused = run("simulate", "mixed-equal-halves", path, "--overlap", "full")
    assert refused.code == 2
    assert "--overlap cannot be given with accelerators of several kinds" in refused.err
