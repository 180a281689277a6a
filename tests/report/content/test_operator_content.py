"""What a report gathers of operators: plans that are checked, a front or why there is none, what given words cost."""

from __future__ import annotations

import pytest

from hypar_opt.instance.read import load
from hypar_opt.report.content import gather
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.pages.overview import overview
from hypar_opt.report.pages.plans import front_points
from hypar_opt.solver.kinds import problem_of


@pytest.fixture(scope="module")
def timed():
    """Return what is gathered of a block on an array that says how fast it is, with a front."""
    (found,), faults = gather([load("gpt2-block", batch=64)], ["joint-dp"], sections=["front"])
    assert not faults
    (other,), faults = gather([load("gpt2-block", batch=64, array="a100-2x8")], ["joint-dp"], sections=["front"])
    assert not faults
    return found, other


def test_there_is_a_front_where_the_array_says_how_fast_it_is(timed):
    without, found = timed
    assert without.front is None
    why = "array.axes[0].link: missing of axis 'node', and time needs its bandwidth"
    assert without.missing["front"] == why
    assert found.front.components == ("time", "communication")
    least = min(point.costs["time"] for point in found.front.points)
    assert all(named.problem.costs(named.problem.plan_of(named.strategies))["time"] >= least for named in found.plans)


def test_points_of_a_front_have_words(timed):
    _, found = timed
    paths = [f"fronts/x/point-{at}.json" for at, _ in enumerate(found.front.points, start=1)]
    shown = front_points(found.front, paths, "gpt2-block", RepeatedBlocks(found.instance.graph).folded)
    assert shown.levels == ("node", "gpu")
    first = found.front.points[0].strategies
    words = dict(zip(shown.points["layers"], shown.points["words"], strict=True))
    assert words["fc"] == first["fc"].split()
    assert "Words that differ" in shown.points["plans"][0]["said"]


def test_what_given_words_cost_is_said():
    instance = load("gpt2-block", batch=8, fix={"fc": "out out"})
    (found,), _ = gather([instance], ["joint-dp"], sections=[])
    assert found.plans[0].strategies["fc"] == "out out"
    assert "the given strategies cost" in found.price
    assert found.missing["front"] == "not asked for"


def test_rules_stand_beside_the_plans():
    (found,), _ = gather([load("gpt2-block", batch=8, axes="gpu=2")], ["data-parallel"], sections=[])
    base, megatron = found.rules
    assert (base.rule, megatron.rule) == ("data-parallel", "megatron")
    assert base.named is found.plans[0] is found.baseline
    assert base.named.plan.objective == 2 * 7_087_872 * 4  # an all-reduce of the gradients of all parameters
    assert megatron.named.plan.strategies["fc"] in ("out", "in")
    (row,) = overview([found]).rows
    assert row["ratio"].value == 1


def test_kinds_count_what_they_decide():
    for name, kind, count in (("gpt2-block", "operators", 14), ("lenet-c", "network", 4)):
        problem = problem_of(name)
        assert problem.kind == kind
        assert KINDS[kind].decided(problem) == count
