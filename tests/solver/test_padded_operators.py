"""Instances that pad what parts do not divide: solved, recounted, and what they refuse."""

from __future__ import annotations

import pytest

from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError
from hypar_opt.verification import verify

HEADS = [
    *({"name": name, "inputs": ["x"], "linear": {"features": 6}} for name in ("q", "k", "v")),
    {"name": "mix", "inputs": ["q", "k", "v"], "attention": {"heads": 3}},
]


def instance(layers, splits="padded", **others):
    """Return an instance with a batch of seven on three devices, five features of two bytes each."""
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "seven",
            "batch": 7,
            "network": {"inputs": {"x": {"sequence": 4, "features": 5}}, "layers": layers},
            "array": {"axes": [{"name": "gpu", "size": 3}]},
            "cost": {"splits": splits, "bytes_per_element": 2},
            **others,
        }
    )


TWO = [{"name": "up", "linear": {"features": 8}}, {"name": "down", "linear": {"features": 4}}]


def test_columns_and_rows_of_a_padded_dimension():
    """Eight columns in three parts of three, which the second layer's rows fit: only its output is added up."""
    plan = solve(instance(TWO, fix={"up": "out", "down": "in"}))
    assert (plan.status, plan.communication_bytes) == ("OPTIMAL", 2 * (3 - 1) * 7 * 4 * 4 * 2)


def test_an_exchange_of_padded_pieces():
    """Forward from parts of the batch to parts of the features, and the gradient back: pieces of 3 x 4 x 3."""
    plan = solve(instance(TWO, fix={"up": "batch", "down": "in"}))
    sums, weights = 2 * (3 - 1) * 7 * 4 * 4 * 2, 2 * (3 - 1) * 5 * 8 * 2
    assert plan.communication_bytes == sums + weights + 2 * 3 * 2 * (3 * 4 * 3) * 2


@pytest.mark.parametrize("name", ["joint-dp", "brute-force"])
def test_the_best_plan_is_found_and_verified(name, tmp_path):
    problem = OperatorProblem(instance(TWO))
    plan = solve(problem, name)
    plan.save(tmp_path / "plan.json")
    assert plan.status == "OPTIMAL"
    assert plan.communication_bytes == problem.costs(problem.plan_of(plan.strategies))["communication"]
    assert verify(problem.instance, tmp_path / "plan.json").outcome.value == "confirmed"


def test_heads_are_not_padded():
    assert solve(instance(HEADS, fix={"mix": "heads"})).status == "OPTIMAL"  # three heads of two features
    halves = {"axes": [{"name": "gpu", "size": 2}]}
    with pytest.raises(InputError, match="heads of 'mix' has size 3, which 2 parts do not divide"):
        instance(HEADS, fix={"mix": "heads"}, array=halves)
    assert solve(instance(HEADS, "any", fix={"mix": "heads"}, array=halves)).status == "OPTIMAL"


def test_there_is_a_certificate_of_padded_parts():
    assert OperatorProblem(instance(TWO)).uncertifiable is None
