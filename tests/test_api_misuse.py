"""What users of the Python API try: it works, or a sentence names the argument and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers import document, linear_chain, problem_of

import hypar_opt
from hypar_opt.instance import find_instance
from hypar_opt.util.errors import InputError

EXPECTED = "instance: expected an instance, the name of a shipped one, a path, or a problem compiled before, got "


@pytest.fixture(scope="module")
def plan():
    return hypar_opt.solve("lenet-c")


@pytest.mark.parametrize("kind", ["name", "path", "text", "instance", "problem"])
def test_instances_by_name_by_path_or_as_read(plan, kind):
    path = Path(find_instance("lenet-c"))
    given = {
        "name": "lenet-c", "path": path, "text": str(path), "instance": hypar_opt.load("lenet-c"),
        "problem": hypar_opt.NetworkProblem(hypar_opt.load("lenet-c")),
    }[kind]  # fmt: skip
    assert hypar_opt.solve(given).objective == plan.objective == 17_603_040
    assert hypar_opt.verify(given, plan).outcome == "confirmed"
    assert hypar_opt.explain(given, plan).unique is not None
    assert hypar_opt.compare([given], ["joint-dp"])[0].plan.objective == plan.objective
    assert hypar_opt.explore(given, ["fc1"], [1], components=["communication"]).best


def test_fronts_and_simulations_of_instances():
    instance = hypar_opt.load("lenet-c", array="hypar-16", objective="time")
    plan = hypar_opt.solve(instance)
    assert hypar_opt.pareto_front(instance).complete
    assert hypar_opt.simulate_plan(instance, plan.strategies, instance.placement).analytic == plan.objective


def test_plans_are_taken_as_they_are():
    instance = hypar_opt.load("lenet-c", array="hypar-16", objective="time")
    plan = hypar_opt.solve(instance)
    assert hypar_opt.simulate_plan(instance, plan).analytic == plan.objective
    assert hypar_opt.solve(instance, "joint-dp", start=plan).objective == plan.objective
    assert hypar_opt.explore(instance, ["fc1"], [1], plan=plan, against="plan").reference["time"] == plan.objective
    placed = hypar_opt.load("lenet-c", array=MACHINE)
    plan = hypar_opt.solve(placed.replace(objective="comm-time"))
    assert hypar_opt.simulate_plan(placed, plan).step.comm_time == plan.objective


MACHINE = hypar_opt.Array(
    "ring", levels=2, link={"bandwidth": 2e8}, accelerator={"model": "as-evaluated", "rate": 1e12}
)  # fmt: skip


@pytest.mark.parametrize("kind", ["name", "instance", "problem"])
def test_arrays_are_compared_by_name_or_as_made(kind):
    instance = hypar_opt.load("lenet-c")
    given = {"name": "lenet-c", "instance": instance, "problem": hypar_opt.NetworkProblem(instance)}[kind]
    small, ring = hypar_opt.compare_arrays([given], [MACHINE, "ring-16"], overrides={"levels": 1})
    assert (small.array, ring.array) == ("Array('ring', levels=2)", "ring-16")
    assert small.plan.proven
    assert small.plan.overrides["levels"] == ring.plan.overrides["levels"] == 1


def test_a_plan_with_its_placement_is_explained():
    instance = hypar_opt.load("lenet-c", array="ring-16", objective="hop-bytes", levels=2)
    plan = hypar_opt.solve(instance)
    assert plan.placement is not None
    assert hypar_opt.explain(instance, plan).breakdown.total == plan.communication_bytes


def test_limits_one_by_one():
    plan = hypar_opt.solve("lenet-c", time_limit=60, seed=7, workers=1)
    assert (plan.status, plan.seed) == ("OPTIMAL", 7)
    assert hypar_opt.solve("lenet-c", limits=hypar_opt.Limits(seed=7), workers=1).seed == 7
    stopped = hypar_opt.solve("vgg-e", "cp-sat", time_limit=0)
    assert stopped.status == "NO_SOLUTION"
    assert hypar_opt.verify("lenet-c", plan, time_limit=60, seed=1).outcome == "confirmed"
    found = hypar_opt.pareto_front(hypar_opt.load("lenet-c", array="hypar-16"), time_limit=60, workers=1)
    assert found.complete


MISUSE = {
    "solve no instance": (lambda api, plan: api.solve(5), f"{EXPECTED}5"),
    "solve a plan": (lambda api, plan: api.solve(plan), EXPECTED),
    "solve a list": (lambda api, plan: api.solve(["lenet-c"]), EXPECTED),
    "verify of nothing": (lambda api, plan: api.verify(None, plan), EXPECTED),
    "verify a dictionary": (
        lambda api, plan: api.verify("lenet-c", dict(plan.strategies)),
        "claim: expected a plan, a plan file's path, or what was read from one, got ",
    ),
    "explain a dictionary": (
        lambda api, plan: api.explain("lenet-c", dict(plan.strategies)), "plan: expected a plan, as solve"
    ),
    "explain in the other order": (lambda api, plan: api.explain(plan, "lenet-c"), "plan: expected a plan, as solve"),
    "limits that are a number": (
        lambda api, plan: api.solve("lenet-c", limits=5), "limits: expected hypar_opt.Limits or None, got 5"
    ),
    "a time that is text": (
        lambda api, plan: api.solve("lenet-c", time_limit="5"), "time_limit: expected a number of seconds or None, got"
    ),
    "a seed that is a fraction": (
        lambda api, plan: api.solve("lenet-c", seed=0.5), "seed: expected a whole number or None, got 0.5"
    ),
    "a truth for workers": (
        lambda api, plan: api.solve("lenet-c", workers=True), "workers: expected a whole number or None, got True"
    ),
    "a formulation that is none": (
        lambda api, plan: api.solve("lenet-c", 5), "formulation: expected a name or None, got 5"
    ),
    "compare one": (
        lambda api, plan: api.compare("lenet-c", ["joint-dp"]), "instances: expected a list, got 'lenet-c'"
    ),
    "compare by one": (
        lambda api, plan: api.compare(["lenet-c"], "joint-dp"), "formulations: expected a list, got 'joint-dp'"
    ),
    "arrays of a number": (lambda api, plan: api.compare_arrays([5], ["ring-16"]), f"{EXPECTED}5"),
    "a front of one component": (
        lambda api, plan: api.pareto_front("lenet-c", "time"), "components: expected a list of names, such as"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("misuse", "message"), MISUSE.values(), ids=MISUSE)
def test_what_was_expected_is_said_in_a_sentence(plan, misuse, message):
    with pytest.raises(TypeError) as error:
        misuse(hypar_opt, plan)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("seconds", [-1, float("inf"), float("nan")])
def test_a_time_of_no_use(seconds):
    with pytest.raises(ValueError, match="time_limit: expected a finite number of seconds, at least 0, got"):
        hypar_opt.solve("lenet-c", time_limit=seconds)


def test_a_name_that_is_none_is_an_error_of_the_input():
    with pytest.raises(InputError, match=r"lenet-d: neither a file nor the name of a shipped instance"):
        hypar_opt.solve("lenet-d")


def test_a_plan_of_another_instance_is_not_explained(plan):
    problem = problem_of(document(linear_chain(4), [4]))
    with pytest.raises(InputError, match="the plan has a layer 'conv1', the instance has none"):
        hypar_opt.explain(problem, plan)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"time": 1}, "time=1"),
        ({"hop-bytes": 2, "communication": 0.5}, "hop-bytes=2,communication=0.5"),
        ({"product": ["time", "energy"]}, "product:time,energy"),
        ({"lexicographic": ("energy", "time")}, "lexicographic:energy,time"),
    ],
)
def test_objectives_as_a_file_has_them(given, text):
    base = hypar_opt.load("lenet-c", array="hypar-16")
    found = base.replace(objective=given)
    assert found.objective == base.replace(objective=text).objective
    assert hypar_opt.load("lenet-c", array="hypar-16", objective=given).overrides == found.overrides
    assert hypar_opt.load("lenet-c", **found.overrides).objective == found.objective  # as a plan's file has it


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"objective": {"tyme": 1}}, "^objective: expected .*, got 'tyme'; did you mean 'time'"),
        ({"objective": {"time": "much"}}, "^objective.time: expected a number, got 'much'"),
        ({"objective": {"product": ["time"]}}, "^objective: expected product to have a list of two components"),
        ({"objective": 3}, "^objective: expected text, for example product:time,energy, got 3"),
        (
            {"at_most": {"time": "x"}},
            "^at_most.time: expected a number of seconds behind '=', for example time=20, got 'x'",
        ),
        ({"at_most": 3}, "^at_most: expected a number by component, for example {'time': 20}, got 3"),
        ({"fix": {"fc1": "zz"}}, "^fix.fc1: expected 4 letters"),
    ],
)
def test_replacements_that_cannot_be_name_the_argument(given, message):
    with pytest.raises(InputError, match=message):
        hypar_opt.load("lenet-c", array="hypar-16").replace(**given)


@pytest.mark.parametrize(("name", "override"), [("subject_to", "at_most"), ("cost.splits", "splits")])
def test_what_a_file_calls_otherwise_is_named(name, override):
    with pytest.raises(TypeError, match=f"; {name} is replaced by {override}=..."):
        hypar_opt.load("lenet-c").replace(**{name: {"time": 3}})
