"""What given strategies cost: the optimum without them, beside the plan that keeps to them."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of

from hypar_opt.formulation.run import Limits
from hypar_opt.instance import load
from hypar_opt.solver.given_price import STATISTIC, with_price
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import RecomputationError


def priced(problem, name="joint-dp", limits=None):
    return with_price(problem, solve(problem, name), limits or Limits())


@each("seed", range(60), quick=30)
def test_the_optimum_without_them_is_that_of_the_instance_without_them(seed):
    whole = random_document(seed)
    given = whole.pop("fix", None) or {}
    free = solve(problem_of(whole), "joint-dp")
    plan = priced(problem_of({**whole, "fix": given}))
    if not given or free.objective is None:
        assert STATISTIC not in plan.statistics
        assert "given strategies" not in plan.note
        return
    assert Fraction(plan.statistics[STATISTIC]) == free.objective
    if plan.objective is None:
        assert "without the given strategies there is a plan: the optimum is " in plan.note
    else:
        assert ("cost nothing" in plan.note) is (plan.objective == free.objective)


ALEXNET = "303,523,712 bytes"
SENTENCES = {
    "joint-dp": "the given strategies cost 5,053,192,320 bytes, 1,665 %: without them the optimum is "
    f"{ALEXNET} (proven by joint-dp)",
    "hypar-dp": f"without the given strategies the optimum is {ALEXNET} (proven by joint-dp); this plan costs "
    "5,053,192,320 bytes, 1,665 % more, and is not proven to be the best that keeps to them",
}


@pytest.mark.parametrize("name", SENTENCES)
def test_whether_it_is_proven_is_said(name):
    assert priced(NetworkProblem(load("alexnet", fix={"conv1": "mmmm"})), name).note.endswith(SENTENCES[name])


def test_nothing_is_said_where_all_levels_are_open():
    problem = problem_of(document(linear_chain(4, 4), [4], levels=2, fix={"fc1": "..", "fc*": ".."}))
    assert problem.unfixed is None
    assert priced(problem) == solve(problem, "joint-dp") or "given" not in priced(problem).note


DEAR = {
    "a placement": ({"objective": "hop-bytes"}, "the placement is to be decided, too"),
    "a product": ({"array": "hypar-16", "objective": "product:time,energy"}, "that takes long for this objective"),
    "large tables": ({"levels": 20}, "joint-dp's tables would be larger than 64 MiB"),
}


@pytest.mark.parametrize(("changes", "why"), DEAR.values(), ids=DEAR)
def test_it_is_not_looked_for_where_that_takes_long(changes, why, monkeypatch):
    problem = NetworkProblem(load("vgg-e", **{"levels": 4, **changes}, fix={"fc1": "m" * changes.get("levels", 4)}))
    plan = replace(solve(load("sfc"), "joint-dp"), note="before")
    monkeypatch.setattr("hypar_opt.solver.given_price.solve", None)
    assert (
        with_price(problem, plan, Limits()).note == f"before; what the given strategies cost was not looked for: {why}"
    )


def test_it_keeps_to_the_limits():
    problem = NetworkProblem(load("alexnet", fix={"conv1": "mmmm"}))
    plan = priced(problem, limits=Limits(time.monotonic() - 1))
    assert plan.note.endswith("what the given strategies cost was not looked for: the run had to end")
    assert STATISTIC not in plan.statistics


def test_a_plan_that_is_better_than_without_is_an_error():
    problem = NetworkProblem(load("alexnet", fix={"conv1": "mmmm"}))
    wrong = replace(solve(problem, "joint-dp"), objective=Fraction(1))
    with pytest.raises(RecomputationError, match="joint-dp found less with given strategies, 1, than joint-dp without"):
        with_price(problem, wrong, Limits())
