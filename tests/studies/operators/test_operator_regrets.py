"""explain() of operators: what any other word costs at least."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.instance import load
from hypar_opt.report.operators.regrets import uniqueness
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import SMALL
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError
from tests.helpers import each

OPERATORS = [one.name for one in SMALL.instance(8, {"gpu": 2}).graph.operators]


def forced(problem, name, word):
    return solve(OperatorProblem(problem.instance.replace(fix={name: word})), "joint-dp").objective


@each("name", OPERATORS, quick=4)
def test_a_regret_is_what_the_best_other_word_costs(name):
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}))
    plan = solve(problem, "joint-dp")
    regret = explain(problem, plan).regrets[name]
    (domain,) = [one for one in problem.compiled.domains if one.name == name]
    others = {value.text for value in domain.values} - {plan.strategies[name]}
    costs = {word: forced(problem, name, word) for word in others}
    assert regret.cost == min(costs.values()) - plan.objective
    assert costs[regret.second_best] == min(costs.values())


def test_where_it_is_stopped_a_plan_has_no_regrets():
    problem, limits = OperatorProblem(SMALL.instance(8, {"gpu": 4})), Limits()
    plan = solve(problem, "joint-dp")
    limits.stop.set()
    found = explain(problem.within(limits), plan, limits)
    assert (found.regrets, found.missing[:7]) == ({}, "stopped")
    assert uniqueness(problem, found).startswith("no regrets: stopped")


def test_placements_of_shared_tensors_have_regrets_too():
    problem = OperatorProblem(SMALL.instance(8, {"node": 2, "gpu": 2}))
    plan = solve(problem, "joint-dp")
    found = explain(problem, plan)
    assert found.regrets.keys() == plan.strategies.keys()
    assert (found.breakdown, found.source, found.unique) == (None, "joint-dp", False)
    assert "the optimum is not unique" in uniqueness(problem, found)


def test_how_parameters_are_kept_has_a_regret_where_there_is_a_choice():
    whole = SMALL.instance(8, {"gpu": 2}).to_dict()
    whole["cost"] = {"storage": ["replicated", "zero-1"]}
    problem = OperatorProblem(type(load("gpt2-block")).from_dict(whole))
    found = explain(problem, solve(problem, "joint-dp"))
    assert found.regrets["project:storage"].second_best in ("replicated", "zero-1")
    assert found.regrets["project:storage"].cost == 0
    assert found.unique is False


def test_a_plan_that_is_not_optimal_has_a_negative_regret():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}))
    plan = solve(problem, "data-parallel")
    said = uniqueness(problem, explain(problem, plan))
    assert said.startswith("not optimal: joint-dp knows a plan that saves 196.6 kB")


def test_where_some_plans_do_not_fit_it_is_said_why_there_are_none():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 2}).replace(at_most={"communication": "5e5"}))
    found = explain(problem, solve(problem, "joint-dp"))
    assert found.missing.startswith("some plans exceed the bound on communication: what another word costs")
    assert uniqueness(problem, found).startswith("no regrets: some plans exceed")
    assert found.unique is None


def test_what_cannot_be_explained_is_refused():
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 2}))
    plan = solve(problem, "joint-dp")
    with pytest.raises(ValueError, match="has nothing to explain"):
        explain(problem, replace(plan, strategies=None))
    with pytest.raises(InputError, match="got a strategy graph"):
        explain("five-operators", plan)
