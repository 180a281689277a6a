"""How well predictions rank plans."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.studies.operators.ranking import agreement, lacked, predictions, random_steps
from tests.exported import CHAIN, instance_of

ENTRIES = {"R": WHOLE, "P": PARTIAL}


def placement(text):
    return tuple(ENTRIES.get(one) or AxisPlacement(int(one)) for one in text)


@pytest.mark.slow  # scipy.stats takes a second to be there
def test_what_is_the_same_in_another_order_is_ranked_alike():
    said = [Fraction(one) for one in (3, 1, 2, 10)]
    one = agreement(said, [2 * each for each in said])
    assert (one.plans, one.equal, one.least, one.most) == (4, 0, 2, 2)
    assert (one.spearman, one.kendall) == (pytest.approx(1), pytest.approx(1))
    assert agreement(said, [1 / each for each in said]).kendall == pytest.approx(-1)


@pytest.mark.parametrize(
    ("have", "need", "share"),
    [
        ("00", "RR", 7),
        ("PP", "RR", 56),  # seven summands of all of it, for each of eight
        ("RP", "R0", 6),
        ("0R", "1R", 2),
        ("RR", "01", 0),
        ("01", "01", 0),
        ("P0", "P0", 0),
    ],
)
def test_what_devices_lack(have, need, share):
    assert lacked((2, 4), placement(have), placement(need)) == share


def test_predictions_of_random_plans():
    problem = OperatorProblem(instance_of(CHAIN, 8, a=2).replace(accounting="gspmd"))
    drawn = list(islice(random_steps(problem), 3))
    assert [words for words, _ in drawn] == [words for words, _ in islice(random_steps(problem), 3)]
    for words, step in drawn:
        said = predictions(problem, words)
        assert said["gspmd"] == sum(one.bytes for one in step.emitted)
        assert said["collective"] == sum(one.bytes for one in step.movements) <= said["gspmd"]
