"""Searches of pipelines that are stopped, started from a plan, or declined; rules with known answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pipelines import best_of_all, random_pipeline

from formulations.pipeline.down_sets.lattice import lattice_of
from hypar_opt import Limits, solve
from hypar_opt.formulation.run import Run
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.util.errors import Refusal
from tests.helpers import each

SPEEDS = {"a": 2644, "b": 3440, "c": 3087, "d": 3512, "e": 1776}


def chain(seconds, kinds, **others):
    operators = tuple(
        PipelineOperator(f"o{i}", "forward", own, (f"o{i - 1}",)[: i > 0], Fraction(1)) for i, own in enumerate(seconds)
    )
    return PipelineInstance("chain", "", operators, kinds, **others)


def counts_of(plan):
    return [list(plan.strategies.values()).count(one) for one in dict.fromkeys(plan.strategies.values())]


@pytest.fixture(scope="module")
def unlike():
    """Return forty equal layers for five devices of different speeds."""
    seconds = {kind: Fraction(10_000, speed) for kind, speed in SPEEDS.items()}
    return chain([seconds] * 40, tuple(DeviceKind(kind, 1) for kind in SPEEDS))


@pytest.mark.parametrize(
    "name, expected",
    [
        ("pipeline-proportional", [7, 9, 9, 10, 5]),
        ("pipeline-equal", [8, 8, 8, 8, 8]),
        ("pipeline-one-device", [40]),
        ("pipeline-linear", [5, 7, 8, 10, 10]),
    ],
)
def test_rules_cut_as_they_say(name, expected, unlike):
    plan = solve(unlike, name)
    assert (plan.status, counts_of(plan)) == ("FEASIBLE", expected)
    assert 0 <= plan.bound - Fraction(40 * 10_000, sum(SPEEDS.values())) < Fraction(1, 10**9)


def test_the_slow_device_counts_as_far_as_it_helps():
    kinds = (DeviceKind("fast", 2), DeviceKind("slow", 1))
    plan = solve(chain([{"fast": Fraction(1), "slow": Fraction(10)}] * 21, kinds), "pipeline-linear")
    assert (plan.bound, plan.objective, plan.status) == (Fraction(10), Fraction(10), "OPTIMAL")


@pytest.mark.parametrize(
    ("name", "contiguous"), [("pipeline-cp-sat", True), ("pipeline-cp-sat", False), ("pipeline-milp", False)]
)
def test_a_search_without_time_has_its_start_and_a_bound(name, contiguous, unlike):
    instance = replace(unlike, contiguous=contiguous)
    start = solve(instance, "pipeline-one-device")
    plan = solve(instance, name, time_limit=0, start=start)
    assert (plan.status, plan.objective, plan.bound) == ("FEASIBLE", start.objective, start.bound)


def test_an_order_of_many_unlike_stages_is_not_for_milp(unlike):
    with pytest.raises(Refusal, match="1,000 groups times places of 5 options, beyond 500"):
        solve(unlike, "pipeline-milp")


def test_stages_that_need_not_be_contiguous_are_better():
    instance = chain([{"gpu": Fraction(time)} for time in (3, 1, 9, 7)], (DeviceKind("gpu", 2),))
    plans = [solve(replace(instance, contiguous=asked)) for asked in (True, False)]
    assert [(plan.formulation, plan.objective) for plan in plans] == [("pipeline-dp", 13), ("pipeline-cp-sat", 10)]


def test_down_sets_are_of_contiguous_stages():
    with pytest.raises(Refusal, match="need not be; try pipeline-cp-sat"):
        solve(replace(random_pipeline(3), contiguous=False), "pipeline-dp")


def test_times_beyond_64_bits_are_exact_over_down_sets():
    seconds = [{"gpu": Fraction(2**61)}, {"gpu": Fraction(1, 3)}, {"gpu": Fraction(2**61)}]
    instance = chain(seconds, (DeviceKind("gpu", 2),))
    with pytest.raises(Refusal, match="64 bits; try"):
        solve(instance, "pipeline-cp-sat", limits=Limits())
    plans = [solve(instance, name, limits=Limits()) for name in ("pipeline-dp", "pipeline-linear", "pipeline-equal")]
    assert [plan.objective - 2**61 for plan in plans] == [Fraction(1, 3)] * 3
    assert plans[0].proven


@given(st.integers(0, 10_000))
def test_integers_of_any_size_lead_to_the_same(seed):
    instance = replace(random_pipeline(seed), contiguous=True)
    found = solve(instance, "pipeline-dp")
    scale = Fraction(2**70 + 1, 3)
    longer = [
        replace(one, seconds={kind: scale * own for kind, own in one.seconds.items()},
                backward={kind: scale * own for kind, own in one.backward.items()},
                output=scale * one.output, parameters=scale * one.parameters)
        for one in instance.operators
    ]  # fmt: skip
    again = solve(replace(instance, operators=tuple(longer)), "pipeline-dp")
    assert (again.status, again.objective) == (found.status, found.objective and found.objective * scale)


def test_down_sets_are_counted_and_stopped_within_a_layer():
    wide = PipelineInstance(
        "wide",
        "",
        tuple(PipelineOperator(f"o{i}", "forward", {"a": Fraction(1)}) for i in range(60)),
        (DeviceKind("a", 2),),
    )  # 60 down-sets of one operator, 1,770 of two, 34,220 of three
    with pytest.raises(Refusal, match=r"more than 2,\d{3} down-sets, beyond the memory limit"):
        solve(wide, "pipeline-dp", limits=Limits(memory_bytes=2_500 * (300 + 4 * 60 + 5 * 8 + 14 * 3)))


@pytest.mark.slow
def test_more_down_sets_than_are_counted_are_refused():
    # 10^7: of seven chains of nine operators
    chains = tuple(
        PipelineOperator(f"o{i}", "forward", {"a": Fraction(1)}, (f"o{i - 7}",) if i >= 7 else ()) for i in range(63)
    )
    wide = PipelineInstance("wide", "", chains, (DeviceKind("a", 2),))
    with pytest.raises(Refusal, match="more than 1,000,000 down-sets, too many to set each beside"):
        solve(wide, "pipeline-dp", limits=Limits(memory_bytes=2**30))
    assert lattice_of(PipelineProblem(replace(wide, operators=chains[:7])).graph, Run("x"), 10**6).count == 2**7


def test_a_limit_leaves_a_plan_and_a_bound(unlike):
    plan = solve(unlike, "pipeline-dp", time_limit=0)
    assert (plan.status, counts_of(plan)) == ("FEASIBLE", [40])
    assert plan.bound < solve(unlike).objective < plan.objective


@each("seed", range(40), quick=5)
def test_stages_that_are_limited(seed):
    """Exact formulations find the best of all plans with few stages; rules have no more of them."""
    draw = random_pipeline(seed, most=5)
    instance = replace(draw, stages=1 + seed % 2)
    best = best_of_all(instance)
    for name in ("pipeline-dp", "pipeline-cp-sat", "pipeline-milp"):
        with suppress(Refusal):
            plan = solve(instance, name)
            assert (plan.status == "INFEASIBLE") == (best is None), name
            assert plan.objective is None or plan.objective == best, name
    for name in ("pipeline-linear", "pipeline-local-search", "pipeline-equal"):
        plan = solve(instance, name)
        assert plan.objective is None or plan.objective >= best
