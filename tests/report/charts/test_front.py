"""The chart of a Pareto front."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn, rest_of
from helpers import linear_chain, problem_of
from machines_drawn import MACHINE, whole

from hypar_opt.formulation.solution import Status
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.front import front_figure
from hypar_opt.report.pages.plans import front_points
from hypar_opt.solver.front import ParetoFront, TradeOff
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.plan import Plan

HOSTILE = "</script><b>\"'\\ ü"


def front_of(*values, components=("time", "energy"), **more):
    plan = Plan(HOSTILE, "", "joint-dp", Status.FEASIBLE, "", {HOSTILE: "dd"}, None, None, None, 0.1, 0)
    points = tuple(TradeOff(tuple(map(Fraction, one)), plan) for one in values)
    made = ParetoFront(HOSTILE, "", {}, components, points, True, "joint-dp", "done", "", 0.1)
    return replace(made, **more)


SMALL = front_of((1, 9), (2, 8), (4, 2), ("9/2", "3/2"))
"""The second is above the line from the first to the third."""


def test_points_are_exact_and_numbered():
    figure = front_figure(SMALL)
    rows = drawn(figure, "point")
    assert [(row["point"], row["v0"], row["v1"]) for row in rows] == [(1, 1, 9), (2, 2, 8), (3, 4, 2), (4, 4.5, 1.5)]
    assert [row["e0"] for row in rows] == ["1 s", "2 s", "4 s", "4.5 s"]
    assert [(row["time"].value, row["energy"].value) for row in figure.table.rows] == [
        point.values for point in SMALL.points
    ]
    assert [row["time"].best for row in figure.table.rows] == [True, False, False, False]


def test_what_no_weighted_sum_finds_has_another_shape():
    figure = front_figure(SMALL)
    kinds = [row["kind"] for row in drawn(figure, "point")]
    supported = SMALL.supported()
    assert kinds == ["a weighted sum finds it" if i in supported else "no weighted sum finds it" for i in range(4)]
    assert kinds[1] == "no weighted sum finds it"
    shapes = next(layer["encoding"]["shape"] for layer in figure.spec["layer"] if "shape" in layer["encoding"])["scale"]
    assert dict(zip(shapes["domain"], shapes["range"], strict=True)) == {
        "a weighted sum finds it": "circle",
        "no weighted sum finds it": "diamond",
        "least time x energy": "M-2.2,-2.2h4.4v4.4h-4.4Z",
    }


def test_the_least_product_is_marked():
    figure = front_figure(SMALL)
    assert [row["least"] for row in drawn(figure, "point")] == [False, False, False, True]
    framed = [row for row in drawn(figure, "v0") if row["kind"] == "least time x energy"]
    assert [(row["v0"], row["v1"]) for row in framed] == [(4.5, 1.5)]
    assert [row["mark"].value for row in figure.table.rows] == [None, None, None, "least time x energy"]
    assert ">least time x energy</text>" in printed_svg(figure, "column")


def test_in_words():
    figure = front_figure(SMALL)
    assert figure.title == "time and energy: 4 plans that no other dominates (complete)"
    assert figure.alternative == (
        "Time and energy: 4 plans that no other dominates (complete). "
        "The first has time 1 s, energy 9 J; the last time 4.5 s, energy 1.5 J; "
        "the least time x energy has point 4, time 4.5 s, energy 1.5 J; 1 of them no weighted sum of the two finds."
    )


def test_a_front_that_is_not_complete_says_so():
    figure = front_figure(replace(SMALL, complete=False, note="stopped by the limit"))
    assert figure.title.endswith("(NOT complete)")
    assert figure.alternative.endswith("stopped by the limit.")
    assert figure.table.notes == ("By joint-dp: not complete (done).", "stopped by the limit")


def test_a_third_component_is_the_colour():
    front = front_of((1, 9, 3), (2, 8, 1), components=("communication", "time", "energy"))
    figure = front_figure(front)
    fill = next(
        layer["encoding"]["fill"] for layer in figure.spec["layer"] if "field" in layer["encoding"].get("fill", {})
    )
    assert (fill["field"], fill["title"]) == ("v2", "energy")
    assert [row["e2"] for row in drawn(figure, "point")] == ["3 J", "1 J"]
    assert ">3 J</text>" in printed_svg(figure, "column")


def test_a_point_can_be_chosen_by_its_number():
    (chosen,) = front_figure(SMALL).spec["params"]
    assert (chosen["name"], chosen["select"]["fields"]) == ("chosen", ["point"])


@pytest.mark.parametrize("values", [(), ((0, 5),), ((3, 5),)])
def test_fronts_of_at_most_one_point(values):
    figure = front_figure(front_of(*values))
    assert f"{len(values)} plan" in figure.title
    assert printed_svg(figure, "column").startswith("<svg")


def test_a_single_point_stands_between_ticks_that_are_right():
    assert ">2.9 s</text>" in printed_svg(front_figure(front_of(("2.885", 5))), "column")


def test_names_do_not_come_into_the_chart():
    figure = front_figure(SMALL)
    assert "<b>" not in json.dumps(figure.spec)
    assert "<b>" not in rest_of(front_figure(replace(SMALL, complete=False)))


def test_a_front_of_98_points_is_small():
    assert len(json.dumps(front_figure(front_of(*((i, 1000 - i) for i in range(98)))).spec)) < 25_000


def test_a_front_that_was_found():
    front = pareto_front(problem_of(whole(MACHINE, linear_chain(8, 8, 8))))
    assert len(front_figure(front).table.rows) == len(front.points) > 0


def test_points_that_differ_look_different_in_the_list_and_in_the_table():
    front = front_of((1, "9.1234567"), (2, "9.1234561"), (3, 8))
    called = [text for _, text in front_points(front, ["point.json"] * 3, "lenet-c").choices]
    assert [text.split("energy ")[1].split(",")[0] for text in called] == ["9.123457 J", "9.123456 J", "8 J"]
    (column,) = [one for one in front_figure(front).table.columns if one.key == "energy"]
    assert column.digits == 7
