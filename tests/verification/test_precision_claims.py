"""Claims about words and bits: what is recounted, who vouches for the rest, and what is found out to be false."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.evaluation.precision import JudgedPrecision
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome
from tests.helpers import document, instance_of, linear_chain

SENSITIVE = {"fc1": {"gradient": [5, 2, 0]}, "fc2": {"all": [4, 1, 0]}}


@pytest.fixture(scope="module")
def instance():
    whole = document(linear_chain(6, 8), [4], levels=2)
    whole["precision"] = {"bits": [8, 16, 32], "sensitivities": SENSITIVE, "limits": {"fc1": 2}}
    return instance_of(whole | {"subject_to": {"rounding-error": 3}})


@pytest.fixture(scope="module")
def plan(instance):
    return solve(instance)


def test_a_plan_and_its_file(instance, plan, tmp_path):
    verdict = verify(instance, plan)
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert "another encoding" in verdict.checks[-1].text
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").costs == plan.costs


def _with(plan, layer, old, new):
    assert old in plan.strategies[layer]
    return {"strategies": {**plan.strategies, layer: plan.strategies[layer].replace(old, new)}}


@pytest.mark.parametrize(
    ("change", "failing", "text"),
    [
        (lambda plan: _with(plan, "fc2", ":16", ":8"), "strategies", "rounding-error is 6 , above 3"),
        (lambda plan: _with(plan, "fc1", ":16", ":8"), "strategies", "the errors of layer 'fc1' are 5, above 2"),
        (lambda plan: _with(plan, "fc2", ":16", ":32"), "communication", "claimed"),
        (lambda plan: _with(plan, "fc2", ":16", ":12"), "strategies", "sends all in 8, 16, 32 bits, the plan says 12"),
        (
            lambda plan: _with(plan, "fc2", " all:16", ""),
            "strategies",
            "has bits of all to choose, the plan gives none",
        ),
        (lambda plan: _with(plan, "fc2", "all:16", "all=16"), "plan", "expected a word and bits"),
        (lambda plan: {"strategies": {**plan.strategies, "fc3": "d"}}, "plan", "has a layer 'fc3'"),
        (lambda plan: {"strategies": {"fc1": plan.strategies["fc1"]}}, "plan", "no strategy for layer 'fc2'"),
        (lambda plan: {"costs": {**plan.costs, "rounding-error": plan.objective}}, "rounding-error", "claimed"),
        (lambda plan: {"objective": plan.objective - 1, "bound": plan.objective - 1}, "objective", "claimed"),
        (lambda plan: {"placement": ("a0",)}, "placement", "expected none"),
    ],
)
def test_what_is_not_true(instance, plan, change, failing, text):
    verdict = verify(instance, replace(plan, **change(plan)))
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.checks[-1].name == failing
    assert text.replace("6 ,", "6,") in verdict.checks[-1].text


def test_a_worse_plan_is_not_the_best(instance, plan):
    from hypar_opt.solver.kinds import problem_of

    judged = problem_of(instance).judged({"fc1": "dd gradient:32", "fc2": "dd all:32"})
    total = judged.breakdown.total
    worse = replace(
        plan,
        strategies={name: str(entry) for name, entry in judged.entries.items()},
        communication_bytes=total, objective=judged.costs["communication"], bound=judged.costs["communication"],
        costs=judged.costs, status=Status.OPTIMAL,
    )  # fmt: skip
    verdict = verify(instance, worse)
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.checks[-1].name == "optimality"


def test_an_evaluator_that_counts_otherwise_is_noticed(instance, monkeypatch):
    """A mutation: were the gradient counted in full, the two would not agree."""
    sent = JudgedPrecision._sent
    monkeypatch.setattr(
        JudgedPrecision,
        "_sent",
        lambda self, count, layer, tensor: count if tensor == "gradient" else sent(self, count, layer, tensor),
    )
    assert solve(instance).status is Status.ERROR
