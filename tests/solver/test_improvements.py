"""How best plan and bound of a run moved: what is kept of its events, and how plan files say it."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.formulation.run import Event
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.solver import solve as solving
from hypar_opt.solver.improvements import MOST, Improvement, Improvements, improvement_rows, thinned
from hypar_opt.solver.plan import Plan, plan_document
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError

BYTES = ObjectiveFunction("sum", {"communication": Fraction(1)})


def heard(*events, weights=BYTES.weights):
    found = Improvements(BYTES)
    for kind, time_s, value, *source in events:
        found.hear(Event(kind, time_s, *(source or ["cp-sat"]), value=Fraction(value), weights=weights))
    return found


def told(found):
    return [(one.time_s, one.cost, one.bound) for one in found]


def test_only_what_is_better_is_kept_in_the_order_of_time():
    run = heard(("incumbent", 1, 9), ("bound", 1.5, 2), ("incumbent", 2, 9), ("incumbent", 3, 7), ("bound", 2.5, 1))
    run.hear(Event("phase", 2, "cp-sat", text="presolve", weights=BYTES.weights))
    assert told(run.until(Fraction(7), Fraction(2), 4)) == [(1, 9, None), (1.5, None, 2), (3, 7, None)]


def test_a_run_ends_with_its_plan_and_bound_whether_it_told_of_them_or_not():
    run = heard(("incumbent", 1, 9), ("bound", 2, 3))
    assert told(run.until(Fraction(5), Fraction(5), 4.00004)) == [
        (1, 9, None),
        (2, None, 3),
        (4, 5, None),
        (4, None, 5),
    ]
    assert told(run.until(Fraction(5), None, 4)) == [(1, 9, None), (4, 5, None)]


def test_what_the_end_denies_is_left_out():
    """A plan below the one that the run ended with, which is recomputed, and a bound above the one that it claims."""
    run = heard(("incumbent", 1, 9), ("incumbent", 2, 4), ("bound", 1, 1), ("bound", 3, 8))
    assert told(run.until(Fraction(6), Fraction(2), 4)) == [(1, 9, None), (1, None, 1), (4, 6, None), (4, None, 2)]


def test_what_threads_told_in_another_order_goes_neither_back_in_time_nor_up():
    run = heard(("incumbent", 2, 9), ("incumbent", 1.9, 8), ("bound", 3, 1), ("bound", 2, 2))
    assert told(run.until(Fraction(8), Fraction(2), 4)) == [(2, 9, None), (2, 8, None), (3, None, 1), (3, None, 2)]


def test_a_run_that_told_of_no_two_went_nowhere():
    assert heard(("incumbent", 1, 9), ("bound", 1, 9)).until(Fraction(9), Fraction(9), 2) == ()
    assert heard().until(Fraction(9), Fraction(9), 2) == ()
    assert heard(("incumbent", 1, 9), ("incumbent", 2, 8)).until(None, None, 2) == ()


def test_values_of_other_objectives_and_bounds_of_one_placement_are_passed_over():
    last = Fraction(7), Fraction(2), 4
    assert heard(("incumbent", 1, 9), ("incumbent", 2, 8), weights={"time": Fraction(1)}).until(*last) == ()
    assert heard(("incumbent", 1, 9), ("incumbent", 2, 8), weights=None).until(*last) == ()
    placed = [("bound", 1, 1, "placement-milp"), ("bound", 2, 2, "placement-milp")]
    assert heard(*placed).until(*last) == ()
    assert len(heard(*[(*one[:3], "cp-sat") for one in placed]).until(*last)) == 3


@st.composite
def costs(draw):
    """Better and better plans at times that do not go back."""
    count = draw(st.integers(1, 40))
    times = sorted(draw(st.lists(st.floats(0, 1e4), min_size=count, max_size=count)))
    return [Improvement(at, cost=Fraction(100 - place)) for place, at in enumerate(times)]


def never_better(kept, known, at):
    """Return whether at a moment the kept say no better plan than there was."""
    best = [min((one.cost for one in some if one.time_s <= at), default=Fraction(10**6)) for some in (kept, known)]
    return best[0] >= best[1]


@settings(max_examples=60)
@given(costs(), st.integers(3, 12))
def test_of_many_some_are_kept_that_never_say_better_than_it_was(known, most):
    kept = thinned(known, most)
    assert len(kept) <= most and (len(known) > most or kept == known)
    assert (kept[0], kept[-1]) == (known[0], known[-1])
    assert [one for one in known if one in kept] == kept
    assert all(never_better(kept, known, one.time_s) for one in known)


def test_a_plan_that_is_moved_ahead_is_noticed():
    known = [Improvement(float(at), cost=Fraction(100 - at)) for at in range(1, 9)]
    wrong = [replace(one, time_s=one.time_s / 2) for one in known]
    assert not all(never_better(wrong, known, one.time_s) for one in wrong)


def test_what_is_kept_of_a_long_run_is_spread_over_the_logarithm_of_its_time():
    known = [Improvement(0.001 * 1.01**place, cost=Fraction(9999 - place)) for place in range(1300)]
    kept = thinned(known)
    assert MOST - 3 <= len(kept) <= MOST
    ratios = [later.time_s / one.time_s for one, later in pairwise(kept)]
    assert max(ratios) < 1.01 ** (3 * 1300 / MOST)


def test_a_search_ends_with_what_it_proved(tmp_path):
    plan = solve("vgg-a", "cp-sat", seed=1)
    assert plan.status is Status.OPTIMAL
    found = plan.improvements
    assert [[one.cost for one in found if one.cost][-1], [one.bound for one in found if one.bound][-1]] == [
        plan.objective, plan.bound,
    ]  # fmt: skip
    assert [one.time_s for one in found] == sorted(one.time_s for one in found)
    plan.save(tmp_path / "plan.json")
    assert Plan.load(tmp_path / "plan.json").improvements == found


def test_an_error_has_no_way_to_a_plan(monkeypatch):
    monkeypatch.setattr(solving, "completed", lambda task, solution, plan: replace(plan, status=Status.ERROR))
    assert solve("lenet-c", "cp-sat").improvements == ()


def test_plans_of_programmes_that_are_complete_at_once_say_nothing():
    assert "improvements" not in plan_document(solve("lenet-c", "joint-dp"))


GOOD = [{"time_s": 0, "cost": "9.5"}, {"time_s": 0.25, "bound": 1}, {"time_s": 1, "cost": 3}, {"time_s": 1, "bound": 3}]
BROKEN = {
    "neither": ([{"time_s": 1}], "improvements[0]: expected either 'cost' or 'bound'"),
    "both": ([{"time_s": 1, "cost": 2, "bound": 1}], "improvements[0]: expected either 'cost' or 'bound'"),
    "no time": ([{"cost": 2}], "improvements[0].time_s: missing"),
    "before the beginning": ([{"time_s": -1, "cost": 2}], "time_s: expected seconds, 0 or more, got -1"),
    "no seconds": ([{"time_s": "1", "cost": 2}], "time_s: expected seconds, 0 or more, got '1'"),
    "truth": ([{"time_s": True, "cost": 2}], "time_s: expected seconds, 0 or more, got true"),
    "no number": ([{"time_s": 1, "cost": "x"}], "cost: expected an exact number"),
    "back in time": (GOOD[::-1], "improvements: expected improvements in the order of time"),
    "worse plans": ([GOOD[0], GOOD[0] | {"time_s": 1}], "improvements: expected plans that cost less and less"),
    "lower bounds": ([GOOD[1], GOOD[1]], "improvements: expected bounds that are higher and higher"),
    "another field": ([GOOD[0] | {"costs": 2}], "unknown field 'costs'; did you mean 'cost'?"),
}


@pytest.mark.parametrize(("rows", "message"), BROKEN.values(), ids=BROKEN)
def test_plan_files_say_it_strictly(rows, message, tmp_path):
    path = tmp_path / "plan.json"
    document = plan_document(solve("lenet-c", "joint-dp"))
    path.write_text(json.dumps(document | {"improvements": rows}), encoding="utf-8")
    with pytest.raises(InputError) as error:
        Plan.load(path)
    assert message in str(error.value)


def test_numbers_are_exact_in_plan_files(tmp_path):
    path = tmp_path / "plan.json"
    document = plan_document(solve("lenet-c", "joint-dp"))
    path.write_text(json.dumps(document | {"improvements": GOOD}), encoding="utf-8")
    found = Plan.load(path).improvements
    assert found[0] == Improvement(0.0, cost=Fraction(19, 2))
    assert improvement_rows(found) == GOOD
