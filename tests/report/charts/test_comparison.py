"""The chart of a comparison."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from chart_data import drawn, rest_of
from helpers import document, instance_of, linear_chain

from hypar_opt.formulation.solution import Status
from hypar_opt.report.charts.comparison import compared, comparison_figure
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.studies.compare import Cell, compare

HOSTILE = "</script><b>\"'\\ ü"


@pytest.fixture(scope="module")
def cells():
    """Two instances by three formulations; the second by name is the first again with another batch."""
    small = document(linear_chain(8, 4), [8], batch=4, levels=1)
    return compare([instance_of(small), instance_of(small, batch=64)], ["data-parallel", "model-parallel", "joint-dp"])


def test_ratios_are_exact_and_to_the_least_of_the_same_instance(cells):
    found = compared(cells)
    for row in (0, 1):
        own = [one for one in found if one.cell.row == row]
        least = min(one.cell.plan.objective for one in own)
        assert [one.ratio for one in own] == [Fraction(one.cell.plan.objective, least) for one in own]
    assert len({one.ratio for one in found}) > 2


def test_ten_formulations_have_ten_colours(cells):
    many = [replace(cells[0], formulation=f"f{number}") for number in range(10)]
    svg = printed_svg(comparison_figure(many), "page")
    assert len(set(re.findall(r'role-legend-symbol".*?fill="(#[0-9A-Fa-f]{6})"', svg))) == 10


def test_what_is_drawn_is_what_the_table_says(cells):
    figure = comparison_figure(cells)
    rows = drawn(figure, "instance")
    assert len(rows) == len(figure.table.rows) == 6
    for row, said in zip(rows, figure.table.rows, strict=True):
        assert (row["instance"], row["formulation"]) == (said["instance"].value, said["formulation"].value)
        assert row["ratio"] == float(said["ratio"].value)
        assert Fraction(row["cost"]) == said["cost"].value
        assert said["ratio"].best == (said["ratio"].value == 1)


def test_instances_of_one_name_are_told_apart(cells):
    assert list(dict.fromkeys(row["instance"] for row in drawn(comparison_figure(cells), "instance"))) == [
        "of-a-test #1",
        "of-a-test #2",
    ]


def test_an_instance_that_is_called_as_another_is_told_apart_has_a_place_of_its_own(cells):
    third = replace(cells[0], instance="of-a-test #1", row=2)
    assert len({one.instance for one in compared([*cells, third])}) == 3


def declined(cell, **more):
    return replace(cell, plan=None, refusal="too large", **more)


def test_statuses_are_shapes_and_words(cells):
    first = cells[0]
    plan = first.plan
    states = [
        replace(plan, status=Status.OPTIMAL),
        replace(plan, status=Status.OPTIMAL, decided="placement"),
        replace(plan, status=Status.FEASIBLE),
        replace(plan, status=Status.INFEASIBLE, strategies=None, objective=None),
        replace(plan, status=Status.NO_SOLUTION, strategies=None, objective=None),
        replace(plan, status=Status.ERROR),
    ]
    made = [replace(first, plan=one, formulation=f"f{i}") for i, one in enumerate(states)]
    figure = comparison_figure([*made, declined(first, formulation="f6")])
    rows = drawn(figure, "instance")
    assert [row["status"] for row in rows] == [
        "proven the least", "proven for its strategies", "not proven", "infeasible", "none found", "error", "declined",
    ]  # fmt: skip
    assert [row["ratio"] for row in rows] == [1, 1, 1, None, None, None, None]
    assert [row["cost"] for row in rows[3:]] == ["none"] * 4
    assert rows[-1]["note"] == "too large"
    assert figure.table.rows[-1]["status"].notes == ("too large",)
    shapes = next(layer["encoding"]["shape"]["scale"] for layer in figure.spec["layer"] if "shape" in layer["encoding"])
    assert shapes["domain"] == [row["status"] for row in rows]
    assert len(set(shapes["range"])) == 7


def test_nothing_costs_nothing(cells):
    free = replace(cells[0], plan=replace(cells[0].plan, objective=Fraction(0)))
    found = compared([free, replace(free, formulation="other"), replace(cells[1], row=0)])
    assert [one.ratio for one in found] == [1, 1, None]


def test_a_logarithmic_axis_only_where_ratios_are_large(cells):
    def scale_of(factor):
        plan = cells[0].plan
        dearer = replace(cells[0], formulation="dear", plan=replace(plan, objective=plan.objective * factor))
        spec = comparison_figure([cells[0], dearer]).spec
        y = next(layer["encoding"]["y"] for layer in spec["layer"] if layer["encoding"]["y"].get("title"))
        return y["scale"]["type"], "(logarithmic)" in y["title"]

    assert scale_of(100) == ("log", True)
    assert scale_of(2) == ("linear", False)


def test_the_alternative_says_it_in_words(cells):
    plan = replace(cells[0].plan, objective=Fraction(10), status=Status.OPTIMAL)
    one = Cell("a", "paper", 4, 1, "f", plan)
    two = replace(one, formulation="g", plan=replace(plan, objective=Fraction(25), status=Status.FEASIBLE))
    three = declined(replace(one, formulation="h"))
    assert comparison_figure([one, two, three]).alternative == (
        "A mark for every instance and formulation. f: the least of 1 of 1 instances, proven for 1; g: the least of 0 "
        "of 1 instances, at most 2.5 times the least; h: the least of 0 of 1 instances, no cost to compare for 1."
    )


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 40])
def test_hostile_names_stay_data(cells, count):
    made = [
        replace(cell, instance=f"{HOSTILE}{i}", row=i, formulation=f"{HOSTILE}{cell.formulation}")
        for i in range(count)
        for cell in (*cells[:2], declined(cells[2]))
    ]
    figure = comparison_figure(made)
    rows = drawn(figure, "instance")
    assert rows[0]["instance"] == f"{HOSTILE}0"
    assert "<b>" not in rest_of(figure)
    assert "&lt;/script&gt;&lt;b&gt;" in printed_svg(figure, "page")


def test_nothing_to_compare():
    figure = comparison_figure([])
    assert figure.table.rows == ()
    assert printed_svg(figure, "column").startswith("<svg")
