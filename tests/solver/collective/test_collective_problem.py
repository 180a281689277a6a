"""Collectives as problems: plans there and back, claims that there is none, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import Plan, load, solve, verify
from hypar_opt.costgraph.collective import read_moves
from hypar_opt.solver.collective_problem import CollectiveProblem, CollectiveTask
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.collectives import collective_of

LINK = {"bandwidth": 3, "latency": 1}


@pytest.mark.parametrize("goal", ["steps", "time"])
@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter", "all-reduce"])
def test_plans_are_choices_again(goal, collective, tmp_path):
    instance = collective_of("bigraph", collective, accelerators=4, objective=goal, link=LINK, bytes=7)
    problem = CollectiveProblem(instance)
    plan = solve(problem, "multitree")
    task = CollectiveTask(problem)
    choices = problem.choices(plan.strategies)
    assert task.decode(choices)[0] == plan.strategies
    assert task.feasible(choices)
    assert Fraction(task.value(choices), task.unit) == plan.objective
    plan.save(tmp_path / "plan.json")
    read = Plan.load(tmp_path / "plan.json")
    assert (read.strategies, read.objective, read.costs["time"]) == (
        plan.strategies,
        plan.objective,
        plan.costs["time"],
    )
    assert len(read.to_frame()) == read.statistics["sends"]
    assert verify(instance, plan, time_limit=1).outcome is not CheckOutcome.REFUTED


def test_a_plan_is_recounted_once_and_another_anew():
    problem = CollectiveProblem(load("ring-4"))
    sends = dict(solve(problem, "multitree").strategies)
    first = problem.judged(sends)
    assert problem.judged(dict(sends)) is first
    assert first.fault is None
    sends[next(iter(sends))] = ""  # the same mapping, changed
    assert problem.judged(sends).fault is not None


def test_choices_that_break_off_are_no_schedule():
    task = CollectiveTask(CollectiveProblem(load("ring-4")))
    for choices in ((0,), (0, 2, 0, 1, 2, 0, 1), (0, 0, 0, 1, 9, 0, 1), (0, 0, 0, 1, 2, 0, 2), (99, 0, 0, 1, 2, 0, 1)):
        assert not task.feasible(choices)
    with pytest.raises(ValueError, match="break off"):
        read_moves((0,))


def test_that_there_is_none_in_so_few_steps_is_confirmed_by_the_way():
    instance = replace(load("dgx-1"), steps=1)
    plan = solve(instance)
    assert plan.note == "the way from g0 to g5 takes 2 steps, and there may be 1; what would help: steps: 2"
    verdict = verify(instance, plan)
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert "takes 2, more than 1 steps" in str([check.text for check in verdict.checks])


@pytest.mark.parametrize(
    ("topology", "shape"), [("mesh", {"dims": [3, 3]}), ("ring", {"accelerators": 4}), ("mesh", {"dims": [4]})]
)
def test_all_reduces_are_confirmed(topology, shape):
    instance = collective_of(topology, "all-reduce", **shape)
    verdict = verify(instance, solve(instance))
    assert verdict.outcome is CheckOutcome.CONFIRMED, verdict.checks[-1].text


def test_lockstep_time_is_steps_times_latency_and_transfer():
    instance = collective_of("torus", dims=[3, 3], link=LINK, bytes=81)
    plan = solve(instance, "multitree")
    assert plan.costs["time"] == plan.objective * (1 + Fraction(9, 3))


def test_times_are_no_less_than_the_bound_and_no_more_than_lockstep():
    steps = collective_of("mesh", dims=[3, 3], link=LINK, bytes=81)
    timed = replace(steps, goal="time")
    found, lockstep = solve(timed, "multitree"), solve(steps, "multitree")
    assert found.bound <= found.objective <= lockstep.costs["time"]


def test_a_start_has_to_be_a_schedule():
    with pytest.raises(InputError, match="nothing of it"):
        CollectiveProblem(load("ring-4")).choices({})


def test_a_collective_has_neither_a_front_nor_tables():
    problem = CollectiveProblem(load("ring-4"))
    with pytest.raises(InputError, match="got a collective"):
        problem.front(("time", "energy"))
    with pytest.raises(Refusal, match="sends and no strategies"):
        _ = problem.sizing_graph
