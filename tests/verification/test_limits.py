"""A solver that its limit stopped proves nothing: not for a plan's status, and not for a verdict."""

from __future__ import annotations

import json
import time

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.verification import evidence, read_claim, verify

SOLVERS = ("milp-cbc", "milp-highs", "cp-sat")
SHORT_S = 0.5


@pytest.fixture(scope="module")
def problem():
    return NetworkProblem(load("vgg-e", levels=8, accounting="receiver"))


@pytest.fixture
def claim(problem, tmp_path):
    """The optimum, claimed by somebody whose word is not enough."""
    document = plan_document(solve(problem, "joint-dp")) | {"formulation": "somebody"}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return read_claim(path)


def short(**limits):
    return Limits(deadline=time.monotonic() + SHORT_S, **limits)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVERS)
def test_a_plan_of_a_stopped_solver_is_not_optimal(problem, name):
    plan = solve(problem, name, limits=short())
    assert plan.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    assert not plan.proven


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVERS)
def test_a_verdict_that_would_rest_on_a_stopped_solver_is_undecided(problem, claim, name, monkeypatch):
    monkeypatch.setattr(evidence, "vouchers", lambda _: [name])
    verdict = verify(problem, claim, limits=short(memory_bytes=1))
    assert (verdict.outcome, verdict.reason) == ("undecided", "optimality")
    assert name in verdict.checks[-1].text
    assert verdict.bound is None or verdict.bound < claim.objective


def test_a_stopped_certifier_leaves_it_undecided(problem, claim):
    limits = Limits()
    limits.stop.set()
    verdict = verify(problem, claim, limits=limits)
    assert (verdict.outcome, verdict.reason, verdict.bound) == ("undecided", "optimality", None)


def test_where_no_formulation_takes_the_problem_it_is_undecided(claim, problem, monkeypatch):
    monkeypatch.setattr(evidence, "vouchers", lambda _: ["brute-force"])
    verdict = verify(problem, claim, limits=Limits(memory_bytes=1))
    assert verdict.outcome == "undecided"
    assert verdict.checks[-1].text.endswith("no formulation that could decide it takes this problem within the limits")


@pytest.mark.parametrize("name", SOLVERS)
def test_given_time_each_decides_and_is_named(name, tmp_path, monkeypatch):
    small = NetworkProblem(load("lenet-c", levels=2))
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(plan_document(solve(small, "joint-dp"))), encoding="utf-8")
    monkeypatch.setattr(evidence, "vouchers", lambda _: ["joint-dp", name])
    verdict = verify(small, read_claim(path), limits=Limits(memory_bytes=1))
    assert verdict.outcome == "confirmed"
    assert f"a proof by {name}, another encoding than joint-dp's, of the same compiled costs" in verdict.checks[-1].text
