"""The verifier by boxes agrees with the cost model, on random networks and plans, and by hand."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bank.random_networks import MODELS, random_document
from cost.direct_formula import by_parts
from helpers import document, each, linear_chain, problem_of

from hypar_opt.instance import load
from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.solver.network_problem import NetworkProblem

TWO = linear_chain(4, 4)


@each("seed", range(6000, 6700), quick=20)
def test_boxes_cost_model_and_formulas_agree(seed):
    problem = problem_of(random_document(seed, most_layers=10, most_levels=5))
    rng = Random(seed)
    for _ in range(3):
        choices = tuple(rng.randrange(variable.size) for variable in problem.graph.variables)
        strategies = problem.strategies(choices)
        breakdown = problem.bytes_of(strategies)
        layers, boundaries = by_parts(problem, strategies)
        assert [list(row) for row in breakdown.intra] == layers
        if problem.instance.accounting == "leaf-exact":  # whose levels are told apart in another way
            assert list(map(sum, breakdown.inter)) == list(map(sum, boundaries))
        else:
            assert [list(row) for row in breakdown.inter] == boundaries
        assert breakdown.total * problem.graph.objective.denominator == problem.graph.value(choices)


def test_the_drawn_plans_are_over_two_thousand_and_cover_every_accounting_and_choice_set():
    drawn = [random_document(seed, most_layers=10, most_levels=5)["cost"] for seed in range(6000, 6700)]
    counts = Counter((cost["accounting"], tuple(cost["choices"])) for cost in drawn)
    assert 3 * counts.total() >= 2000
    assert {(name, tuple(choices)) for name, choices in MODELS} == set(counts)
    assert {name for name, _ in counts} == set(ACCOUNTINGS) - {"collective"}  # which takes chains
    assert min(counts.values()) >= 50


@pytest.mark.parametrize("network", ["vgg-e", "resnet-50", "alexnet-full"])
@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver", "leaf-exact"])
def test_they_agree_on_shipped_networks(network, accounting):
    problem = NetworkProblem(load(network, accounting=accounting))
    rng = Random(1)
    for _ in range(20):
        choices = tuple(rng.randrange(variable.size) for variable in problem.graph.variables)
        total = problem.bytes_of(problem.strategies(choices)).total
        assert total * problem.graph.objective.denominator == problem.graph.value(choices)


@pytest.mark.parametrize(
    ("accounting", "levels"), [("published", (224, 224)), ("as-evaluated", (192, 224)), ("receiver", (224, 240))]
)
def test_two_layers_by_hand(accounting, levels):
    # |W| = 16, |F| = 8 (batch 2). Level 1, md -> dm: fc1 m 8 x 8, fc2 d 8 x 16; m -> d: half of E, 8 x 4.
    # Level 2, two groups: fc1 d 16 x 8 (W halved), fc2 m 16 x 4 (F halved); d -> m: a quarter each of F and E,
    # halved by fc2's d: 16 x (1 + 1); by receiver E is whole to fc1, whose m halves nothing: 16 x (1 + 2)
    problem = problem_of(document(TWO, [4], batch=2, levels=2, accounting=accounting))
    breakdown = problem.bytes_of({"fc1": "md", "fc2": "dm"})
    assert tuple(breakdown.level(h) for h in range(2)) == levels


def test_parts_levels_and_total_are_one():
    problem = problem_of(random_document(6001, most_layers=6, most_levels=4))
    choices = tuple(0 for _ in problem.graph.variables)
    breakdown = problem.bytes_of(problem.strategies(choices))
    parts = [*breakdown.intra, *breakdown.inter]
    assert breakdown.total == sum(map(sum, parts)) > 0
    assert breakdown.total == sum(breakdown.level(h) for h in range(problem.instance.levels))


def test_a_missing_strategy_is_not_taken_for_free():
    problem = problem_of(document(TWO, [4]))
    with pytest.raises(KeyError):
        problem.bytes_of({"fc1": "d"})
