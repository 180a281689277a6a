"""Claims about stages with strategies inside: what is recounted, and who vouches for the rest."""

from dataclasses import replace

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.read import load
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome

NAME, GIVEN = "lenet-c", {"array": "hypar-16", "objective": "time", "levels": 2, "microbatches": 8}


@pytest.fixture(scope="module")
def plan():
    return solve(load(NAME, **GIVEN))


def test_a_plan_from_its_file(plan, tmp_path):
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").strategies == plan.strategies
    verdict = verify(NAME, tmp_path / "plan.json")
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert any("submesh-cp-sat" in check.text for check in verdict.checks)


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        (lambda plan: {"objective": plan.objective * 2, "costs": {"time": plan.objective * 2}}, "time"),
        (lambda plan: {"strategies": {**plan.strategies, "fc2": "2-3 d"}}, "stages"),
        (lambda plan: {"strategies": {**plan.strategies, "fc2": "everywhere"}}, "plan"),
        (lambda plan: {"communication_bytes": 1}, "communication"),
    ],
)
def test_what_is_not_true(plan, change, failing):
    verdict = verify(load(NAME, **GIVEN), replace(plan, **change(plan)))
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.checks[-1].name == failing


def test_a_worse_plan_is_not_the_best():
    instance = load(NAME, **GIVEN)
    worse = dict.fromkeys(instance.network.decision_names, "1")
    plan = solve(instance)
    time = instance_time(instance, worse)
    claim = replace(plan, strategies=worse, objective=time, bound=time, costs={"time": time}, communication_bytes=0)
    verdict = verify(instance, claim)
    assert claim.status is Status.OPTIMAL
    assert verdict.outcome is CheckOutcome.REFUTED


def instance_time(instance, strategies):
    """Return what a plan takes."""
    from hypar_opt.solver.staged.problem import StagedProblem

    return StagedProblem(instance).judged(strategies).objective
