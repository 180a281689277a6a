"""What is said of how far a plan may be from the best."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, TOTAL
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.report.numbers import above, beside_bound, gap, percent, share
from hypar_opt.solver.plan import Plan


def said(status, objective, bound, component=TOTAL):
    weighed = ObjectiveFunction("sum", {component: Fraction(1)})
    return gap(weighed, Plan("x", "sha", "f", status, "", {}, None, objective, bound, 0.0, 0))


@pytest.mark.parametrize(
    ("objective", "bound", "expected"),
    [
        (110, 100, ", 10 % above the proven bound 100"),
        (-40, -50, ", 20 % above the proven bound -50"),
        (0, -1, ", 100 % above the proven bound -1"),
        (5, -1, ", above the proven bound -1"),
        (200, 100, ", 2 times the proven bound 100"),
        (123_456, 10, ", 12,300 times the proven bound 10"),
        (7, 0, ", above the proven bound 0"),
        (7, None, ", no bound known"),
        (None, 5, ""),
    ],
)
def test_a_gap_is_relative_to_the_bound(objective, bound, expected):
    assert said(Status.FEASIBLE, objective, bound) == expected


def test_a_bound_has_the_unit_of_its_objective():
    assert said(Status.FEASIBLE, 3_000_000, 2_000_000, COMMUNICATION) == ", 50 % above the proven bound 2 MB"


def test_nothing_is_said_of_what_is_proven():
    assert said(Status.OPTIMAL, 110, 100) == ""


def test_a_bound_of_the_placement_is_said_to_be_one():
    plan = Plan("x", "sha", "f", Status.FEASIBLE, "", {}, None, Fraction(3), Fraction(2), 0.0, 0, decided="placement")
    said = gap(ObjectiveFunction("sum", {TOTAL: Fraction(1)}), plan)
    assert said == ", 50 % above the proven bound of its strategies' placement 2"
    assert beside_bound(plan) == " (50 % above the bound of its strategies' placement)"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (Fraction(1, 3), "33.3 %"),
        (Fraction(1, 10), "10 %"),
        (Fraction(-1, 8), "-12.5 %"),
        (Fraction(1, 10**5), "0.001 %"),
        (Fraction(1, 10**9), "<0.001 %"),
        (1 - Fraction(1, 10**9), ">99.9 %"),
        (1 + Fraction(1, 10**9), ">100 %"),
        (0.125, "12.5 %"),
        (Fraction(99_999), "10,000,000 %"),
    ],
)
def test_a_percentage_is_nought_or_a_hundred_only_where_the_share_is(part, text):
    assert percent(part) == text


@given(st.fractions(min_value=0, max_value=10**9))
def test_a_percentage_is_never_a_power_of_ten(part):
    assert "e" not in percent(part) + percent(part, 2) + above(1 + part, 1).split()[0]


@given(st.integers(0, 10**12), st.integers(1, 10**12))
def test_a_part_is_shown_as_all_or_nothing_only_where_it_is(part, whole):
    assert (share(part, whole) == "100 %") == (part == whole)
    assert (share(part, whole) == "0 %") == (part == 0)


def test_of_nothing_there_is_no_share():
    assert share(0, 0) == "-"
