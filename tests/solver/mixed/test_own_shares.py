"""A share of its own for every layer: the best of all words and shares, and never worse than one share for all."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random

import pytest
from helpers import each, instance_of
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_plans import kind, tiny
from solver.mixed.random_mixed import least, random_mixed

from hypar_opt import load, solve
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed import search
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.util.errors import InputError, Refusal


def problem_of(seed, most_plans, **cost):
    """Return a random problem with shares on a grid, or None where it has no plans, or many."""
    whole, rng = random_mixed(seed, most_layers=3, most_plans=300, most_splits=2), Random(seed)
    grid = rng.choice((2, 3, 4))
    whole |= {"objective": {"time": 1}, "batch": max(whole["batch"], grid)}
    whole["cost"] |= {"shares": {"grid": grid}} | cost
    try:
        problem = MixedProblem(instance_of(whole))
        sizes = [words.size for words in problem.compiled.own_words.values()]
    except InputError:  # a memory is too small, or all letters too fine
        return None
    return problem if prod(sizes) <= most_plans else None


def check(problem, formulation=None):
    """A formulation has the best of all plans, or says that there is none."""
    best, plan = least(problem), solve(problem, formulation)
    assert plan.status is (Status.INFEASIBLE if best is None else Status.OPTIMAL), plan.native_status
    assert (plan.objective, plan.bound) == (best, best)
    if best is not None:
        assert problem.fault_of_plan(plan.strategies, plan.shares) is None


@settings(max_examples=4)
@given(seed=st.integers(0, 2000))
def test_the_best_of_few_plans(seed):
    problem = problem_of(seed, 500)
    if problem is not None:
        check(problem)


@pytest.mark.slow
@each("seed", range(3000, 3015))
def test_the_best_of_many_plans(seed):
    problem = problem_of(seed, 20_000)
    if problem is not None:
        check(problem)


@pytest.mark.slow
@pytest.mark.parametrize("formulation", ["cp-sat", "milp-highs", "brute-force"])
@each("seed", range(6))
def test_every_exact_formulation_finds_the_same(formulation, seed):
    problem = problem_of(seed, 200)
    if problem is not None:
        check(problem, formulation)


@each("seed", range(4000, 4015), quick=4)
def test_plans_told_apart_by_what_is_needed_before_every_wait(seed):
    """However few they are."""
    problem = problem_of(seed, 2000, barrier="level")
    if problem is not None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(search, "FEW_PLANS", 0)
            check(problem)


@settings(max_examples=3)
@given(seed=st.integers(0, 2000), barrier=st.sampled_from(["step", "level", "layer"]))
def test_never_worse_than_one_share_for_all(seed, barrier):
    rng = Random(seed)
    kinds = [kind(name, 2, rng.choice((1, 2, 5)) * 1e9, rng.choice((1, 2, 3)) * 1e9) for name in ("a", "b")]
    document = tiny(kinds=kinds, barrier=barrier, choices=["dp", "mp", "op"])
    one, own = (solve(instance_of(document | {"cost": document["cost"] | {"shares": {name: 4}}}))
                for name in ("parts", "grid"))  # fmt: skip
    assert own.proven
    assert own.objective <= one.objective
    assert (len(set(own.shares.values())) > 1) or own.objective == one.objective


@pytest.mark.parametrize(
    ("barrier", "one", "own"),
    [
        ("step", 28.949, 28.621),
        ("layer", 34.827, 34.092),
    ],
)
def test_what_it_buys_on_alexnet(barrier, one, own):
    """Milliseconds of a step, of 16 parts."""
    for said, expected in (("parts=16", one), ("grid=16", own)):
        plan = solve(load("mixed-alexnet", shares=said, barrier=barrier))
        assert plan.proven
        assert ("m of 'conv1'" in plan.note) == (said == "grid=16")  # which has three channels
        assert float(plan.objective) * 1e3 == pytest.approx(expected, abs=1e-3)


def test_shares_that_differ_and_layers_that_are_not_cut():
    """Layers that one machine does alone have no share."""
    document = tiny(levels=1, kinds=[kind("fast", 1, 3e9, 2e9), kind("slow", 1, 2e9, 1e9)], shares={"grid": 8})
    plan = solve(instance_of(document))
    cut = {name for name, word in plan.strategies.items() if word != "n"}
    assert {name.split("/")[0] for name in plan.shares} == cut
    assert all(Fraction(share * 8).denominator == 1 for share in plan.shares.values())


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"shares": {"grid": 9}}, InputError, "at most 8 parts, the batch: a grid finer than the dimension"),
        ({"shares": {"grid": 1}}, InputError, "expected an integer of at least 2"),
        ({"shares": {"grid": 2, "root": [0.5, 0.5]}}, InputError, "expected nothing beside grid"),
        ({"shares": {"grid": 8}, "objective": {"communication": 1}}, InputError, "a share would run to an end"),
        ({"shares": {"grid": 16}, "batch": 16, "choices": ["op"]}, InputError,
         "at most 8 parts, as finely as 'fc2' is split by o: a grid finer than the dimension; got 16"),
        ({"shares": {"grid": 2**12}, "batch": 2**12, "choices": ["dp"], "levels": 1}, Refusal,
         "4,095 x 4,095 pairs of words with shares of their own"),
        ({"shares": {"grid": 2**20}, "batch": 2**20, "choices": ["dp"], "levels": 1}, Refusal, "try a coarser grid"),
    ],
)  # fmt: skip
def test_grids_that_cannot_be(changed, error, said):
    options = {name: changed.pop(name) for name in ("batch", "objective", "levels") if name in changed}
    if options.get("levels") == 1:
        options["kinds"] = [kind("fast", 1, 3e9, 2e9), kind("slow", 1, 2e9, 1e9)]
    with pytest.raises(error, match=said):
        solve(instance_of(tiny(**options, **changed)))
