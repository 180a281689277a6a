"""Joins that lie whole on both of two unlike halves."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import document, each, instance_of
from mixed_brute_force import best_plan
from mixed_documents import judged, random_mixed_document
from mixed_machines import array_of, kind_of, setting_of
from mixed_plans import kind

from hypar_opt import solve
from hypar_opt.evaluation.mixed import exchanged
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.network import Network, workload

A, B = Fraction(5, 7), Fraction(2, 7)
LAYERS = [
    {"name": "fc1", "linear": {"features": 9}},
    {"name": "fc2", "linear": {"features": 9}},
    {"name": "sum", "add": {}, "inputs": ["fc1", "fc2"]},
    {"name": "fc3", "linear": {"features": 9}},
]
F = 6 * 9 * 2
"""Bytes of each of the four tensors, of six samples."""


@pytest.mark.parametrize(
    ("words", "summands", "error"),
    [  # of each summand, forward, and of the reader's error: what the first half lacks, and the second
        ("ddrd", [(B, A), (B, A)], (B, A)),
        ("omrm", [(B, A), (0, 0)], (B, A)),
        ("mmro", [(0, 0), (0, 0)], (0, 0)),
        ("nnro", [(0, 1), (0, 1)], (0, 0)),  # the idle half reads all: the sum lies on both
        ("mmrn", [(0, 0), (0, 0)], (0, 1)),
        ("ddnd", [(B, 0), (B, 0)], (B, 0)),  # with n it lies on the busy half alone, which reads what it lacks
    ],
)
def test_what_both_halves_read_around_a_sum(words, summands, error):
    kinds = kind_of("fast", rate=300, bandwidth=20), kind_of("slow", rate=100, bandwidth=7)
    setting = setting_of(array_of((0, 1), kinds), batch=6, size=2)
    plan = dict(zip(("fc1", "fc2", "sum", "fc3"), words, strict=True))
    work = workload(Network((9,), LAYERS))
    found = exchanged(work, plan, {"root": A}, setting)
    edges = [(edge.producer, edge.reader) for edge in work.boundaries]
    read = {(edges[one.part.boundary], one.moved): one.read for one in found if one.part.boundary is not None}
    nothing = (0, 0)
    assert [read.get(((layer, 2), "feature"), nothing) for layer in (0, 1)] == [
        tuple(part * F for part in both) for both in summands
    ]
    assert read.get(((2, 3), "error"), nothing) == tuple(part * F for part in error)
    assert all(one.part.layer != 2 for one in found if one.moved == "sums")


def test_what_lies_whole_cuts_nothing_that_would_have_to_be_whole():
    """Nine features and six samples have thirds, so that splits need not be told to divide."""
    kinds = [kind("fast", 1, 300, 20), kind("slow", 1, 100, 7)]
    asked = {"choices": ["dp", "mp", "op", "replicate"], "shares": ["2/3", "1/3"], "accounting": "published"}
    plans = []
    for splits in ("any", "divisible"):
        whole = document(LAYERS, (9,), batch=6, objective={"time": 1}, splits=splits, **asked)
        plans.append(solve(instance_of(whole | {"array": whole["array"] | {"accelerators": kinds}})))
    assert [plan.status for plan in plans] == [Status.OPTIMAL] * 2
    assert plans[0].objective == plans[1].objective


@each("seed", range(20), quick=2)
def test_the_best_of_all_plans_is_found(seed):
    objective = "time" if seed % 5 else "communication"
    document = random_mixed_document(seed, objective=objective)
    if document["cost"]["accounting"] == "as-evaluated":
        return
    document["cost"]["choices"].append("replicate")
    instance = instance_of(document)
    best, found = best_plan(*judged(instance), objective), solve(instance)
    if best is None:
        assert (found.status, found.strategies) == (Status.INFEASIBLE, None)
    else:
        assert (found.objective, found.proven) == (best.cost, True)
