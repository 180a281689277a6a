"""Every formulation finds on random unequal arrays what trying every plan and every share finds, and proves it.

Two thousand of these instances, the first of `random_mixed`, were tried once; what is here is a part of them.
"""

from __future__ import annotations

import pytest
from helpers import document, each, instance_of
from hypothesis import given, settings
from hypothesis import strategies as st
from solver.mixed.random_mixed import least, random_mixed

from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.util.errors import InputError, Refusal

EXACT = ("joint-dp", "cp-sat", "milp-highs", "milp-cbc", "brute-force")
HEURISTIC = ("hypar-dp", "accpar-dp", "data-parallel", "lagrangian")


def problem_of(seed, **sizes):
    """Return a random problem, or None where the memory is seen to be too small when it is read."""
    try:
        return MixedProblem(instance_of(random_mixed(seed, **sizes)))
    except InputError as error:
        assert "capacity" in str(error) or "memory" in str(error)
        return None


def check(problem, formulation, best):
    """A formulation has the best of all plans, or says that there is none."""
    plan = solve(problem, formulation)
    assert plan.status is (Status.INFEASIBLE if best is None else Status.OPTIMAL), plan.native_status
    assert (plan.objective, plan.bound) == (best, best)
    if best is not None:
        assert problem.fault_of(plan.strategies, tuple(plan.shares[name] for name in problem.array.splits)) is None


@settings(max_examples=20)
@given(seed=st.integers(0, 2000))
def test_the_default_finds_the_best_of_few_plans(seed):
    problem = problem_of(seed, most_plans=60, most_splits=1)
    if problem is not None:
        check(problem, None, least(problem))


@pytest.mark.slow
@each("seed", range(14))
def test_the_default_finds_the_best_of_many_plans(seed):
    problem = problem_of(seed, most_plans=800)
    if problem is not None:
        check(problem, None, least(problem))


@pytest.mark.slow
@each("seed", range(100, 104))
def test_every_exact_formulation_finds_the_same(seed):
    problem = problem_of(seed, most_plans=60, most_splits=1)
    if problem is not None:
        best = least(problem)
        for formulation in EXACT:
            check(problem, formulation, best)


@each("seed", range(200, 208), quick=2)
def test_who_proves_nothing_claims_no_bound_above_the_best(seed):
    problem = problem_of(seed, most_plans=60, most_splits=1)
    best = None if problem is None else least(problem)
    for formulation in HEURISTIC if best is not None else ():
        try:
            plan = solve(problem, formulation)
        except Refusal:
            continue  # of graphs, by who knows chains
        assert plan.status in (Status.FEASIBLE, Status.NO_SOLUTION, Status.OPTIMAL), plan.native_status
        assert plan.bound is None or plan.bound <= best
        assert plan.objective is None or plan.objective >= best
        assert plan.status is not Status.OPTIMAL or plan.objective == best


def test_who_takes_no_tables_of_some_words_is_asked_for_all():
    """Greedy at one level is exact, so that the search goes on to words that are left, which have no levels."""
    layers = [{"name": f"conv{i}", "conv": {"filters": n, "kernel": 1}} for i, n in enumerate((1, 1, 3, 40))]
    asked = {"choices": ["dp", "op"], "splits": "any", "shares": {"parts": 8}, "barrier": "layer"}
    kinds = [
        {"kind": name, "count": 1, "bandwidth": pace, "accelerator": {"model": "as-evaluated", "rate": rate}}
        for name, pace, rate in (("slow", 10, 20), ("fast", 3, 70))
    ]
    whole = document(layers, (8, 4, 4), batch=32, accounting="receiver", input_error=False, **asked)
    whole["array"]["accelerators"] = kinds
    problem = MixedProblem(instance_of(whole | {"objective": {"time": 1}}))
    assert solve(problem, "hypar-dp").objective == solve(problem).objective
