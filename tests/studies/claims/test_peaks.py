"""Peaks: all plans that differ from one in some layers and levels alone, against brute force."""

from __future__ import annotations

from itertools import product

import pytest

from hypar_opt.instance import read_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.claims.judge_peaks import outside, peaks
from hypar_opt.studies.sweep import space_of

LAYERS = ("fc1", "fc2")
OWN = {"fc1": "dm", "fc2": "md"}


@pytest.fixture
def pair(write, tmp_path):
    write({"instance": "pair.json", "total": {"formulation": "hypar-dp", "communication_GB": "1"}})
    return NetworkProblem(read_instance(tmp_path / "pair.json"))


def times(problem):
    """The seconds of all sixteen plans, by code that shares nothing with the CostGraph."""
    words = ["".join(letters) for letters in product("dm", repeat=2)]
    plans = [dict(zip(LAYERS, chosen, strict=True)) for chosen in product(words, repeat=2)]
    return [(problem.costs(problem.bytes_of(plan), problem.instance.placement)["time"], plan) for plan in plans]


def around(problem, *explored):
    return space_of(problem, problem.choices(OWN), *explored)


def test_a_space_has_every_plan_once(pair):
    space = around(pair)
    found = [tuple(space.strategies(index).values()) for index in range(space.count)]
    assert len(found) == len(set(found)) == 16


def test_what_is_not_explored_stays(pair):
    part = around(pair, ["fc2"], [2])
    found = [part.strategies(index) for index in range(part.count)]
    assert found == [{"fc1": "dm", "fc2": "md"}, {"fc1": "dm", "fc2": "mm"}]
    assert outside(part, {"fc1": "dm", "fc2": "mm"}) is None
    assert outside(part, {"fc1": "dm", "fc2": "dd"}) == "fc2 is dd, and md where nothing is explored"
    assert outside(part, {"fc1": "mm", "fc2": "md"}) == "fc1 is mm, and dm where nothing is explored"


def test_the_peak_is_the_least_of_all_plans(pair):
    found, all_times = peaks(around(pair), "time"), times(pair)
    assert found.count == 16
    assert found.least == min(seconds for seconds, _ in all_times)
    assert [*found.best] == [plan for seconds, plan in all_times if seconds == found.least]


def claim(plan, **more):
    return {"instance": "pair.json", "peak": {"formulation": "hypar-dp", "strategies": plan, **more}}


def test_only_plans_with_the_least_time_are_peaks(judge, pair):
    all_times = times(pair)
    least = min(seconds for seconds, _ in all_times)
    for seconds, plan in all_times:
        row = judge(claim(plan))
        assert row.verdict == ("confirmed" if seconds == least else "refuted")
        assert row.judgement.evidence.startswith("16 plans explored, ")
        assert row.judgement.details["best"] == [best for value, best in all_times if value == least]
        if seconds != least:
            off = f"{float(seconds / least - 1):.3%} more time than it"
            assert row.judgement.why == f"a plan that is explored is better: {off}"


def test_ties_are_counted(judge, pair):
    bytes_ = {tuple(plan.values()): pair.bytes_of(plan).total for _, plan in times(pair)}
    row = judge(claim({}, component="compute-time"))  # which all plans have in common
    assert (row.verdict, row.judgement.recomputed) == ("confirmed", "a peak, with 15 more")
    row = judge(claim({}, component="communication"))
    ties = sum(one == min(bytes_.values()) for one in bytes_.values()) - 1
    assert row.judgement.recomputed == (f"a peak, with {ties} more" if ties else "the peak")


@pytest.mark.parametrize(("layers", "levels"), [(["fc1", "fc2"], [1, 2]), (["fc2", "fc1"], [2, 1])])
def test_ties_are_in_the_order_in_which_layers_and_levels_are_named(judge, layers, levels):
    row = judge(claim({}, component="compute-time", layers=layers, levels=levels))
    best = row.judgement.details["best"]
    assert [[*one] for one in best] == [layers] * 16
    assert best == sorted(best, key=lambda words: [words[layer][h - 1] for layer in layers for h in levels])


def test_a_plan_that_is_not_explored(judge, pair):
    own = judge(claim({})).judgement.details["best"][0]
    other = {"fc1": own["fc1"].translate(str.maketrans("dm", "md"))}
    row = judge(claim(other, layers=["fc2"]))
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "not explored")
    assert row.judgement.why.startswith("the plan is none of those explored: fc1 is ")


def test_a_plan_that_is_not_allowed_is_no_peak_and_none_is_looked_at(judge):
    fixed = {"instance": "fixed.json", "peak": {"formulation": "joint-dp", "component": "communication"}}
    row = judge(fixed)
    assert (row.verdict, row.judgement.details["explored"]) == ("confirmed", 16)  # fc1 is given: 4 x 4 of 64
    row = judge({**fixed, "peak": {**fixed["peak"], "strategies": {"fc1": "mm"}}})
    assert (row.verdict, row.judgement.recomputed) == ("refuted", "not allowed")


def test_a_peak_in_time_needs_a_machine(judge):
    row = judge({"instance": "small.json", "peak": {"formulation": "hypar-dp"}})
    assert (row.verdict, row.judgement.why[:50]) == (
        "not reproducible",
        "the time of a plan needs array.accelerator, which ",
    )
