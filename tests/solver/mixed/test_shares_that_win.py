"""Shares at an end, halves that do nothing, memories too small, and searches that are stopped."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest
from helpers import document, instance_of, linear_chain
from solver.mixed.random_mixed import least, random_mixed

from hypar_opt import solve
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load_instance
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.mixed.search import ShareSearch
from hypar_opt.util.errors import Refusal


def machines(*kinds, layers=(64, 64), choices=("dp", "mp", "op"), **cost):
    """Return a problem on accelerators of so many operations and bytes a second, and of such memories."""
    layers = linear_chain(*layers) if isinstance(layers[0], int) else layers
    whole = document(layers, (64,), batch=64, choices=[*choices], splits="any", **cost)
    levels = len(kinds).bit_length() - 1
    each = [
        {
            "kind": f"kind-{i}",
            "count": 1,
            "bandwidth": bandwidth,
            "accelerator": {"model": "as-evaluated", "rate": rate} | ({"memory": {"capacity": held}} if held else {}),
        }
        for i, (rate, bandwidth, held) in enumerate(kinds)
    ]
    array = {"topology": "h-tree", "levels": levels, "accelerators": each}
    return MixedProblem(instance_of(whole | {"array": array, "objective": {"time": 1}}))


def test_a_share_at_the_end_wins():
    """The second machine is so slow that the less it has the better."""
    problem = machines((10**6, 10**4, None), (10, 10**4, None), shares={"parts": 16})
    plan = solve(problem)
    assert (plan.status, plan.shares) == (Status.OPTIMAL, {"root": Fraction(15, 16)})
    assert plan.objective == least(problem)


def test_one_half_that_does_all_wins():
    problem = machines((1000, 1, None), (500, 1, None), choices=("dp", "mp", "op", "none"), shares={"parts": 8})
    plan = solve(problem)
    assert (plan.status, set(plan.strategies.values())) == (Status.OPTIMAL, {"n"})
    assert plan.objective == Fraction(6 * 64 * 2 * 64 * 64, 1000) == least(problem)


def test_four_unlike_machines_on_two_levels():
    kinds = [(1000, 400, None), (700, 100, None), (300, 300, None), (500, 100, None)]
    problem = machines(*kinds, layers=(24,), choices=("dp", "mp"), shares={"parts": 3})
    plan = solve(problem)
    assert (plan.status, set(plan.shares)) == (Status.OPTIMAL, {"root", "0", "1"})
    assert plan.objective == plan.bound == least(problem)


def test_no_share_fits():
    """Either machine holds less than half of what all layers keep."""
    whole = 64 * 64 * 4 * 2 * 2  # weights and gradients of two layers
    problem = machines((1000, 10, whole * 2 // 5), (500, 10, whole * 2 // 5), shares={"parts": 8})
    plan = solve(problem)
    assert (plan.status, plan.strategies, plan.shares) == (Status.INFEASIBLE, None, {})
    assert "memories" in plan.note
    assert least(problem) is None


def test_a_memory_moves_the_share():
    free = machines((1000, 10**6, None), (100, 10**6, None), shares={"parts": 16})
    bound = machines((1000, 10**6, 40_000), (100, 10**6, None), shares={"parts": 16})
    first, second = solve(free), solve(bound)
    assert first.objective < second.objective == least(bound)
    assert first.shares["root"] > second.shares["root"]


@pytest.mark.parametrize("formulation", [None, pytest.param("cp-sat", marks=pytest.mark.slow)])
def test_a_stopped_search_claims_no_more_than_is_true(formulation):
    kinds = [(1000, 400, None), (700, 100, None), (300, 300, None), (500, 100, None)]
    problem = machines(*kinds, layers=(24,), shares={"parts": 3}, choices=("dp", "mp"))
    best = least(problem)
    for seconds in (1e-9, 0.02, 0.1):
        plan = solve(problem, formulation, time_limit=seconds)
        assert plan.status in (Status.OPTIMAL, Status.FEASIBLE, Status.NO_SOLUTION)
        assert plan.bound is None or plan.bound <= best
        assert plan.objective is None or plan.objective >= best
        assert plan.status is not Status.OPTIMAL or plan.objective == best


def test_a_search_that_is_interrupted_ends():
    stop = threading.Event()
    stop.set()
    problem = MixedProblem(instance_of(random_mixed(0, most_plans=60, most_splits=1)))
    plan = solve(problem, limits=Limits(stop=stop))
    assert plan.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    assert plan.bound is None or plan.bound <= least(problem)


def test_halves_that_do_nothing_where_nothing_else_is_chosen():
    """A layer in groups has no op: with none beside it, one machine does it all."""
    layers = [{"name": "conv1", "conv": {"filters": 4, "kernel": 1, "groups": 2}}]
    whole = document(layers, (4, 2, 2), batch=8, choices=["op", "none"], splits="any", shares={"parts": 4})
    kinds = [
        {"kind": name, "count": 1, "bandwidth": 1, "accelerator": {"model": "as-evaluated", "rate": rate}}
        for name, rate in (("slow", 1), ("fast", 3))
    ]
    problem = MixedProblem(
        instance_of(
            whole | {"array": {"topology": "h-tree", "levels": 1, "accelerators": kinds}, "objective": {"time": 1}}
        )
    )
    plan = solve(problem)
    assert (plan.status, plan.strategies) == (Status.OPTIMAL, {"conv1": "n"})
    assert plan.objective == least(problem) == Fraction(3 * 2 * 8 * 4 * 8, 3)


def test_a_step_that_takes_no_time_is_proven_to():
    """Nothing is computed of an add, and nothing read where all adds are cut alike."""
    adds = [{"name": "add1", "add": {}, "inputs": ["input", "act"]}]
    layers = [{"name": "act", "activation": {}, "inputs": ["input"]}, *adds]
    plan = solve(machines((1000, 10, None), (500, 10, None), layers=layers, shares={"parts": 4}))
    assert (plan.status, plan.objective, plan.bound) == (Status.OPTIMAL, 0, 0)


@pytest.mark.parametrize("formulation", ["identity", "joint-cp-sat", "local-search"])
def test_who_places_accelerators_is_refused(formulation):
    problem = machines((1000, 10, None), (500, 10, None), shares={"parts": 4})
    with pytest.raises(Refusal, match="none to place"):
        solve(problem, formulation)


@pytest.mark.parametrize("taken", [0, 3])
def test_a_sum_that_no_formulation_takes_leaves_a_gap(taken):
    problem, asked = MixedProblem(load_instance("mixed-alexnet")), []

    def some(simpler):
        if len(asked) == taken:
            raise Refusal("its tables do not fit")
        asked.append(simpler)
        return solve(simpler, "joint-dp")

    search = ShareSearch.of(problem, some, Limits())
    if not taken:
        with pytest.raises(Refusal, match="do not fit"):
            search.found()
        return
    plan = search.found()
    assert plan.status is Status.FEASIBLE
    assert 0 < plan.bound < plan.objective == plan.costs[TIME]
