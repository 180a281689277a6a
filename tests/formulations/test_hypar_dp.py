"""The paper's Algorithms 1 and 2."""

from __future__ import annotations

import pytest
from bank.random_networks import random_document
from helpers import document, instance_of, linear_chain, problem_of

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance import load
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import Refusal


def random_chains(seeds, **sizes):
    problems = (problem_of(random_document(seed, **sizes)) for seed in seeds)
    return [p for p in problems if p.graph.is_chain and not any(layer.is_join for layer in p.work.layers)]


def test_ties_go_to_dp():
    # |W| = |F[l+1]| = 16: d and m cost the same at every level
    plan = solve(instance_of(document(linear_chain(4), [4], batch=4, levels=1)), "hypar-dp")
    assert plan.strategies == {"fc1": "d"}


def test_of_equal_predecessors_dp_is_kept():
    # fc1: d and m cost 128, both boundaries to m cost 8 x 0.5 x 16; fc2 is m in either case: 8 x 4 < 8 x 16
    layers = [{"name": "fc1", "linear": {"features": 4}}, {"name": "fc2", "linear": {"features": 1}}]
    plan = solve(instance_of(document(layers, [4], batch=4, fix={"fc2": "m"})), "hypar-dp")
    assert plan.strategies == {"fc1": "d", "fc2": "m"}
    assert plan.communication_bytes == 128 + 64 + 32


def test_one_level_is_proven_and_agrees_with_all_assignments():
    problems = random_chains(range(2000, 2150), most_levels=1)
    plans = [(solve(problem, "hypar-dp"), solve(problem, "brute-force")) for problem in problems]
    found = [(greedy, best) for greedy, best in plans if best.status == "OPTIMAL"]
    assert len(found) >= 30
    for greedy, best in found:
        assert (greedy.status, greedy.objective, greedy.bound) == ("OPTIMAL", best.objective, best.objective)


def test_several_levels_are_greedy_and_claim_nothing():
    plan = solve(load("sfc", accounting="receiver"), "hypar-dp")
    assert (plan.status, plan.bound) == ("FEASIBLE", None)
    assert plan.communication_bytes > solve(load("sfc", accounting="receiver"), "joint-dp").communication_bytes


def test_greedy_is_never_below_the_optimum_and_sometimes_above():
    problems = random_chains(range(2200, 2400), most_levels=3)
    pairs = [(solve(problem, "hypar-dp"), solve(problem, "joint-dp")) for problem in problems]
    known = [(greedy.objective, best.objective) for greedy, best in pairs if greedy.objective is not None]
    assert len(known) >= 40
    assert all(greedy >= best for greedy, best in known)
    assert any(greedy > best for greedy, best in known)


def test_each_level_is_optimal_given_the_levels_above():
    """No other letters of level 2, below the same letters of level 1, exchange less at level 2."""
    problem = problem_of(document(linear_chain(40, 6, 12), [16], batch=8, levels=2, accounting="receiver"))
    words = list(solve(problem, "hypar-dp").strategies.items())

    def level_2(letters):
        plan = {name: word[0] + letter for (name, word), letter in zip(words, letters, strict=True)}
        return problem.bytes_of(plan).level(1)

    every = [a + b + c for a in "dm" for b in "dm" for c in "dm"]
    assert level_2([word[1] for _, word in words]) == min(level_2(letters) for letters in every)


def test_graphs_are_declined_with_an_alternative():
    with pytest.raises(Refusal, match=r"hypar-dp is for chains .* try joint-dp"):
        solve(load("resnet-18"), "hypar-dp")


def test_given_strategies_and_splits_are_kept():
    problems = random_chains(range(2400, 2600))
    plans = [(problem, solve(problem, "hypar-dp")) for problem in problems]
    given = [(p, plan) for p, plan in plans if plan.strategies and p.instance.fix]
    assert given
    for problem, plan in given:
        assert {name: plan.strategies[name] for name in problem.instance.fix} == problem.instance.fix


def test_a_dead_end_is_no_proof():
    # one split in all is possible, two are asked for
    whole = document(linear_chain(1), [2], batch=1, levels=2, splits="divisible")
    plan = solve(instance_of(whole), "hypar-dp")
    assert (plan.status, plan.strategies) == ("NO_SOLUTION", None)
    assert "an exact formulation may find one" in plan.note


def test_a_stop_ends_it():
    graph = problem_of(document(linear_chain(4), [4], levels=2)).graph
    limits = Limits()
    limits.stop.set()
    solution = load_formulation("hypar-dp").solve(graph, Run("hypar-dp", limits))
    assert (solution.status, solution.native_status) == ("NO_SOLUTION", "stopped at level 1 of 2")
