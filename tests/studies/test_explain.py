"""explain(): where the bytes go, and what any other strategy would cost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sensitivity import explain


def allowed_words(problem, layer):
    (words,) = [variable.words for variable in problem.graph.variables if variable.name == layer]
    return [words.word(i) for i in range(words.size) if words.mask[i]]


def forced_cost(whole, layer, word):
    """Return the optimum with a layer given a strategy, or None if there is no such plan."""
    plan = solve(instance_of({**whole, "fix": {**whole.get("fix", {}), layer: word}}), "brute-force")
    return plan.objective


@each("seed", range(5000, 5025))
def test_regrets_are_what_solving_again_without_the_strategy_gives(seed):
    whole = random_document(seed, most_layers=4)
    problem = problem_of(whole)
    plan = solve(problem, "joint-dp")
    if plan.status is Status.INFEASIBLE:
        with pytest.raises(ValueError, match="INFEASIBLE has nothing to explain"):
            explain(problem, plan)
        return
    for layer, regret in explain(problem, plan).regrets.items():
        others = [word for word in allowed_words(problem, layer) if word != plan.strategies[layer]]
        costs = {word: forced_cost(whole, layer, word) for word in others}
        known = {word: cost for word, cost in costs.items() if cost is not None}
        if not known:
            assert regret is None
            continue
        assert regret.cost == min(known.values()) - plan.objective
        assert known[regret.second_best] == min(known.values())


def test_a_unique_optimum():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    explained = explain(problem, solve(problem, "joint-dp"))
    assert explained.unique is True
    assert explained.regrets["fc1"].cost == 256 - 64
    assert explained.regrets["fc1"].second_best == "m"


def test_an_optimum_that_is_not_unique():
    problem = problem_of(document(linear_chain(4), [4], batch=4))
    explained = explain(problem, solve(problem, "joint-dp"))
    assert explained.unique is False
    assert explained.regrets["fc1"].cost == 0


def test_a_plan_that_is_not_optimal_has_a_negative_regret():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    explained = explain(problem, solve(problem, "model-parallel"))
    assert explained.unique is False
    assert explained.regrets["fc1"].cost == 64 - 256


def test_a_layer_that_is_given_has_no_regret():
    problem = problem_of(document(linear_chain(2), [4], batch=16, fix={"fc1": "m"}))
    explained = explain(problem, solve(problem, "joint-dp"))
    assert explained.regrets == {"fc1": None}
    assert explained.unique is True


def test_regrets_are_in_the_objectives_unit():
    whole = document(linear_chain(2), [4], batch=16, objective={"communication": 0.1})
    problem = problem_of(whole)
    assert explain(problem, solve(problem, "joint-dp")).regrets["fc1"].cost == Fraction(192, 10)


def test_the_parts_sum_to_the_whole():
    problem = problem_of(random_document(5100))
    plan = solve(problem, "joint-dp")
    breakdown = explain(problem, plan).breakdown
    assert plan.status is Status.OPTIMAL
    assert sum(breakdown.level(h) for h in range(problem.instance.levels)) == plan.communication_bytes


def test_without_room_for_the_tables_it_says_why():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    explained = explain(problem, solve(problem, "joint-dp"), Limits(memory_bytes=8))
    assert (explained.unique, explained.regrets) == (None, {})
    assert "the memory limit is" in explained.missing


def test_after_a_stop_it_says_so():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    plan = solve(problem, "joint-dp")
    limits = Limits()
    limits.stop.set()
    assert explain(problem, plan, limits).missing == "stopped by the limit"


def test_a_plan_without_strategies_has_nothing_to_explain():
    problem = problem_of(document(linear_chain(2), [4], batch=16))
    plan = replace(solve(problem, "joint-dp"), status=Status.NO_SOLUTION, strategies=None)
    with pytest.raises(ValueError, match="a plan with status NO_SOLUTION has nothing to explain"):
        explain(problem, plan)
