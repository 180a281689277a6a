"""Boxes of shares that come with a plan: those of every search hold, and what is forged is refused with the reason."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from helpers import each, instance_of
from mixed_plans import kind, tiny, written
from solver.mixed.random_mixed import random_mixed

from hypar_opt import load, solve
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import plan_document
from hypar_opt.solver.share_evidence import CLOSINGS
from hypar_opt.util.errors import InputError
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome

ASKED = {"batch": 16, "shares": {"parts": 16}, "choices": ["dp", "mp"]}
KINDS = [kind("fast", 2, 3e12, 2e9), kind("slow", 2, 1e12, 1e9)]
SLOWER = [kind("fast", 2, 3e11, 2e8), kind("slow", 2, 1e11, 1e8)]


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return problem_of(load(written(tmp_path_factory.mktemp("tiny"), kinds=KINDS, **ASKED)))


@pytest.fixture(scope="module")
def best(problem):
    return plan_document(solve(problem))


def verdict(problem, document, folder, **options):
    path = folder / "plan.json"
    path.write_text(json.dumps(document))
    return verify(problem.instance, path, **options)


def forged(best, change):
    """Return a plan's file whose boxes were changed."""
    document = copy.deepcopy(best)
    change(document["evidence"]["boxes"])
    return document


def leaf(boxes):
    return next(one for one in boxes if one["closed"] == "weights")


def shrink(boxes):
    one = leaf(boxes)
    one["high"] = str(Fraction(one["high"]) - Fraction(1, 16))


def widen(boxes):
    for one in boxes[1:3]:
        one |= {"low": boxes[0]["low"], "high": boxes[0]["high"]}


def without(number):
    def change(boxes):
        boxes[:] = [one for one in boxes if number not in (one["number"], one["within"])]

    return change


def renumbered(boxes):
    boxes[-1]["within"] = 99


def changed(**fields):
    def change(boxes):
        leaf(boxes).update(fields)

    return change


def raised(boxes):
    boxes[0]["bound"] = str(Fraction(boxes[0]["bound"]) * Fraction(11, 10))


REFUTED = {
    "a box is missing": (lambda boxes: boxes.remove(leaf(boxes)), "vectors of shares, the box"),
    "a box is too small": (shrink, "vectors of shares, the box"),
    "two boxes hold the same": (widen, "have shares in common"),
    "the first box is too small": (lambda boxes: boxes[0].update(high="3/4"), "expected all, 1/16 to 15/16"),
    "no boxes": (lambda boxes: boxes.clear(), "expected a first box with all shares"),
    "boxes in a box are missing": (lambda boxes: boxes.__delitem__(slice(1, None)), "neither closed nor cut"),
    "a box in none": (renumbered, "within box 99, expected one that stands before it"),
    "twice one number": (lambda boxes: boxes[-1].update(number=1), "two boxes have the number 1"),
    "weights above one": (changed(weights=["1/2 3/4"]), "weights that add up to 5/4 at a wait, expected 1"),
    "weights of other waits": (changed(weights=["1 0", "1 0"]), "1 waits, 2 classes each"),
    "no weights": (changed(weights=None), "is closed by weights, and has none"),
    "other splits": (changed(low="1/2 1/2"), "ends of 2 and 1 splits, expected 1"),
    "no share at all": (changed(low="15/16", high="1/16"), "holds nothing"),
    "other parts of a share": (changed(low="1/3"), "expected multiples of 1/16"),
    "closed and cut": (lambda boxes: boxes[0].update(closed="tables"), "closed by tables, and cut into others"),
    "a bound too high": (raised, "is said to have the bound"),
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_not_so_is_refuted(problem, best, name, tmp_path):
    change, message = REFUTED[name]
    found = verdict(problem, forged(best, change), tmp_path)
    assert [one.name for one in found.checks if one.outcome is CheckOutcome.REFUTED] == ["boxes"]
    assert message in found.checks[-1].text


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("weights", ["-1 2"], "none below 0"),
        ("closed", "magic", "expected null or one of weights, memory, tables, plans, got 'magic'"),
        ("bound", "about 3", "expected exact numbers"),
        ("bound", "1 2", "expected an exact number or null"),
        ("number", 0, "expected an integer of at least 1, got 0"),
        ("low", 0.5, "expected exact numbers"),
    ],
)
def test_what_is_no_box_is_bad_input(problem, best, field, value, message, tmp_path):
    document = forged(best, changed(**{field: value}))
    with pytest.raises(InputError, match=r"plan\.json") as raised:
        verdict(problem, document, tmp_path)
    assert message in str(raised.value) and "evidence.boxes[" in str(raised.value)


def test_boxes_of_other_parts_are_refuted(problem, best, tmp_path):
    document = best | {"evidence": best["evidence"] | {"parts": 8}}
    found = verdict(problem, document, tmp_path)
    assert found.checks[-1].text == "boxes are of shares k of 8, the instance has shares k of 16"


def test_boxes_of_a_slower_machine_are_refuted(problem, best, tmp_path):
    """They say of their sums more than is so."""
    other = problem_of(instance_of(tiny(kinds=SLOWER, **ASKED)))
    document = best | {"evidence": plan_document(solve(other))["evidence"]}
    found = verdict(problem, document, tmp_path)
    assert [one.name for one in found.checks if one.outcome is CheckOutcome.REFUTED] == ["boxes"]


def test_without_boxes_another_formulation_is_asked(problem, best, tmp_path):
    document = {name: value for name, value in best.items() if name != "evidence"}
    for found in (verdict(problem, document, tmp_path), verdict(problem, best, tmp_path, own_evidence=False)):
        assert found.outcome is CheckOutcome.CONFIRMED and not found.boxes
        assert "boxes of shares, and the words that are left in them, by the same code" in found.checks[-1].text


def test_what_there_was_no_time_for_is_said(problem, best, tmp_path):
    found = verdict(problem, best, tmp_path, time_limit=0.0)
    assert {one.shown for one in found.boxes} == {"not shown"}
    assert found.outcome is CheckOutcome.UNDECIDED
    (boxes,) = [one for one in found.checks if one.name == "boxes"]
    assert "that is not shown apart" in boxes.text and "the time was over" in boxes.text


def test_a_better_plan_in_a_box_is_named(problem, best, tmp_path):
    """A plan that is said to be the best one, with the boxes of a search that found a better one."""
    words = dict.fromkeys(best["plan"], "dd")
    costs = problem.costs(words, (Fraction(1, 2),))
    time = str(costs["time"])
    cost = {"communication_bytes": str(costs["communication"]), "time_s": time}
    boxes = best["evidence"] | {"boxes": [one | {"bound": None} for one in best["evidence"]["boxes"]]}
    worse = {"plan": words, "shares": {"root": "1/2"}, "cost": cost, "objective": time, "bound": time}
    document = best | worse | {"evidence": boxes}
    found = verdict(problem, document, tmp_path)
    assert found.outcome is CheckOutcome.REFUTED
    assert found.better is not None and found.better.objective < costs["time"]


def random_problem(seed):
    try:
        found = problem_of(instance_of(random_mixed(seed)))
    except InputError:  # the memory is seen to be too small when it is read
        return None
    return found if found.is_of_time else None


@each("seed", range(20), quick=3)
def test_all_that_searches_leave_is_shown(seed):
    """By each of three formulations; with memories, several shares, three barriers and three accountings."""
    problem = random_problem(seed)
    if problem is None:
        return
    plan = solve(problem, ("joint-dp", "cp-sat", "milp-highs")[seed % 3])
    assert plan.evidence is not None
    found = verify(problem, plan)
    assert found.outcome is CheckOutcome.CONFIRMED, found.checks
    if plan.objective == 0:  # than which there is nothing less
        return
    assert found.boxes and all(one.shown != "not shown" for one in found.boxes)
    assert "shares nothing with the search" in found.checks[-1].text


def mutants(evidence, rng):
    """Yield the boxes as they are, all shares as one closed box, and boxes with something changed."""
    boxes = evidence.boxes
    yield evidence
    yield replace(evidence, boxes=(replace(boxes[0], closed=rng.choice(list(CLOSINGS))),))
    for _ in range(4):
        at = rng.randrange(len(boxes))
        one = boxes[at]
        weights = one.weights and tuple(tuple(rng.sample(row, len(row))) for row in one.weights)
        changed = rng.choice(
            [
                [replace(one, weights=weights)],
                [replace(one, weights=None)],
                [replace(one, closed=rng.choice([None, *CLOSINGS]))],
                [replace(one, low=one.high)],
                [replace(one, low=rng.choice(boxes).low, high=rng.choice(boxes).high)],
                [replace(one, within=rng.randint(0, len(boxes)))],
                [],
            ]
        )
        yield replace(evidence, boxes=(*boxes[:at], *changed, *boxes[at + 1 :]))


@each("seed", range(400, 408), quick=2)
def test_no_boxes_make_a_worse_plan_the_best(seed):
    """The boxes of the best plan, and such with something changed, under a worse one's claim: it is refuted."""
    problem = random_problem(seed)
    plan = None if problem is None else solve(problem)
    if plan is None or plan.strategies is None or plan.objective == 0:
        return
    worse = problem.strategies([0] * len(problem.work.layers))
    shares = tuple(plan.shares.values())
    time = problem.costs(worse, shares)["time"]
    if problem.fault_of(worse, shares) or time == plan.objective / problem.weight:
        return
    value = problem.weight * time
    claim = replace(problem.complete(plan, worse, shares), objective=value, bound=value)
    for evidence in mutants(plan.evidence, Random(seed)):
        assert verify(problem, replace(claim, evidence=evidence)).outcome is CheckOutcome.REFUTED
