"""One network on arrays of several sizes."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from threading import Event

import pytest
from executor.here import Here
from helpers import document, linear_chain

from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.report.scaling import grid, legend, reasons, rows
from hypar_opt.solver.solve import solve
from hypar_opt.studies.sweep import Point, scale
from hypar_opt.util.errors import InputError, Refusal

MACHINE = {
    "topology": "h-tree",
    "levels": 1,
    "placement": "identity",
    "link": {"bandwidth": 2, "at": "root"},
    "accelerator": {"model": "as-evaluated", "rate": 6},
}


@pytest.fixture
def one_layer(tmp_path):
    """8 -> 4 features, batch 8."""
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**document(linear_chain(4), [8]), "array": MACHINE}))
    return path


def test_one_layer_by_hand(one_layer):
    """256 multiply-accumulates a phase; on two accelerators 256 bytes go, 128 a link's way, at 2 B/s."""
    points = scale(one_layer, [0, 1])
    assert [(point.accelerators, point.formulation) for point in points] == [
        (count, name) for count in (1, 2) for name in ("hypar-dp", "data-parallel", "joint-dp")
    ]
    for point in points[:3]:
        assert point.costs == {"time": 256, "communication": 0}
        assert (point.gain("time"), point.gain("communication")) == (1, None)
    for point in points[3:]:
        assert point.costs == {"time": 128 + 64, "communication": 256}
        assert point.gain("time") == Fraction(256, 192)


def test_sizes_without_the_single_accelerator_still_have_gains(one_layer):
    points = scale(one_layer, [1])
    assert [(point.levels, point.gain("time")) for point in points] == [(1, Fraction(4, 3))] * 3


def test_joint_dp_is_the_optimum_of_the_first_component():
    given = {"array": "hypar-16", "accounting": "as-evaluated"}
    points = scale("vgg-a", [5], overrides=given, components=["energy", "time"])
    best = solve(load("vgg-a", levels=5, objective="energy", **given), "joint-dp")
    assert points[2].costs["energy"] == best.objective
    assert points[2].plan.status == "OPTIMAL"
    assert all(point.costs["energy"] >= best.objective for point in points)


def test_what_declines_says_so():
    points = scale("resnet-18", [0, 1], overrides={"array": "hypar-16"})
    greedy = [point for point in points if point.formulation == "hypar-dp"]
    assert {point.refusal for point in greedy} == {
        "hypar-dp is for chains and this network has joins or branches; try joint-dp or cp-sat"
    }
    assert all(point.gain("time") is None and point.plan is None for point in greedy)
    assert all(point.gain("time") for point in points if point.formulation != "hypar-dp")


def test_an_array_that_says_nothing_of_time():
    points = scale("lenet-c", [0, 2])
    assert [set(point.costs) for point in points] == [{"communication"}] * 6
    with pytest.raises(InputError, match=r"array\.accelerator: missing, and time needs it"):
        scale("lenet-c", [0, 2], components=["time"])


def test_a_placement_to_decide_is_refused():
    with pytest.raises(Refusal, match="a component depends on the placement, which is to be decided; try --placement"):
        scale("lenet-c", [1], overrides={"array": "hypar-16", "placement": "free"}, components=["time"])


def test_a_stop_ends_it():
    stop = Event()
    points = scale("lenet-c", [0, 1, 2], limits=Limits(stop=stop), on_point=lambda _: stop.set())
    assert {point.levels for point in points} == {0}


def test_no_gain_where_one_accelerator_needs_nothing(one_layer):
    """The single accelerator exchanges nothing: no number of times as much."""
    points = scale(one_layer, [1], components=["communication", "time"])
    assert [(point.gain("communication"), point.gain("time")) for point in points] == [(None, Fraction(4, 3))] * 3
    assert [row["communication_gain"] for row in rows(points, ["communication"])] == [None] * 3
    assert [row["communication: gain"].value for row in grid(points, ["communication"]).rows] == ["-"] * 3


@pytest.mark.parametrize(
    ("change", "field", "needed"),
    [
        ({"fix": {"fc1": "d"}}, "fix", "an instance that fixes no strategies; these are for 1 level"),
        (
            {"array": MACHINE | {"placement": ["a1", "a0"]}},
            "array.placement",
            "a placement for every size; this one lists 2 accelerators; try --placement identity",
        ),
    ],
)
def test_what_is_of_one_size_only_is_named(one_layer, change, field, needed):
    one_layer.write_text(json.dumps(json.loads(one_layer.read_text()) | change))
    with pytest.raises(InputError) as error:
        scale(one_layer, [1])
    assert str(error.value) == f"{one_layer}: {field}: --scale needs {needed}"


def test_a_placement_listed_in_an_array_that_is_given(one_layer):
    given = {"array": MACHINE | {"placement": ["a1", "a0"]}}
    with pytest.raises(InputError) as error:
        scale(one_layer, [1], overrides=given)
    assert str(error.value) == (
        "--array placement: --scale needs a placement for every size; this one lists 2 accelerators; "
        "try --placement identity"
    )
    assert len(scale(one_layer, [1], overrides=given | {"placement": "identity"})) == 3


def test_a_level_too_many_is_still_a_level_too_many(one_layer):
    with pytest.raises(InputError, match="--levels"):
        scale(one_layer, [-1])


def test_what_limits_cut_off():
    plan = scale("lenet-c", [1])[2].plan
    stopped = replace(plan, status=Status.NO_SOLUTION, strategies=None)
    unproven = replace(plan, status=Status.FEASIBLE)
    cut = {
        (name, one.status): Point(1, name, one, {}, {}).is_cut
        for name in ("hypar-dp", "joint-dp")
        for one in (plan, stopped, unproven)
    }
    assert cut == {
        ("hypar-dp", "OPTIMAL"): False,
        ("hypar-dp", "NO_SOLUTION"): True,
        ("hypar-dp", "FEASIBLE"): False,
        ("joint-dp", "OPTIMAL"): False,
        ("joint-dp", "NO_SOLUTION"): True,
        ("joint-dp", "FEASIBLE"): True,
    }
    assert not Point(1, "hypar-dp", None, {}, {}, "for chains only").is_cut


LIMITED = {"array": "hypar-16", "at_most": "time=0.06"}
LEAST = "time is at least 0.08040228572 s (rounded up, exactly 8794/109375), at most 0.06 s was asked for"


def by_place(points):
    return {(one.accelerators, one.formulation): one for one in points}


def test_bounds_are_kept_and_gains_are_over_one_accelerator_that_does_not_keep_them():
    found = by_place(scale("lenet-c", [0, 1, 2], overrides=LIMITED))
    for place, free in by_place(scale("lenet-c", [0, 1, 2], overrides={"array": "hypar-16"})).items():
        kept = free.costs["time"] <= Fraction("0.06")
        assert found[place].costs == (free.costs if kept else {})
        assert found[place].gain("time") == (free.gain("time") if kept else None)
    assert found[1, "joint-dp"].refusal == LEAST
    assert found[1, "data-parallel"].refusal.endswith("it exceeds the bound on time")
    assert found[1, "hypar-dp"].refusal == "the plan's time is 8794/109375 s, above 0.06"
    assert found[4, "data-parallel"].refusal and not found[2, "data-parallel"].refusal


def test_the_optimum_is_within_bounds():
    given = {"array": "hypar-16", "at_most": "time=14.8"}
    points = scale("vgg-a", [4], overrides=given, components=["energy"])
    best, free = (solve(load("vgg-a", objective="energy", **one)) for one in (given, {"array": "hypar-16"}))
    assert points[2].costs["energy"] == best.objective > free.objective


def test_the_table_says_which_bounds_and_where_there_is_no_plan():
    points = scale("lenet-c", [0, 1], overrides=LIMITED)
    assert "proven with time at most 0.06 s; " in legend(points, ["time"])
    assert "over one accelerator, within bounds or not; " in legend(points, ["time"])
    assert f"joint-dp on 1 accelerator: {LEAST}" in reasons(points)
    assert "within bounds" not in legend(scale("lenet-c", [0]), ["time"])


def test_workers_find_the_same_plans():
    asked, workers = {"overrides": {"array": "hypar-16"}}, Here()
    found = scale("sconv", [0, 1, 2], **asked, workers=workers)
    assert without_times(found) == without_times(scale("sconv", [0, 1, 2], **asked))
    assert [(size.instance.levels, size.formulation) for (size,) in workers.batches] == [
        (h, name) for h in (2, 1) for name in ("joint-dp", "data-parallel", "hypar-dp")
    ]  # the largest first


def without_times(points):
    return [
        (one.levels, one.formulation, one.plan.status, one.plan.strategies, one.costs, one.alone, one.bounds)
        for one in points
    ]


def test_a_size_that_kills_its_workers_says_so():
    workers = Here(lambda size: size.formulation == "hypar-dp")
    points = scale("lenet-c", [0, 1], workers=workers)
    assert [(one.levels, one.plan.status, one.refusal) for one in points if one.formulation == "hypar-dp"] == [
        (0, "OPTIMAL", ""),  # found here
        (1, "ERROR", "3 processes died while they ran it"),
    ]
    assert "hypar-dp on 2 accelerators: 3 processes died while they ran it" in reasons(points)
    assert all(one.plan.strategies is not None for one in points if one.formulation != "hypar-dp")


def test_of_a_size_that_a_stop_cuts_off_nothing_is_left():
    stop, workers = Event(), Here(lambda size: bool(stop.set()) if size.formulation == "data-parallel" else False)
    points = scale("lenet-c", [0, 1, 2], limits=Limits(stop=stop), workers=workers)
    assert [point.levels for point in points] == [0, 0, 0, 2, 2, 2]  # four were given out, and one is of another size
