"""All exact formulations agree, to the byte, on random instances and on the paper's networks."""

from __future__ import annotations

import pytest
from bank.random_networks import random_document
from helpers import each, exact_names, instance_of, problem_of

from hypar_opt.instance import load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal

TEN = ("sfc", "sconv", "lenet-c", "cifar-c", "alexnet", "vgg-a", "vgg-b", "vgg-c", "vgg-d", "vgg-e")


def solved(problem):
    """Return the plans of all exact formulations that accept the problem, by name."""
    plans = {}
    for name in exact_names():
        try:
            plans[name] = solve(problem, name)
        except Refusal:
            continue
    return plans


def check(plans):
    """Every plan is proven (solve recomputed it), and all of them have one cost."""
    reference = plans["joint-dp"]
    claims = {name: (plan.status, plan.objective, plan.bound) for name, plan in plans.items()}
    expected = (reference.status, reference.objective, reference.objective)
    assert reference.proven
    assert claims == dict.fromkeys(plans, expected)


@each("seed", range(100), quick=12)
def test_exact_formulations_agree_on_small_random_networks(seed):
    plans = solved(problem_of(random_document(seed)))
    assert set(plans) == set(exact_names())
    check(plans)


@each("seed", range(50), quick=6)
def test_exact_formulations_agree_where_joins_may_lie_whole(seed):
    plans = solved(problem_of(random_document(seed, more=("replicate",))))
    assert set(plans) == set(exact_names())
    check(plans)


@pytest.mark.slow
@each("seed", range(1000, 1025))
def test_exact_formulations_agree_on_larger_random_networks(seed):
    plans = solved(problem_of(random_document(seed, most_layers=16, most_levels=4)))
    assert set(exact_names()) - set(plans) <= {"brute-force"}
    check(plans)


@pytest.mark.slow
def test_the_random_networks_cover_what_they_should():
    documents = [random_document(seed) for seed in range(100)]
    problems = [problem_of(one) for one in documents]
    plans = [solve(problem, "joint-dp") for problem in problems]
    kinds = {layer.kind for problem in problems for layer in problem.work.layers}
    assert kinds == {"conv", "linear", "add", "concat"}
    assert sum(plan.status == "INFEASIBLE" for plan in plans) >= 10
    assert sum(problem.graph.is_chain for problem in problems) >= 50
    assert sum(not problem.graph.is_chain for problem in problems) >= 25
    assert sum("fix" in one for one in documents) >= 10
    assert any(len(problem.graph.edge_costs) < len(problem.graph.edges) for problem in problems)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("network", TEN)
@pytest.mark.parametrize("accounting", ACCOUNTINGS)
def test_exact_formulations_agree_on_the_papers_networks(network, accounting):
    plans = solved(NetworkProblem(load(network, accounting=accounting)))
    assert set(exact_names()) - set(plans) <= {"brute-force"}
    check(plans)


def test_nothing_can_be_split_where_the_batch_and_every_size_are_odd():
    layers = [{"name": "fc", "linear": {"features": 5}}]
    plans = solved(instance_of({**_odd(layers), "cost": {"choices": ["dp", "mp", "op"], "splits": "divisible"}}))
    assert {name: plan.status.value for name, plan in plans.items()} == dict.fromkeys(exact_names(), "INFEASIBLE")


def _odd(layers):
    return {
        "schema": "hypar-opt/instance/1",
        "name": "odd",
        "batch": 1,
        "network": {"input": [3], "layers": layers},
        "array": {"topology": "h-tree", "levels": 1},
    }


@each("seed", range(50), quick=6)
def test_exact_formulations_agree_on_random_chains_under_collective(seed):
    plans = solved(problem_of(random_document(seed, most_layers=3, is_chain=True, accounting="collective")))
    assert set(plans) == set(exact_names())
    check(plans)
