"""What is said of how far a plan may be from the best."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.aim import Aim
from hypar_opt.components import COMMUNICATION, TOTAL
from hypar_opt.plan import Plan, Status
from hypar_opt.report.plans.gap import gap


def said(status, objective, bound, component=TOTAL):
    aim = Aim("sum", {component: Fraction(1)})
    return gap(aim, Plan("x", "sha", "f", status, "", {}, None, objective, bound, 0.0, 0))


@pytest.mark.parametrize(
    ("objective", "bound", "expected"),
    [
        (110, 100, ", 10.000% above the proven bound 100"),
        (-40, -50, ", 20.000% above the proven bound -50"),
        (0, -1, ", 100.000% above the proven bound -1"),
        (7, 0, ", above the proven bound 0"),
        (7, None, ", no bound known"),
        (None, 5, ""),
    ],
)
def test_a_gap_is_relative_to_the_bound(objective, bound, expected):
    assert said(Status.FEASIBLE, objective, bound) == expected


def test_a_bound_has_the_unit_of_its_objective():
    assert said(Status.FEASIBLE, 3_000_000, 2_000_000, COMMUNICATION) == ", 50.000% above the proven bound 2 MB"


def test_nothing_is_said_of_what_is_proven():
    assert said(Status.OPTIMAL, 110, 100) == ""
