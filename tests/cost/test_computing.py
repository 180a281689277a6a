"""What accelerators compute and spend, by letters: the same as slice by slice, for every word."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of
from machines import MODELS, random_array

from hypar_opt.instance.objective.components import (
    COMM_ENERGY,
    COMM_TIME,
    COMMUNICATION,
    COMPUTED,
    ENERGY,
    HOP_BYTES,
    TIME,
)

EVERY = (COMMUNICATION, HOP_BYTES, COMM_TIME, COMM_ENERGY, *COMPUTED, TIME, ENERGY)
SEEDS = range(60)


def random_problem(seed, model, capacity=None):
    whole = random_document(seed, most_layers=4, most_levels=3)
    if whole["cost"]["accounting"] == "leaf-exact":
        whole["cost"]["accounting"] = "receiver"
    whole["cost"]["optimiser"] = Random(seed).choice(("sgd", "momentum", "adam"))
    whole["array"] = random_array(seed, whole["array"]["levels"], model=model, capacity=capacity)
    return problem_of(whole)


def random_choices(problem, rng):
    """Any words, allowed or not: what they cost does not depend on that."""
    return tuple(rng.randrange(variable.size) for variable in problem.base.variables)


@pytest.mark.parametrize("model", MODELS)
@each("seed", SEEDS, quick=5)
def test_every_component_is_what_slices_and_routes_give(seed, model):
    problem, rng = random_problem(seed, model), Random(seed)
    graphs = {name: problem.weighing({name: Fraction(1)}) for name in EVERY}
    for _ in range(4):
        choices = random_choices(problem, rng)
        costs = problem.costs(problem.bytes_of(problem.strategies(choices)), problem.sites)
        for name, graph in graphs.items():
            assert Fraction(graph.value(choices), graph.objective.denominator) == costs[name], name


@each("seed", SEEDS, quick=10)
def test_any_weighting_of_them(seed):
    problem, rng = random_problem(seed, None), Random(seed)
    weights = {name: Fraction(rng.randint(0, 9), rng.randint(1, 7)) for name in rng.sample(EVERY, 4)}
    graph = problem.weighing(weights)
    choices = random_choices(problem, rng)
    costs = problem.costs(problem.bytes_of(problem.strategies(choices)), problem.sites)
    expected = sum(weight * costs[name] for name, weight in weights.items())
    assert Fraction(graph.value(choices), graph.objective.denominator) == expected


@each("seed", range(12))
def test_the_costs_of_all_words_at_once(seed):
    problem = random_problem(seed, None)
    graph = problem.weighing({TIME: Fraction(1), ENERGY: Fraction(1, 3)})
    for cost in graph.unary_costs:
        dense = cost.dense(object)
        assert [int(one) for one in dense] == [cost.value(i) for i in range(cost.size)]
        assert max(dense) <= cost.upper


@each("seed", range(12))
def test_the_levels_of_a_word_add_up(seed):
    """Over the levels: the whole cost, less what any word costs."""
    problem = random_problem(seed, None)
    graph = problem.weighing({ENERGY: Fraction(1)})
    for variable, cost in zip(graph.variables, graph.unary_costs, strict=True):
        letters = range(len(variable.words.alphabet))
        rests = set()
        for word in product(letters, repeat=variable.words.length):
            spelt = "".join(variable.words.alphabet[letter] for letter in word)
            total = sum(cost.level(h, word[:h])[letter] for h, letter in enumerate(word))
            rests.add(cost.value(variable.words.index(spelt)) - total)
        assert len(rests) == 1


def test_one_accelerator_alone():
    whole = document(linear_chain(4, 2), [3], batch=2, levels=0, accounting="receiver")
    whole["array"] = random_array(1, 0, model="as-evaluated")
    problem = problem_of(whole)
    costs = problem.costs(problem.bytes_of({"fc1": "", "fc2": ""}), problem.sites)
    graph = problem.weighing({TIME: Fraction(1)})
    assert Fraction(graph.value((0, 0)), graph.objective.denominator) == costs[TIME] == costs["compute-time"] > 0


@each("seed", SEEDS)
def test_the_memory_that_a_plan_keeps(seed):
    problem, rng = random_problem(seed, None, capacity=10**12), Random(seed)
    choices = random_choices(problem, rng)
    kept = sum(problem.resident(problem.strategies(choices)).values())
    assert Fraction(problem.memory.used(choices), problem.memory.unit) == kept
