"""An encoder that allows too much, or too little: whoever completes plans finds out by boxes, slices and routes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from helpers import document, exact_names, instance_of, linear_chain, problem_of
from machines import random_array

import hypar_opt.cost.compile as encoder
import hypar_opt.solver.network_costs as compiled
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.solve import solve
from hypar_opt.studies.compare import compare, failures
from hypar_opt.studies.compare_arrays import compare_arrays
from hypar_opt.studies.random_instances.measurement import measure_document
from hypar_opt.studies.sweep import explore, scale
from hypar_opt.util.errors import InputError, RecomputationError
from hypar_opt.verification import verify

SIX = document(linear_chain(4096), [4096], batch=6, levels=2, choices=["dp"], splits="divisible")
"""Six samples can be halved once; `d` twice is the one plan of an encoder that thinks otherwise."""
FOUR = {**SIX, "batch": 4}
INDIVISIBLE = "layer 'fc1' has 'dd', and its batch of 6 does not divide by 4"
MACHINE = {"array": random_array(1, 2)}
STRATEGIES = exact_names()


@pytest.fixture
def halvings(monkeypatch):
    """Return a function that makes the encoder allow so many halvings more."""
    real = encoder._words

    def mutate(more):
        def wrong(layer, model):
            words = real(layer, model)
            limits = words.limits if words.limits is None else tuple(n + more for n in words.limits)
            return replace(words, limits=limits)

        monkeypatch.setattr(encoder, "_words", wrong)

    return mutate


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_halving_too_many(halvings, name):
    halvings(1)
    plan = solve(instance_of(SIX), name)
    assert (plan.status, plan.native_status, plan.bound) == (Status.ERROR, INDIVISIBLE, None)


@pytest.mark.parametrize("name", ["hypar-dp", "data-parallel"])
def test_a_halving_too_many_for_a_rule(halvings, name):
    halvings(1)
    plan = solve(instance_of(SIX), name)
    assert (plan.status, plan.native_status) == (Status.ERROR, INDIVISIBLE)


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_halving_too_few(halvings, name):
    """That there is no plan is recounted as well."""
    halvings(-1)
    plan = solve(instance_of(FOUR), name)
    assert plan.status is Status.ERROR
    assert plan.native_status.endswith("and every layer has a strategy that is allowed")


@pytest.mark.parametrize("name", ["joint-enumeration", "joint-cp-sat", "alternating", "placement-cp-sat", None])
def test_where_the_placement_is_decided_too(halvings, name):
    halvings(1)
    plan = solve(_on_a_ring(SIX), name)
    assert plan.status is Status.ERROR
    assert INDIVISIBLE in plan.native_status


def test_strategies_that_are_given_to_be_placed():
    problem = problem_of({**SIX, **_ring("free")})
    with pytest.raises(InputError, match=f"start: only a plan that is allowed can be placed: {INDIVISIBLE}"):
        solve(problem, "placement-cp-sat", start={"fc1": "dd"})


def test_a_product(halvings):
    halvings(1)
    plan = solve(instance_of({**SIX, **MACHINE, "objective": {"product": ["time", "energy"]}}))
    assert (plan.status, plan.native_status, plan.objective) == (Status.ERROR, INDIVISIBLE, None)


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat"])
@pytest.mark.parametrize(
    ("more", "whole", "fault"),
    [(1, SIX, f"a plan of the front is none: {INDIVISIBLE}"), (-1, FOUR, "complete and empty, and the instance has")],
)
def test_a_front(halvings, name, more, whole, fault):
    halvings(more)
    with pytest.raises(RecomputationError, match=fault):
        pareto_front(instance_of({**whole, **MACHINE}), formulation=name)


def test_exploring(halvings):
    halvings(1)
    problem = NetworkProblem(instance_of(SIX))
    found = explore(problem, plan={"fc1": "dd"}, against="plan")
    assert found.fault == f"{INDIVISIBLE}, and the cost model allows it"
    with pytest.raises(RecomputationError, match=f"the plan of hypar-dp does not hold: {INDIVISIBLE}"):
        explore(problem)


def test_comparing(halvings):
    halvings(1)
    cells = compare([instance_of(SIX)], ["hypar-dp", "joint-dp"])
    assert failures(cells) == [f"of-a-test, {name}: {INDIVISIBLE}" for name in ("hypar-dp", "joint-dp")]


def test_comparing_arrays_and_sizes(halvings, tmp_path):
    halvings(1)
    path = tmp_path / "six.yaml"
    path.write_text(yaml.safe_dump(SIX), encoding="utf-8")
    (cell,) = compare_arrays([str(path)], ["ring-16"], overrides={"levels": 2})
    assert (cell.plan.status, cell.time, cell.proven) == (Status.ERROR, None, False)
    assert {point.plan.status for point in scale(path, [2])} == {Status.ERROR}


def test_a_campaign(halvings):
    halvings(1)
    pair = measure_document(SIX)
    assert (pair.joint.status, pair.greedy.status, pair.optimum, pair.gap) == ("ERROR", "ERROR", None, None)


def test_a_claim_is_not_refuted_by_a_plan_that_is_none(halvings):
    """`m` halves three inputs, and is cheaper, were it allowed."""
    whole = document(linear_chain(64), [3], batch=2, splits="divisible")
    plan = solve(instance_of(whole))
    assert (plan.status, plan.strategies) == (Status.OPTIMAL, {"fc1": "d"})
    halvings(1)
    verdict = verify(instance_of(whole), plan)
    assert verdict.better is None
    assert verdict.outcome != "refuted"


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat", "milp-highs", "brute-force"])
def test_a_memory_that_is_counted_four_times(monkeypatch, name):
    real = compiled.memory_capacity

    def wrong(*given):
        found = real(*given)
        return replace(found, limit=4 * found.limit)

    monkeypatch.setattr(compiled, "memory_capacity", wrong)
    weights = 4 * 4096 * 4096
    array = random_array(1, 2, capacity=weights)
    plan = solve(instance_of({**FOUR, "array": array, "cost": {"choices": ["dp", "mp"]}, "fix": {"fc1": "dd"}}), name)
    assert plan.status is Status.ERROR
    assert plan.native_status == (
        f"the plan needs {2 * weights + 4 * 4096:,} bytes on every accelerator, which has {weights:,}"
    )


def _ring(placement):
    return {"array": {"topology": "ring", "levels": 2, "placement": placement}, "objective": {"hop-bytes": 1}}


def _on_a_ring(whole):
    return instance_of({**whole, **_ring("free")})
