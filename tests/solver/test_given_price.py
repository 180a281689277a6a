"""What given strategies cost: the optimum without them, beside the plan that keeps to them."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from bank.random_networks import random_document
from helpers import document, each, linear_chain, problem_of

import hypar_opt
from hypar_opt.formulation.run import Limits
from hypar_opt.instance import load
from hypar_opt.solver.given_price import with_price
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.plan import OBJECTIVE_WITHOUT_FIX as STATISTIC
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.operators.blocks import SMALL
from hypar_opt.util.errors import RecomputationError, Refusal
from tests.solver.test_component_bounds import exact
from tests.solver.test_objectives import all_plans, small_problem


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
        assert not given or plan.note.rpartition("; ")[2].startswith(
            "there is none without the given strategies, either"
        )
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
    with pytest.raises(RecomputationError, match="joint-dp found less with given strategies, 1 bytes, than joint-dp"):
        with_price(problem, wrong, Limits())


def bounded_and_given(seed, objective):
    """A small problem, its plans that keep a bound, and those of them that keep what is given, too."""
    rng = Random(seed)
    free = NetworkProblem(small_problem(seed, objective).instance.changed(fix={}))
    plans = list(all_plans(free))
    name = rng.choice(["time", "communication"])
    most = exact(sorted(costs[name] for _, costs in plans)[rng.randrange(1 + len(plans) // 3)])
    words = rng.choice(plans)[0]
    given = {layer: word for layer, word in words.items() if word and rng.random() < 0.5}
    plans = [(words, costs) for words, costs in plans if costs[name] <= Fraction(most)]
    kept = [(words, costs) for words, costs in plans if given.items() <= words.items()]
    return NetworkProblem(free.instance.changed(fix=given, subject_to={name: most})), plans, kept


@pytest.mark.parametrize("objective", ["energy", "product:time,energy"])
@each("seed", range(40), quick=4)
def test_it_is_right_where_bounds_have_to_be_kept(seed, objective):
    problem, plans, kept = bounded_and_given(seed, objective)
    try:
        plan = priced(problem)
    except Refusal as refused:  # of bounds on graphs with cycles
        assert "graphs without cycles" in str(refused)
        return
    if problem.unfixed is None:
        assert plan.price_of_fix is None
        return
    least = min(problem.combined(costs) for _, costs in plans)
    assert plan.objective_without_fix == least
    assert plan.price_of_fix == (min(problem.combined(costs) for _, costs in kept) - least if kept else None)
    if not kept:
        assert "with the given strategies is at least " in plan.note or "with the given strategies and " in plan.note


def test_of_one_component_before_another_the_first_that_differs_is_said():
    problem = NetworkProblem(load("vgg-a", array="hypar-16", objective="lexicographic:energy,time", fix="fc3=dddd"))
    plan = priced(problem)
    assert plan.price_of_fix is None
    assert (
        "the given strategies cost 0.331776 J of energy: without them the optimum is 31.0486 J, 14.808 s" in plan.note
    )


BOUND = {"array": "hypar-16", "objective": "energy", "fix": {"fc1": "dddd"}}


def test_what_is_least_with_given_strategies_is_not_said_of_all_plans():
    plan = priced(NetworkProblem(load("vgg-a", **BOUND, at_most="time=14.8")))
    least = "time with the given strategies is at least 63.2060416 s"
    assert plan.note.startswith(f"{least}, at most 14.8 s was asked for; ")
    assert "without the given strategies there is a plan: the optimum is 31.071 J" in plan.note
    without = "either: time is at least 14.795384832 s, at most 14.5 s was asked for"
    assert priced(NetworkProblem(load("vgg-a", **BOUND, at_most="time=14.5"))).note.endswith(without)


def test_in_python_and_in_files(tmp_path):
    instance = load("alexnet", fix={"conv1": "mmmm"})
    plan = solve(instance)
    assert plan.price_of_fix is plan.objective_without_fix is None
    found = hypar_opt.with_price(instance, plan, time_limit=60)
    assert (found.price_of_fix, found.objective_without_fix) == (5_053_192_320, 303_523_712)
    assert found.objective == found.price_of_fix + found.objective_without_fix
    found.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").price_of_fix == found.price_of_fix
    assert hypar_opt.with_price("alexnet", solve("alexnet")).price_of_fix is None


@each("word", ["batch batch", "out in", "sequence .", ". in"], quick=1)
def test_what_is_given_of_operators_has_a_price(word):
    free = OperatorProblem(SMALL.instance(8, {"node": 2, "gpu": 2}))
    given = OperatorProblem(free.instance.replace(fix={"project": word}))
    plan = priced(given)
    assert plan.objective_without_fix == solve(free, "joint-dp").objective == 720_896
    assert plan.price_of_fix == solve(given, "cp-sat").objective - 720_896
    assert plan.price_of_fix >= 0
