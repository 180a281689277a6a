"""Regrets where no min-marginals give them: memory limits that bind, products, one component before another."""

from __future__ import annotations

from dataclasses import replace

import pytest
from bank.random_networks import random_document
from helpers import document, each, instance_of, linear_chain, problem_of

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.report.plan import uniqueness
from hypar_opt.report.plan_costs import explanation_document
from hypar_opt.solver.exclusion import ExcludingProblem
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies import sensitivity
from hypar_opt.studies.sensitivity import explain
from tests.solver.test_memory import kept_by_all, with_capacity
from tests.solver.test_objectives import all_plans, small_problem


def value_of(problem, costs):
    """Return what is minimised; of one component before another, a tuple that compares as they do."""
    if problem.objective.kind != "lexicographic":
        return problem.combined(costs)
    return tuple(costs[one] for one in problem.objective.components)


def plans_of(problem):
    """Return every plan that is allowed, with its value."""
    found = [(strategies, value_of(problem, costs)) for strategies, costs in all_plans(problem)]
    return [(strategies, value) for strategies, value in found if problem.overflow(strategies) is None]


def check_regrets(problem, plan):
    plans = plans_of(problem)
    explained = explain(problem, plan)
    assert explained.missing == ""
    assert set(explained.regrets) == set(plan.strategies)
    (now,) = (value for strategies, value in plans if strategies == plan.strategies)
    for layer, regret in explained.regrets.items():
        others = (value for strategies, value in plans if strategies[layer] != plan.strategies[layer])
        least = min(others, default=None)
        if least is None:
            assert regret is None
            continue
        assert regret.second_best != plan.strategies[layer]
        if problem.objective.kind == "lexicographic":
            assert tuple(regret.costs.values()) == tuple(a - b for a, b in zip(least, now, strict=True))
        else:
            assert (regret.cost, regret.costs) == (least - now, {})
    return explained


@each("seed", range(300, 306), quick=2)
@pytest.mark.parametrize("objective", ["product:time,energy", "lexicographic:energy,time"])
def test_of_products_and_of_one_before_another(seed, objective):
    problem = small_problem(seed, objective)
    check_regrets(problem, solve(problem))


@each("seed", range(200, 206), quick=3)
def test_under_a_memory_limit(seed):
    roomy = small_problem(seed, "time")
    kept = kept_by_all(roomy)
    problem = with_capacity(roomy, kept[len(kept) // 2])
    plan = solve(problem, "cp-sat")
    assert plan.status is Status.OPTIMAL
    explained = check_regrets(problem, plan)
    assert explained.unique in (True, False)


def test_a_plan_that_is_not_the_best_has_regrets_below_zero():
    problem = small_problem(300, "product:time,energy")
    best = solve(problem)
    worst, _ = max(plans_of(problem), key=lambda one: one[1])
    explained = check_regrets(problem, replace(best, strategies=worst, status=Status.FEASIBLE))
    assert "not optimal: joint-dp knows a plan that saves" in uniqueness(problem, explained)


def test_of_one_before_another_what_is_shown_is_the_first_that_differs():
    instance = instance_of(document(linear_chain(8, 6), [16], batch=16, levels=4))
    problem = NetworkProblem(instance.replace(array="hypar-16", objective="lexicographic:energy,time"))
    explained = explain(problem, solve(problem))
    for regret in explanation_document(problem, explained)["regrets"].values():
        assert list(regret["costs"]) == ["energy", "time"]


def test_with_many_layers_it_is_said_why_there_are_none(monkeypatch):
    monkeypatch.setattr(sensitivity, "MOST_SOLVED_AGAIN", 1)
    problem = small_problem(300, "product:time,energy")
    count = len(problem.work.layers)
    assert count > 1
    assert explain(problem, solve(problem)).missing == (
        "the objective is product:time,energy, which is no weighted sum: it would have to be solved again for each of "
        f"{count} layers, and that is done for 1 at most"
    )


def test_a_stop_between_two_solves_is_said():
    problem = small_problem(300, "product:time,energy")
    plan, limits = solve(problem), Limits()
    limits.stop.set()
    assert explain(problem, plan, limits).missing == "stopped by the limit"


@each("seed", range(5000, 5010))
def test_without_a_strategy_the_best_plan_is_that_of_all_others(seed):
    problem = problem_of(random_document(seed, most_layers=3))
    plan = solve(problem, "joint-dp")
    if plan.strategies is None:
        return
    regrets = explain(problem, plan).regrets
    for layer, word in plan.strategies.items():
        for name in ("joint-dp", "cp-sat", "milp-highs"):
            other = solve(ExcludingProblem.of(problem, layer, word), name)
            if regrets[layer] is None:
                assert other.strategies is None
            else:
                assert other.objective - plan.objective == regrets[layer].cost
                assert other.strategies[layer] != word


def test_the_greedy_search_goes_round_a_strategy_too():
    problem = problem_of(document(linear_chain(8, 6, 4), [16], batch=16, levels=2))
    plan = solve(problem, "hypar-dp")
    for layer, word in plan.strategies.items():
        assert solve(ExcludingProblem.of(problem, layer, word), "hypar-dp").strategies[layer] != word
