"""hypar-opt task-graph plan as a user runs it."""

from __future__ import annotations

import json
from functools import cache

import pytest
import yaml

PIPELINE = """\
schema: hypar-opt/pipeline/1
name: two
devices: [{kind: gpu, count: 2, memory: 10, bandwidth: 1}]
operators:
  - {name: a, seconds: 1, backward: 2, output: 1, activations: 2}
  - {name: b, seconds: 1, backward: 2, output: 1, activations: 2, reads: [a]}
"""
LINE = """\
schema: hypar-opt/collective/1
name: line
array: {topology: mesh, dims: [3], link: {bandwidth: 100, latency: 1}}
collective: all-gather
bytes: 600
"""


@cache
def plan_of_two():
    from hypar_opt import load, solve
    from hypar_opt.solver.plan import plan_document

    return json.dumps(plan_document(solve(load("sfc", array="hypar-16", levels=1), "joint-dp")))


@pytest.fixture
def step(tmp_path):
    """Return a plan of two accelerators."""
    plan = tmp_path / "plan.json"
    plan.write_text(plan_of_two(), encoding="utf-8")
    return "sfc", plan


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    """Return a pipeline of two stages, and its plan."""
    from hypar_opt import solve

    folder = tmp_path_factory.mktemp("stages")
    path, plan = folder / "two.yaml", folder / "plan.json"
    path.write_text(PIPELINE, encoding="utf-8")
    solve(path).save(plan)
    return path, plan


def test_a_step_is_written(run, step, tmp_path):
    ran = run("task-graph", "plan", *step, "-o", tmp_path / "tasks.yaml")
    assert (ran.code, ran.err) == (0, "")
    text = (tmp_path / "tasks.yaml").read_text(encoding="utf-8")
    assert text.startswith("# The tasks of a plan of sfc, in no order.\nschema: hypar-opt/task-graph/1\nname: sfc\n")
    written = yaml.safe_load(text)
    assert len(written["tasks"]) == 46
    assert written["resources"]["a0 -> s0"] == 1
    assert yaml.safe_load(run("task-graph", "plan", *step).out) == written
    assert json.loads(run("task-graph", "plan", *step, "--json").out) == written
    assert run("task-graph", "plan", *step, "-o", tmp_path / "tasks.json", "-q").code == 0
    assert json.loads((tmp_path / "tasks.json").read_text(encoding="utf-8")) == written


@pytest.mark.slow
def test_how_transfers_take_links(run, step):
    def made(*options):
        return json.loads(run("task-graph", "plan", *step, "--json", *options).out)

    apart, ports = made("--no-contention"), made("--memory-ports")
    assert len(apart["tasks"]) == 60  # 14 transfers, each over two links
    assert ports["resources"]["memory of a0"] > 1  # many times as fast as a link
    assert made("--hold", "whole") == made()  # links that are all alike


def test_microbatches_at_stages(run, stages):
    made = json.loads(run("task-graph", "plan", *stages, "--microbatches", 3, "--json").out)
    assert (made["resources"], len(made["tasks"])) == ({"device 1": 1, "device 2": 1}, 12)
    assert made["memories"] == {"memory of device 1": 10, "memory of device 2": 10}
    linked = json.loads(run("task-graph", "plan", *stages, "--microbatches", 3, "--links", "--json").out)
    assert {"gpu 1 -> network", "network -> gpu 2"} <= set(linked["resources"])
    # the only thing that a phase waits for at its own stage is the same microbatch
    backward = next(one for one in linked["tasks"] if one["name"].startswith("backward of microbatch 3 at stage 1"))
    assert [one for one in backward["after"] if "microbatch 3" not in one] == []


def ruled(run, case, tmp_path, *options):
    """Return what is said of the schedule that a rule makes, verified and replayed."""
    graph, plan = tmp_path / "tasks.yaml", tmp_path / "ruled.json"
    ran = run("task-graph", "plan", *case, *options, "-o", graph, "--ruled", plan)
    assert (ran.code, ran.err) == (0, "")
    verified, replayed = run("verify", graph, plan), run("simulate", graph, plan)
    assert (verified.code, replayed.code) == (0, 0)
    return verified.out.splitlines()[0], replayed.out.splitlines()[0]


@pytest.mark.slow
def test_first_come_first_served_is_a_plan_that_is_confirmed(run, step, tmp_path):
    verified, replayed = ruled(run, step, tmp_path)
    assert verified == "confirmed: sfc, FEASIBLE by first come first served"
    assert replayed == "sfc: 46 tasks, begun when the plan says: makespan 1.521 s, as planned, exactly"


@pytest.mark.slow
def test_so_is_what_a_rule_of_stages_makes(run, stages, tmp_path):
    verified, replayed = ruled(run, stages, tmp_path, "--microbatches", 3)
    assert verified == "confirmed: two, FEASIBLE by 1f1b"
    assert replayed == "two: 12 tasks, begun when the plan says: makespan 16 s, as planned, exactly"


def test_a_rule_that_does_not_fit_into_memories_makes_none(run, stages, tmp_path):
    ran = run("task-graph", "plan", *stages, "--microbatches", 6, "--rule", "gpipe", "--ruled", tmp_path / "ruled.json")
    assert (ran.code, ran.out, (tmp_path / "ruled.json").exists()) == (2, "", False)
    assert "by its rule, gpipe, it is no schedule: " in ran.err and "leave --ruled out" in ran.err


def test_two_files_are_two(run, step, tmp_path):
    ran = run("task-graph", "plan", *step, "-o", tmp_path / "one.json", "--ruled", tmp_path / "one.json")
    assert (ran.code, list(tmp_path.glob("one*"))) == (2, [])
    assert "--ruled: expected another file than that of --output" in ran.err


@pytest.mark.slow
def test_sends_of_a_collective(run, tmp_path):
    path, plan = tmp_path / "line.yaml", tmp_path / "plan.json"
    path.write_text(LINE, encoding="utf-8")
    assert run("solve", path, "-f", "multitree", "-o", plan, "--quiet").code == 0
    made = json.loads(run("task-graph", "plan", path, plan, "--json").out)
    assert len(made["tasks"]) == 12  # six sends, each with a latency
    assert made["resources"] == dict.fromkeys(["a0 -> a1", "a1 -> a0", "a1 -> a2", "a2 -> a1"], 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--links"], "--links: says nothing of a plan of this kind, network"),
        (["--microbatches", 2], "--microbatches: says nothing of a plan of this kind, network"),
        (["-o", "tasks.txt"], "--output: expected a name that ends in .yaml or .json, got 'tasks.txt'"),
    ],
)
def test_what_says_nothing_of_a_step_is_refused(run, step, options, said):
    ran = run("task-graph", "plan", *step, *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--microbatches: expected how many a batch has: the instance does not say"),
        (["--microbatches", 2, "--rule", "gpipes"], "--rule: no rule of one stage a device is called 'gpipes'; did"),
        (["--microbatches", 2, "--rule", "zero-bubble"], "--rule: needs the seconds in which gradients"),
        (["--microbatches", 2, "--no-contention"], "--no-contention: says nothing of a plan of this kind, pipeline"),
    ],
)  # fmt: skip
def test_what_says_nothing_of_stages_is_refused(run, stages, options, said):
    ran = run("task-graph", "plan", *stages, *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_the_plan_is_not_written_over(run, stages, tmp_path):
    before = stages[1].read_bytes()
    ran = run("task-graph", "plan", *stages, "--microbatches", 2, "-o", stages[1])
    assert ran.code == 2
    assert "is read, and would be lost" in ran.err
    assert stages[1].read_bytes() == before


@pytest.mark.slow
def test_plans_of_other_kinds_have_no_tasks(run, tmp_path):
    plan = tmp_path / "plan.json"
    assert run("solve", "five-operators", "-o", plan, "--quiet").code == 0
    ran = run("task-graph", "plan", "five-operators", plan)
    assert (ran.code, ran.out) == (2, "")
    assert "a strategy graph has costs alone" in ran.err


def test_of_every_kind_of_plan_it_is_known_whether_it_has_tasks():
    from hypar_opt.studies.tasks.of_plan import KINDS, NOT_TASKS, OF_KIND
    from hypar_opt.verification.verifier import CASES

    assert {*KINDS, *NOT_TASKS} == set(CASES)
    assert set(OF_KIND) == set(KINDS)


def test_a_kind_that_is_none(run):
    ran = run("task-graph", "paln")
    assert (ran.code, ran.out) == (2, "")
    assert "no kind of task graph is called 'paln'; did you mean 'plan'?" in ran.err


def test_every_kind_has_help_with_examples(run):
    from hypar_opt.cli.task_graph_command import KINDS

    for kind in KINDS:
        said = run("task-graph", kind, "--help").out
        assert "Examples:" in said and f"hypar-opt task-graph {kind}" in said
