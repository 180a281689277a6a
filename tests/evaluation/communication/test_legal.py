"""Which plans are allowed, against the masks that the formulations search in."""

from __future__ import annotations

from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of

from hypar_opt.evaluation.legality import illegal, impossible, incomplete
from hypar_opt.solver.solve import solve

CONCAT = [
    {"name": "a", "conv": {"filters": 4, "kernel": 1}, "inputs": ["input"]},
    {"name": "b", "conv": {"filters": 3, "kernel": 1}, "inputs": ["input"]},
    {"name": "cat", "concat": {}, "inputs": ["a", "b"]},
]


@each("seed", range(200), quick=10)
def test_a_plan_is_legal_where_the_masks_allow_it(seed):
    problem = problem_of(random_document(seed + 300, most_layers=6, most_levels=3))
    rng = Random(seed)
    for _ in range(8):
        choices = tuple(rng.randrange(variable.size) for variable in problem.graph.variables)
        strategies = problem.strategies(choices)
        assert incomplete(problem.work, strategies) is None
        assert (illegal(problem.work, strategies, problem.rules) is None) == problem.graph.feasible(choices)


def test_a_plan_with_a_letter_that_its_layer_may_not_have_is_recomputed_all_the_same():
    """As if the letter did nothing: who is told why it is no plan is told what it would cost, too."""
    problem = problem_of(document(CONCAT, [4, 2, 2], levels=1, choices=["dp", "mp", "op"]))
    plan = {"a": "m", "b": "m", "cat": "o"}
    assert illegal(problem.work, plan, problem.rules) == "layer 'cat' has 'o', expected 1 letters of 'dm'"
    forward = problem.bytes_of(plan).forward
    assert forward == ((0,), (0,))


@each("seed", range(120), quick=10)
def test_there_is_no_plan_where_a_layer_has_no_strategy(seed):
    problem = problem_of(random_document(seed, most_layers=5, most_levels=3))
    there_is_none = solve(problem, "joint-dp").status == "INFEASIBLE"
    assert (impossible(problem.work, problem.rules) is not None) == there_is_none


def test_the_seeds_have_both():
    problems = [problem_of(random_document(seed, most_layers=5, most_levels=3)) for seed in range(120)]
    found = [impossible(problem.work, problem.rules) for problem in problems]
    assert 5 <= sum(one is not None for one in found) <= 100


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ({"fc1": "dm"}, "the plan has no strategy for layers 'fc2', 'fc3'"),
        ({"fc1": "dm", "fc2": "dd", "fc3": "mm", "x": "dd"}, "the plan has a layer 'x', the instance has none"),
    ],
)
def test_an_incomplete_plan(plan, message):
    problem = problem_of(document(linear_chain(4, 4, 4), [4], levels=2))
    assert incomplete(problem.work, plan) == message


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"a": "o" * 50}, "layer 'a' has '" + "o" * 40 + "', expected 1 letters of 'dmo'"),
        ({"a": "x"}, "layer 'a' has 'x', expected 1 letters of 'dmo'"),
        ({"cat": "o"}, "layer 'cat' has 'o', expected 1 letters of 'dm'"),
        ({"cat": "m"}, "layer 'cat' has 'm', and its input of 3 does not divide by 2"),
        ({"b": "o"}, "layer 'b' has 'o', and its output of 3 does not divide by 2"),
        ({"a": "m"}, "layer 'a' has 'm', and its input of 5 does not divide by 2"),
        ({"b": "m"}, "layer 'b' has 'm', the instance gives 'd'"),
        ({}, None),
    ],
)
def test_what_is_not_allowed(words, message):
    fix = {"b": "d"} if words.get("b") == "m" else None
    whole = document(CONCAT, [5, 4, 4], batch=4, choices=["dp", "mp", "op"], splits="divisible", fix=fix)
    problem = problem_of(whole)
    plan = {"a": "d", "b": "d", "cat": "d"} | words
    assert illegal(problem.work, plan, problem.rules) == message


def test_an_odd_batch_is_not_halved():
    problem = problem_of(document(linear_chain(4), [4], batch=6, levels=2, splits="divisible"))
    message = "layer 'fc1' has 'dd', and its batch of 6 does not divide by 4"
    assert illegal(problem.work, {"fc1": "dd"}, problem.rules) == message
