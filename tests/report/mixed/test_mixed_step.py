"""What classes do in a step: it adds up, whoever waits waits for somebody, and 80 columns are enough."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from helpers import each, linear_chain
from mixed_machines import random_array, random_shares, random_words, setting_of
from mixed_plans import named
from rich.console import Console

from hypar_opt.evaluation.mixed import step_time
from hypar_opt.instance.barriers import BARRIERS
from hypar_opt.instance.network import Network, workload
from hypar_opt.report.mixed.array import array_lines, copies, half_kinds, mixed_array_document, show_mixed_array
from hypar_opt.report.mixed.classes import class_rows, classes_document, wait_rows
from hypar_opt.report.mixed.plan import headline, show_mixed_plan
from hypar_opt.report.mixed.step import WAIT_NAMES, MixedStep

WORK = workload(Network((4,), linear_chain(8, 12, 4)))
THREE = Fraction(3, 4)


def random_step(seed):
    rng = Random(seed)
    setting = setting_of(random_array(rng, rng.randint(1, 3)), barrier=rng.choice(sorted(BARRIERS)))
    words = random_words(rng, WORK, setting, idle=True)
    return MixedStep(WORK, setting, words, random_shares(rng, setting.array))


@each("seed", range(60), quick=6)
def test_what_classes_do_adds_up(seed):
    step = random_step(seed)
    levels, places = range(step.setting.levels), range(len(step.classes))
    assert step.time == step_time(WORK, step.strategies, step.shares, step.setting)
    assert len(step.wait_names) == len(step.waits)
    for one in places:
        assert step.computing(one) + sum(step.reading(one, h) for h in levels) == step.working(one)
        assert step.working(one) + step.waiting(one) == step.time
        assert sum(step.waits_for(one).values()) == step.waiting(one) >= 0
        assert one not in step.waits_for(one)
    for layer in range(len(WORK.layers)):
        assert sum(step.computed(layer)) == 1  # whatever is cut at whatever share, somebody computes it


@each("seed", range(40), quick=4)
def test_both_halves_of_all_copies_of_splits_are_the_array(seed):
    array = random_step(seed).array
    for split, level in enumerate(array.split_levels):
        size = sum(half_kinds(array, split, 0).values())
        assert size == sum(half_kinds(array, split, 1).values()) == array.partition.leaves // 2 ** (level + 1)
        assert half_kinds(array, split, 0) != half_kinds(array, split, 1) or size > 1
    told = mixed_array_document("a", array)
    assert sum(one["count"] for one in told["kinds"]) == sum(one["count"] for one in told["classes"])
    unlike = [sum(copies(array, at) for at, h in enumerate(array.split_levels) if h == level) for level in range(8)]
    assert all(
        may == (count == 2**level) for level, (may, count) in enumerate(zip(array.may_idle, unlike, strict=False))
    )


def test_every_barrier_has_names_for_its_waits():
    assert set(WAIT_NAMES) == set(BARRIERS)


@pytest.mark.parametrize("barrier", sorted(BARRIERS))
def test_a_plan_fits_into_80_columns(barrier):
    plan = named({"fc1": "do", "fc2": "nm"}, (THREE,), shares={"parts": 4}, barrier=barrier)
    screen = Console(width=80, markup=False, highlight=False)
    with screen.capture() as caught:
        show_mixed_plan(screen, plan.problem, plan.plan)
        show_mixed_array(screen, "tiny", plan.problem.array)
    text = caught.get()
    assert max(map(len, text.splitlines())) <= 80
    assert "root: fast x 2 gets 3/4 = 75 %, slow x 2 the rest" in text
    assert "..." not in text


def test_rows_say_who_waits_and_of_what_capacity():
    plan = named({"fc1": "dd", "fc2": "dd"}, (THREE,), shares={"parts": 4})
    rows = {row[""]: row for row in class_rows(plan.step)}
    slow = plan.step.waiting(1)
    assert (slow > 0) == (rows["for"]["slow x 2"] == "fast")
    assert rows["of capacity"]["slow x 2"] == "-"
    assert rows["of capacity"]["fast x 2"].endswith("of 1 GB")
    assert wait_rows(plan.step) == []
    told = classes_document(plan.step)
    assert [one["class"] for one in told["classes"]] == ["fast", "slow"]
    assert Fraction(told["time_s"]) == plan.step.time == plan.plan.costs["time"]


def test_what_nobody_cuts_is_said():
    plan = named({"fc1": "nd", "fc2": "nd"}, (THREE,), shares={"parts": 4})
    step = plan.step
    assert step.computed(0) == (1, 0)
    assert step.waits_for(1) == {0: step.time}
    assert "no layer is cut there, all is done by fast x 2" in headline(plan.problem, plan.plan)
    assert array_lines("tiny", plan.problem.array)[-1].endswith("at level 1")
