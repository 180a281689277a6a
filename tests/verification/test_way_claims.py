"""Claims about operators that are split or compute activations anew: confirmed, and refused with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt import solve, verify
from hypar_opt.instance.pipeline import read_pipeline
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.util.errors import InputError
from hypar_opt.verification.verdict import CheckOutcome

OPERATOR = {"seconds": 4, "backward": 8, "memory": 2, "activations": 3, "tensor": [{"degree": 2, "seconds": 3}]}
FIELDS = {
    "schema": "hypar-opt/pipeline/1",
    "name": "it",
    "schedule": "1f1b",
    "recompute": "operators",
    "devices": [{"kind": "gpu", "count": 4, "memory": 10}],
    "operators": [{"name": "a", **OPERATOR}, *({"name": y, "reads": [x], **OPERATOR} for x, y in ("ab", "bc"))],
}


def refuse(message, path, **_):
    return InputError(f"{path}: {message}")


PROBLEM = PipelineProblem(read_pipeline(FIELDS, refuse))


@pytest.fixture(scope="module")
def plan():
    return solve(PROBLEM, "pipeline-dp")


def test_another_formulation_confirms_it(plan):
    verdict = verify(PROBLEM, plan)
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert "pipeline-cp-sat, another encoding than pipeline-dp's" in verdict.checks[-1].text


def on(*texts):
    return dict(zip("abc", texts, strict=True))


@pytest.mark.parametrize(
    ("strategies", "name", "fault"),
    [
        (on("gpu 1-2 tensor 2", "gpu 1-2 tensor 2", "gpu 3"), "stages", "gpu 1-2 tensor 2 keeps 16 bytes, 2 micro"),
        (on("gpu 1 recompute", "gpu 2 recompute", "gpu 3 recompute"), "time", "claimed 14 s, it is 16 s"),
        (on("gpu 1 recomputed", "gpu 2", "gpu 3"), "plan", "expected devices as 'gpu 1' or 'gpu 1-2', or"),
        (
            on("gpu 1-3 tensor 2", "gpu 4", "gpu 4"),
            "plan",
            "or 'gpu 1-4 tensor 2', with 'recompute' behind them or not",
        ),
        (on("gpu 1-4 tensor 4", *["gpu 1-4 tensor 4"] * 2), "stages", "cannot be split over 4"),
    ],
)
def test_what_is_tampered_with_is_refused(plan, strategies, name, fault):
    verdict = verify(PROBLEM, replace(plan, strategies=strategies))
    assert verdict.outcome is CheckOutcome.REFUTED
    failed = next(check for check in verdict.checks if check.outcome is CheckOutcome.REFUTED)
    assert (failed.name, fault in failed.text) == (name, True), failed
