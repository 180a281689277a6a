"""pipeline-batch-cp-sat: each family of constraints is needed, it vouches for claims, and what it declines."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from formulations.pipeline.batch_cp_sat import model
from hypar_opt import verify
from hypar_opt.formulation.run import Limits
from hypar_opt.instance.pipeline import DeviceKind
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.formulations.pipeline.test_batch_times import chain

NAME = "pipeline-batch-cp-sat"
LIMITS = Limits(workers=1)
DEVICES = (DeviceKind("a", 2, bandwidth=Fraction(4)), DeviceKind("b", 1, bandwidth=Fraction(2)))
"""Of two kinds, so that stage numbers are variables."""


def branched(**changes):
    """Return two operators side by side between a first and a last one."""
    found = chain(4, DEVICES, **changes)
    reads = ((), ("o0",), ("o0",), ("o1", "o2"))
    operators = (replace(one, reads=own) for one, own in zip(found.operators, reads, strict=True))
    return replace(found, operators=tuple(operators))


CASES = {
    "gpipe": chain(5, DEVICES, schedule="gpipe"),
    "gpipe overlapped": chain(5, DEVICES, schedule="gpipe", overlapped=True),
    "1f1b": chain(5, DEVICES),
    "branches": branched(schedule="gpipe"),
}


FOLLOW = (model.busy, model.through)


@pytest.mark.parametrize(
    ("family", "case"),
    [
        ("phases", "gpipe"),
        ("closed_form", "gpipe"),
        ("closed_form", "gpipe overlapped"),
        ("places", "1f1b"),
        ("in_turn", "1f1b"),
        ("waits", "1f1b"),
        ("waits", "branches"),
    ],
)
def test_each_family_is_needed(family, case, monkeypatch):
    assert solve(CASES[case], NAME, limits=LIMITS).proven
    kept = tuple(one for one in model.FAMILIES if one.__name__ != family and one not in FOLLOW)
    assert len(kept) == len(model.FAMILIES) - 3
    monkeypatch.setattr(model, "FAMILIES", kept)
    assert not solve(CASES[case], NAME, limits=LIMITS).proven


@pytest.mark.parametrize("case", CASES)
def test_families_that_follow_from_the_others_change_nothing(case, monkeypatch):
    expected = solve(CASES[case], "pipeline-batch", limits=LIMITS)
    monkeypatch.setattr(model, "FAMILIES", tuple(one for one in model.FAMILIES if one not in FOLLOW))
    plan = solve(CASES[case], NAME, limits=LIMITS)
    assert (plan.status, plan.objective) == (expected.status, expected.objective)


@pytest.mark.parametrize("case", ["gpipe overlapped", "1f1b"])
def test_it_vouches_for_batches(case):
    problem = PipelineProblem(CASES[case])
    verdict = verify(problem, solve(problem, "pipeline-batch"))
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert f"{NAME}, another encoding than pipeline-batch's" in verdict.checks[-1].text


def test_a_plan_that_is_not_the_best_is_refuted():
    problem = PipelineProblem(CASES["1f1b"])
    best, other = solve(problem, "pipeline-batch"), solve(problem, "pipeline-one-device")
    assert other.objective > best.objective
    claim = replace(other, status=best.status, bound=other.objective, formulation="pipeline-batch")
    assert verify(problem, claim).outcome is CheckOutcome.REFUTED


def test_what_is_too_large_or_of_another_objective_is_declined():
    with pytest.raises(Refusal, match="this pipeline asks for another; try pipeline-cp-sat"):
        solve(chain(3, DEVICES, goal="latency"), NAME)
    with pytest.raises(Refusal, match="9,000 microbatches: too large for it; try pipeline-batch"):
        solve(chain(3, DEVICES, microbatches=9000), NAME)
