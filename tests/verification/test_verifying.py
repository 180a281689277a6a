"""Claims as Python objects, and what decides them at the margin."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from helpers import document, problem_of
from verification.plans import solved

from hypar_opt import read_claim, verify
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import plan_document, write_plan
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification import Evidence
from hypar_opt.verification import network_claim as verifying
from hypar_opt.verification.certificate.check import check
from hypar_opt.verification.certificate.header import bind, problem_document
from hypar_opt.verification.certificate.write import _content, _width, write_certificate
from hypar_opt.verification.claim import claim_of

ODD = [{"name": "fc", "linear": {"features": 5}}]


@pytest.fixture
def greedy():
    return solve(load("sfc", accounting="receiver"), "hypar-dp")


def test_names_paths_and_plans_are_taken(greedy, tmp_path):
    path = tmp_path / "plan.json"
    write_plan(greedy, path)
    verdicts = [
        verify("sfc", greedy, as_optimal=True),
        verify("sfc", str(path), as_optimal=True),
        verify(load("sfc", accounting="receiver"), path, as_optimal=True),
        verify(NetworkProblem(load("sfc", accounting="receiver")), read_claim(path), as_optimal=True),
    ]
    assert {verdict.outcome.value for verdict in verdicts} == {"refuted"}
    assert len({verdict.checks for verdict in verdicts}) == 1


def test_an_instance_read_with_other_overrides_is_an_error(greedy):
    with pytest.raises(InputError, match=r"overrides: was made with overrides \{'accounting': 'receiver'\}"):
        verify(load("sfc"), greedy)


@pytest.mark.parametrize("status", ["OPTIMAL", Status.OPTIMAL])
def test_a_status_is_a_status_however_it_is_given(greedy, status):
    claim = replace(claim_of(greedy), status=status, bound=greedy.objective)
    assert verify("sfc", claim).outcome == "refuted"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "INFEASIBLE"}, "plan: expected nothing with status INFEASIBLE"),
        ({"status": "NO_SOLUTION"}, "status: a plan with status NO_SOLUTION claims nothing that could be verified"),
        ({"strategies": None}, "plan: expected a value with status FEASIBLE"),
        ({"objective": None}, "objective: expected a value with status FEASIBLE"),
    ],
)
def test_a_claim_that_contradicts_itself_cannot_be_made(greedy, changes, message):
    with pytest.raises(InputError, match=message):
        replace(claim_of(greedy), **changes)


def test_an_infeasible_claim_has_no_bound(greedy):
    nothing = {"strategies": None, "communication_bytes": None, "objective": None}
    with pytest.raises(InputError, match="bound: expected nothing with status INFEASIBLE"):
        replace(claim_of(greedy), status="INFEASIBLE", bound=Fraction(1), **nothing)


def test_as_optimal_goes_beyond_a_bound_that_is_claimed(greedy):
    claim = replace(claim_of(greedy), bound=Fraction(1))
    assert verify("sfc", claim).outcome == "confirmed"
    assert verify("sfc", claim, as_optimal=True).outcome == "refuted"


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (Evidence("", bound=Fraction(1, 2)), "undecided"),
        (Evidence("", bound=Fraction(1)), "confirmed"),
        (Evidence("", bound=Fraction(3, 2)), "confirmed"),
        (Evidence("", bound=None), "undecided"),
    ],
)
def test_a_bound_decides_to_the_last_fraction(greedy, monkeypatch, found, outcome):
    monkeypatch.setattr(verifying, "lower_bound", lambda *_, **__: found)
    assert verify("sfc", replace(claim_of(greedy), bound=Fraction(1))).outcome == outcome


def test_a_better_plan_refutes_by_the_smallest_fraction(greedy, monkeypatch):
    best = verify("sfc", greedy, as_optimal=True).better
    by_a_hair = replace(best, objective=greedy.objective - Fraction(1, 3))
    monkeypatch.setattr(verifying, "lower_bound", lambda *_, **__: Evidence("", bound=None, best=by_a_hair))
    assert verify("sfc", greedy, as_optimal=True).outcome == "refuted"


def test_there_being_no_plan_is_confirmed_and_refuted():
    whole = document(ODD, [3], batch=1, splits="divisible")
    problem = problem_of(whole)
    verdict = verify(problem, solve(problem, "joint-dp"))
    text = "there is no plan: no strategy is allowed for layer 'fc', however its letters are mixed"
    assert (verdict.outcome, verdict.checks[-1].text) == ("confirmed", text)
    other = problem_of(whole | {"batch": 2})
    claim = replace(claim_of(solve(problem, "joint-dp")), instance_sha256=other.instance.sha256)
    verdict = verify(other, claim)
    assert (verdict.outcome, verdict.better.strategies) == ("refuted", {"fc": "d"})


def certificate_of(problem, path):
    proofs = []
    plan = solve(problem, "joint-dp", proof=proofs.append)
    with path.open("wb") as file:
        write_certificate(file, problem, proofs.pop(), plan)


def test_a_certificate_refutes_that_there_is_no_plan(tmp_path):
    problem = NetworkProblem(load("lenet-c", levels=1))
    certificate_of(problem, tmp_path / "plan.cert")
    nothing = {"strategies": None, "communication_bytes": None, "objective": None, "bound": None}
    claim = replace(claim_of(solve(problem, "joint-dp")), status="INFEASIBLE", **nothing)
    verdict = verify(problem, claim, certificate=tmp_path / "plan.cert")
    assert (verdict.outcome, verdict.better.source) == ("refuted", str(tmp_path / "plan.cert"))


@pytest.mark.parametrize("field", problem_document(solved(0)[0]))
def test_a_certificate_is_bound_in_every_field(field):
    problem, _ = solved(0)
    header = {"problem": problem_document(problem)}
    bind(header, problem, "plan.cert")
    with pytest.raises(InputError, match=rf"plan.cert: problem.{field}: is a certificate of another problem"):
        bind({"problem": header["problem"] | {field: "other"}}, problem, "plan.cert")


def test_it_is_bound_before_it_is_judged(tmp_path):
    problem, other = NetworkProblem(load("lenet-c", levels=1)), NetworkProblem(load("lenet-c", levels=2))
    proofs = []
    plan = solve(problem, "joint-dp", proof=proofs.append)
    with (tmp_path / "plan.cert").open("wb") as file:
        write_certificate(file, problem, proofs.pop(), replace(plan, bound=plan.bound - 1))
    with pytest.raises(InputError, match="is a certificate of another problem"):
        verify(other, solve(other, "joint-dp"), certificate=tmp_path / "plan.cert")


@pytest.mark.parametrize("text", ["1e5", "1_0", " 1", "+5", "1.", "1/0", "١", "0x1", "", "9" * 4001])
def test_what_is_no_exact_number_as_text(tmp_path, text):
    whole = plan_document(solve(load("lenet-c"), "joint-dp")) | {"objective": text}
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    with pytest.raises(InputError, match="objective: expected an exact number"):
        read_claim(path)


@pytest.mark.parametrize("entry", [0, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**70, -(2**70), -(2**71)])
def test_entries_of_any_size_are_written(entry):
    table = np.array([entry, 0, -1], dtype=object)
    width = _width(table)
    content = _content(table, width)
    rows = [content[at : at + width] for at in range(0, len(content), width)]
    assert [int.from_bytes(row, "little", signed=True) for row in rows] == [entry, 0, -1]
    assert (width == 8) == (-(2**63) <= entry < 2**63)


def test_a_certificate_of_large_costs_is_written_and_checked():
    whole = document(
        [{"name": f"fc{i}", "linear": {"features": 2**36}} for i in range(3)], [2**36], batch=2**30, levels=2
    )
    problem, proofs, file = problem_of(whole), [], io.BytesIO()
    plan = solve(problem, "joint-dp", proof=proofs.append)
    write_certificate(file, problem, proofs.pop(), plan)
    assert check(file).bound == plan.objective > 2**63
