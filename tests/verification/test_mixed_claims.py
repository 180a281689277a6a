"""Plans for accelerators of several kinds, of which something is not true, are refuted; true ones are confirmed."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from mixed_plans import written
from solver.mixed.random_mixed import least

from hypar_opt import load, solve
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import exact
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome

ASKED = {"shares": {"parts": 8}, "choices": ["dp", "mp"]}


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return problem_of(load(written(tmp_path_factory.mktemp("tiny"), **ASKED)))


@pytest.fixture(scope="module")
def best(problem):
    """The optimum as a plan's file has it."""
    plan = solve(problem)
    assert plan.objective == least(problem)
    return plan_document(plan)


def verdict(problem, document, folder):
    path = folder / "plan.json"
    path.write_text(json.dumps(document))
    return verify(problem.instance, path)


def refuted(problem, document, folder):
    """Return which checks say no."""
    return [one.name for one in verdict(problem, document, folder).checks if one.outcome is CheckOutcome.REFUTED]


def of_words(problem, document, strategies, share):
    """Return a plan's file that is true of words and a share but for its claim to be the best."""
    costs = problem.costs(strategies, (share,))
    time, moved = exact(costs["time"]), exact(costs["communication"])
    true = {"cost": {"communication_bytes": moved, "time_s": time}, "objective": time, "bound": time}
    return document | true | {"plan": strategies, "shares": {"root": str(share)}}


def test_the_optimum_is_confirmed_by_its_own_boxes(problem, best, tmp_path):
    found = verdict(problem, best, tmp_path)
    assert found.outcome is CheckOutcome.CONFIRMED, found
    assert "boxes of shares" in found.checks[-1].text
    assert "shares nothing with the search" in found.checks[-1].text


@pytest.mark.parametrize(
    ("field", "value", "check"),
    [
        ("shares", {}, "plan"),
        ("shares", {"root": "1/2", "0": "1/2"}, "plan"),
        ("shares", {"root": "9/16"}, "strategies"),
        ("shares", {"root": "1"}, "strategies"),
        ("plan", {"fc1": "nd", "fc2": "dd"}, "strategies"),
        ("plan", {"fc1": "d", "fc2": "dd"}, "strategies"),
        ("bound", "1/1000000000000", "bound"),
        ("objective", "1/1000000000000", "objective"),
    ],
)
def test_what_is_not_so_is_refuted(problem, best, field, value, check, tmp_path):
    assert refuted(problem, best | {field: value}, tmp_path) == [check]


def test_true_costs_of_another_share_or_other_words_are_no_optimum(problem, best, tmp_path):
    share, words = Fraction(best["shares"]["root"]), best["plan"]
    others = {name: word.translate(str.maketrans("dm", "md")) for name, word in words.items()}
    step = Fraction(1, 8) if share < Fraction(7, 8) else -Fraction(1, 8)
    for forged in (of_words(problem, best, words, share + step), of_words(problem, best, others, share)):
        assert refuted(problem, forged, tmp_path) == ["optimality"]


def test_that_there_is_no_plan_is_refuted_where_there_is_one(problem, best, tmp_path):
    none = dict.fromkeys(("plan", "cost", "objective", "bound"))
    claim = {key: value for key, value in best.items() if key != "shares"} | none | {"status": "INFEASIBLE"}
    assert refuted(problem, claim, tmp_path) == ["infeasibility"]
