"""Shares that may be any number: as good as all words at their best shares, and exactly what is said of them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from helpers import each, instance_of
from mixed_documents import judged, random_mixed_document
from mixed_exact_brute_force import best_exact_plan
from mixed_plans import kind, tiny

from hypar_opt import solve
from hypar_opt.evaluation.mixed import step_time, waits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.mixed.box_sums import BoxSums
from hypar_opt.util.surd import Surd
from hypar_opt.verification import verify
from hypar_opt.verification.verdict import CheckOutcome


def exact_instance(seed, **sizes):
    """Return a random instance of two kinds, one in each half of the array, whose share may be any number."""
    whole = random_mixed_document(seed, **sizes)
    whole["cost"]["shares"], array = "exact", whole["array"]
    first, *_, last = array["accelerators"]
    for one in (first, last):
        del one["groups"]
        one["count"] = 2 ** array["levels"] // 2
    array["accelerators"] = [first, last]
    return instance_of(whole)


def check(seed, **sizes):
    instance = exact_instance(seed, **sizes)
    work, setting, rules = judged(instance)
    best, found = best_exact_plan(work, setting, rules), solve(instance)
    if best is None:
        assert (found.status, found.strategies) == (Status.INFEASIBLE, None)
        return
    assert float(found.objective) == pytest.approx(best.seconds, rel=1e-9)
    assert found.proven, found.native_status
    assert step_time(work, found.strategies, found.shares, setting) == found.objective == found.bound


@each("seed", range(1, 19), quick=3)
def test_one_level(seed):
    check(seed)


@pytest.mark.slow
@each("seed", range(100, 110))
def test_two_levels(seed):
    check(seed, most_levels=2, most_layers=2)


def machines(*kinds, batch=64, **cost):
    """Return a problem on one accelerator of each of two kinds: operations and bytes a second."""
    each_kind = [kind(name, 1, *rates) for name, rates in zip("ab", kinds, strict=True)]
    return problem_of(instance_of(tiny(kinds=each_kind, levels=1, batch=batch, **({"shares": "exact"} | cost))))


def test_where_nothing_moves_shares_are_as_rates():
    """Sums take both the same time: the batch is dealt out as 420 : 180."""
    plan = solve(machines((420e12, 2e9), (180e12, 2e9), choices=["dp"]))
    assert (plan.status, plan.shares) == (Status.OPTIMAL, {"root": Fraction(7, 10)})


def test_a_share_may_be_a_root_at_which_both_take_the_same():
    """Where one reads more slowly, what is read of tensors that are cut along another dimension counts as a(1 - a)."""
    problem = machines((30e9, 2e9), (10e9, 1e9), choices=["dp", "mp"], fix={"fc1": "d", "fc2": "m"})
    plan = solve(problem)
    share = plan.shares["root"]
    assert isinstance(share, Surd)
    assert (plan.status, plan.objective) == (Status.OPTIMAL, plan.bound)
    (row,) = waits(problem.work, plan.strategies, plan.shares, problem.judged_by)
    assert row[0] == row[1] == plan.objective


def test_a_share_runs_to_its_end_which_is_said():
    """The second machine is so slow that the less it has the better; sums are to be read whatever it has."""
    plan = solve(machines((1e9, 1e4), (10, 1e4), choices=["dp", "mp", "op"]))
    assert (plan.status, plan.shares) == (Status.OPTIMAL, {"root": Fraction(63, 64)})
    assert "at an end of what it may be, 1/64 to 63/64" in plan.note


def test_two_samples_are_halved():
    """What a share may be is then a single number."""
    plans = [solve(machines((7e9, 3e9), (2e9, 1e9), batch=2, shares=shares)) for shares in ("exact", "equal")]
    assert [plan.shares for plan in plans] == [{"root": Fraction(1, 2)}] * 2
    assert [plan.objective for plan in plans] == [plans[0].bound, plans[0].objective]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("barrier", ["level", "step", "layer"])
def test_no_whole_share_is_better(barrier):
    of = {"choices": ["dp", "mp", "op"], "barrier": barrier}
    plans = [solve(machines((7e9, 3e9), (2e9, 1e9), shares=shares, **of)) for shares in ("exact", {"parts": 64})]
    assert all(plan.proven for plan in plans)
    assert plans[0].objective <= plans[1].objective


@pytest.mark.parametrize("seed", [96, pytest.param(45, marks=pytest.mark.slow)])
def test_a_front_that_leaves_plans_out_is_noticed(seed, monkeypatch, tmp_path):
    """The proof rests on the front: boxes are closed without its plans that hold better ones, which verify finds."""
    instance = exact_instance(seed)
    monkeypatch.setattr(BoxSums, "front", lambda self, *_: [])
    broken = solve(instance)
    broken.save(tmp_path / "plan.json")
    monkeypatch.undo()
    assert (broken.status, solve(instance).objective < broken.objective) == (Status.OPTIMAL, True)
    assert verify(instance, tmp_path / "plan.json").outcome is CheckOutcome.REFUTED
