"""Claims about stages that keep what is in flight: confirmed by another formulation, refused with the reason."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import solve, verify
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.verification.verdict import CheckOutcome

OPERATORS = tuple(
    PipelineOperator(f"o{place}", "forward", {"gpu": Fraction(1)}, (f"o{place - 1}",)[: place > 0], Fraction(2),
                     memory=Fraction(1), activations=Fraction(2))
    for place in range(5)
)  # fmt: skip
PROBLEM = PipelineProblem(PipelineInstance("it", "", OPERATORS, (DeviceKind("gpu", 3, Fraction(9)),), schedule="1f1b"))


@pytest.fixture(scope="module")
def plan():
    return solve(PROBLEM, "pipeline-dp")


def on(*devices):
    return {one.name: f"gpu {number}" for one, number in zip(OPERATORS, devices, strict=True)}


def test_another_formulation_is_named(plan):
    verdict = verify(PROBLEM, plan)
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert plan.objective == 3
    assert "pipeline-cp-sat, another encoding than pipeline-dp's" in verdict.checks[-1].text


@pytest.mark.parametrize(
    ("devices", "fault"),
    [
        ((1, 1, 2, 3, 3), "memory: gpu 1 keeps 14 bytes, 3 microbatches in flight, and has 9"),
        ((1, 2, 2, 3, 3), "memory: gpu 2 keeps 10 bytes, 2 microbatches in flight, and has 9"),
        ((2, 1, 1, 1, 3), "memory: gpu 1 keeps 15 bytes, 2 microbatches in flight, and has 9"),
        ((1, 2, 1, 3, 3), "stages are not contiguous: they wait for each other in a circle"),
    ],
)
def test_stages_that_keep_too_much_are_refused(plan, devices, fault):
    verdict = verify(PROBLEM, replace(plan, strategies=on(*devices)))
    assert verdict.outcome is CheckOutcome.REFUTED
    failed = next(check for check in verdict.checks if check.outcome is CheckOutcome.REFUTED)
    assert (failed.name, fault in failed.text) == ("stages", True), failed
