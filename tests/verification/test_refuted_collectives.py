"""Claims of collectives: a better plan refutes one, whoever finds it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt import solve, verify
from hypar_opt.formulation.solution import Status
from hypar_opt.verification.verdict import CheckOutcome
from tests.collectives import collective_of

TRIANGLE = {"topology": "ring", "collective": "all-reduce", "accelerators": 3}
LINKS = [
    {"ends": ["a0", "a1"], "bandwidth": 3, "latency": 1},
    {"ends": ["a0", "a2"], "bandwidth": 1, "latency": 5},
]
UNLIKE = {
    "topology": "custom", "collective": "all-reduce", "bytes": 18,
    "graph": {"nodes": [{"name": "a0"}, {"name": "a1"}, {"name": "a2"}], "links": LINKS}, "objective": "time",
}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "name"),
    [({**TRIANGLE, "objective": "rounds", "steps": 4}, "ring"), (UNLIKE, "multitree")],
)
def test_a_better_construction_refutes_a_claim(said, name):
    instance = collective_of(**said)
    plan = solve(instance, name)
    verdict = verify(instance, replace(plan, status=Status.OPTIMAL, bound=plan.objective))
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.better.objective < plan.objective


def test_that_there_is_none_is_refuted_by_any_construction():
    instance = collective_of(**TRIANGLE, objective="rounds", steps=4)
    plan = solve(instance, "ring")
    claim = replace(
        plan, status=Status.INFEASIBLE, strategies=None, communication_bytes=None, objective=None, bound=None, costs={}
    )
    verdict = verify(instance, claim)
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.better.objective <= 4


@pytest.mark.parametrize("steps", [2, 4])
def test_the_best_is_not_refuted(steps):
    instance = collective_of(**TRIANGLE, objective="rounds", steps=steps)
    plan = solve(instance, "multitree")
    assert verify(instance, plan).outcome is not CheckOutcome.REFUTED
