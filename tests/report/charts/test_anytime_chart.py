"""Best plan and bound over time: rows, sentences, and the picture of one run and of several."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.report.charts.anytime import FIGURE, anytime_figure, scale_of
from hypar_opt.report.charts.export import printed_svg
from hypar_opt.report.charts.quantities import FEW, steep_marks
from hypar_opt.report.charts.registry import drawings
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.improvements import Course, CoursePoint, courses_table, gap_of, lines_of, moments
from hypar_opt.solver.improvements import Improvement
from hypar_opt.util.errors import Refusal
from tests.report.charts.chart_data import drawn

BYTES = ObjectiveFunction("sum", {"communication": Fraction(1)})
TOTAL = ObjectiveFunction("sum", {"total": Fraction(1)})


def course(*values, name="cp-sat", end_s=10.0):
    """Return a run of (time, cost, bound), a cost or a bound each."""
    told = [Improvement(at, *(None if v is None else Fraction(v) for v in both)) for at, *both in values]
    return Course(name, told, end_s)


ONE = course((0.5, None, 100), (1.0, 4000, None), (2.0, 1010, None), (2.0, None, 900), (4.0, 1000, None))


def test_rows_are_what_is_known_after_each_moment():
    assert list(moments(ONE)) == [
        CoursePoint(0.5, None, 100), CoursePoint(1.0, 4000, 100),
        CoursePoint(2.0, 1010, 900), CoursePoint(4.0, 1000, 900),
    ]  # fmt: skip
    table = courses_table([ONE], BYTES)
    assert [row["gap"].value for row in table.rows] == [None, Fraction(39, 40), Fraction(11, 101), Fraction(1, 10)]
    assert [row["cost"].value for row in table.rows] == [None, 4000, 1010, 1000]
    assert table.columns[2].unit == "kB"


def test_a_gap_is_of_a_plan_that_costs_something():
    assert gap_of(CoursePoint(0, Fraction(0), Fraction(0))) is None
    assert gap_of(CoursePoint(0, Fraction(5), None)) is None


def test_sentences_say_when_there_was_a_plan_and_a_good_one():
    assert lines_of(ONE, BYTES) == [
        "first plan after 1 s: 4 kB", "within 1 % of the last one, 1 kB, after 2 s",
    ]  # fmt: skip
    assert lines_of(course((1, None, 5)), BYTES) == ["no plan was told of"]


def test_lines_are_steps_that_go_on_to_the_end_of_their_run():
    figure = anytime_figure([ONE, course((3.0, 2000, None), name="other", end_s=7.0)], BYTES, "vgg-a")
    lines, points = figure.spec["layer"]
    assert lines["mark"]["interpolate"] == "step-after"
    assert lines["encoding"]["x"]["scale"]["type"] == "log"
    assert points["transform"] == [{"filter": "datum.told"}]
    rows = drawn(figure, "seconds")
    ends = {(row["run"], row["kind"]): row["seconds"] for row in rows if not row["told"]}
    assert ends == {("cp-sat", "best plan"): 10, ("cp-sat", "bound"): 10, ("other", "best plan"): 7}
    assert sum(row["told"] for row in rows) == 6
    assert lines["encoding"]["color"]["scale"]["domain"] == ["cp-sat", "other"]
    assert figure.title == "Best plan and bound over time: vgg-a"
    assert "other: first plan after 3 s: 2 kB" in figure.alternative


def test_a_run_alone_needs_no_legend_of_runs():
    figure = anytime_figure([ONE], BYTES)
    assert figure.spec["layer"][0]["encoding"]["color"]["legend"] is None


def rows(*values):
    return [{"kind": kind, "value": value} for kind, value in values]


def test_values_are_in_logarithm_where_they_differ_much_and_what_is_far_from_the_best_is_left_out():
    assert scale_of(rows(("best plan", 110.0), ("best plan", 100.0), ("bound", 90.0)))[2] is False
    low, high, is_steep = scale_of(
        rows(("best plan", 1e7), ("best plan", 2000.0), ("best plan", 100.0), ("bound", 0.0))
    )
    assert is_steep and 80 < low < 100 and 2000 < high < 3000
    assert scale_of(rows(("bound", 0.0), ("bound", 5.0))) == (pytest.approx(-0.3), pytest.approx(5.3), False)
    low, high, _ = scale_of(rows(("best plan", 7.0)))
    assert low < 7 < high


def test_what_is_not_drawn_is_said_and_harms_no_logarithm():
    far = course((1.0, 10**9, None), (1.5, None, 0), name="far")
    figure = anytime_figure([ONE, far], TOTAL)
    assert (
        "Off the scale: far's last best plan, 1,000,000,000. Off the scale: far's last bound, 0." in figure.alternative
    )
    assert all(row["value"] > 0 for row in drawn(figure, "seconds"))
    assert "cp-sat's last" not in figure.alternative


def test_it_is_printed_with_every_mark_named():
    """An axis in logarithm names some of its own marks only."""
    svg = printed_svg(anytime_figure([ONE], BYTES), "column")
    for text in ("500 ms", "1 s", "10 s", "300 B", "3 kB"):
        assert f">{text}<" in svg


def test_it_is_drawn_of_every_kind_of_problem_and_only_where_something_is_known():
    assert set(FIGURE.of) == {*KINDS, "strategy-graph"}
    assert not FIGURE.accepts([])
    assert drawings({"runs": []}, "", "network") == {}


def test_a_run_that_told_nothing_is_no_picture():
    with pytest.raises(Refusal, match="nothing to draw over time"):
        anytime_figure([course()], BYTES)


@settings(max_examples=60)
@given(st.floats(1e-3, 1e12), st.floats(1.05, 1e6))
def test_marks_of_a_logarithmic_axis_are_on_it_and_few_but_not_too_few(low, ratio):
    high = low * ratio
    found = steep_marks(low, high)
    assert found == sorted(found)
    assert all(low * (1 - 1e-9) <= one <= high * (1 + 1e-9) for one in found)
    assert 2 <= len(found) <= max(12, FEW + math.log10(ratio))
