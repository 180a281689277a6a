"""Task graphs are solved, and claims about their schedules are judged."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import load, solve, verify
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.task_problem import TaskProblem
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.verdict import CheckOutcome
from tests.task_graphs import task_graph_of

BUFFER = {
    "resources": {"core": 1, "link": 1},
    "memories": {"buffer": 3},
    "objective": "period",
}
LOOP = (
    {"seconds": 2, "on": ["link"], "keeps": [{"memory": "buffer", "amount": 2, "until": "k2"}]},
    {"seconds": "5/2", "on": ["core"], "after": ["k1"]},
    {"on": ["link"], "after": ["k2"]},
)


@pytest.fixture(scope="module")
def six() -> Plan:
    return solve("six-tasks", "task-brute-force")


def test_the_shipped_graph_takes_what_its_file_says(six, tmp_path):
    assert (six.status, six.objective, six.bound) == (Status.OPTIMAL, 8, 8)
    unlimited = replace(load("six-tasks"), memories={"registers": None})
    assert solve(unlimited, "task-brute-force").objective == Fraction(15, 2)
    assert solve("six-tasks", "task-list-first").objective == 9
    six.save(tmp_path / "plan.json")
    read = Plan.load(tmp_path / "plan.json")
    assert (read.strategies, read.decided) == (six.strategies, "begins")
    assert list(read.to_frame().columns) == ["task", "begin"]


def test_a_list_that_meets_a_bound_is_optimal_without_a_search():
    plan = solve(task_graph_of({}, {"after": ["k1"]}), "task-list-tail")
    assert (plan.status, plan.native_status) == (
        Status.OPTIMAL,
        "list-tail; bound: the longest way of tasks that wait for each other",
    )


def test_a_period_is_the_least_multiple_of_the_unit_and_says_so():
    plan = solve(task_graph_of(*LOOP, **BUFFER))
    assert (plan.status, plan.objective, plan.strategies["period"]) == (Status.OPTIMAL, Fraction(9, 2), "9/2")
    assert plan.note == "of periods that are whole multiples of 1/2 s, the unit of all times"
    assert max(Fraction(plan.strategies[f"k{number}"]) for number in (1, 2, 3)) < 9  # none turns are waited for


def test_a_period_between_multiples_is_no_claim():
    instance = task_graph_of(*LOOP, **BUFFER)
    plan = solve(instance)
    assert verify(instance, plan).outcome is CheckOutcome.CONFIRMED
    alone = task_graph_of({"seconds": 2, "on": ["core"]}, resources={"core": 1}, objective="period")
    between = replace(solve(alone), strategies={"k1": "0", "period": "9/4"}, objective=Fraction(9, 4))
    wrong = next(one for one in verify(alone, between).checks if one.outcome is CheckOutcome.REFUTED)
    assert (wrong.name, "whole multiples of 1 s, got 9/4" in wrong.text) == ("period", True)
    later = replace(solve(alone), strategies={"k1": "1/2", "period": "2"})  # begins may be between them
    assert verify(alone, later).outcome is CheckOutcome.CONFIRMED


@pytest.mark.parametrize(
    ("strategies", "fields", "check"),
    [
        ({"m1": "-1"}, {}, "plan"),
        ({"m1": "1"}, {}, "schedule"),
        ({"a2": "7"}, {}, "schedule"),
        ({"a2": "9"}, {}, "time"),
        ({}, {"objective": Fraction(7)}, "objective"),
        ({}, {"bound": Fraction(7)}, "bound"),
    ],
)
def test_claims_that_are_not_true_are_refuted(six, strategies, fields, check):
    claim = replace(six, strategies={**six.strategies, **strategies}, **fields)
    verdict = verify("six-tasks", claim)
    assert verdict.outcome is CheckOutcome.REFUTED
    assert verdict.checks[-1].name == check


def test_a_schedule_that_is_not_optimal_is_refuted_by_a_better_one():
    late = solve("six-tasks", "task-list-first")
    verdict = verify("six-tasks", replace(late, status=Status.OPTIMAL, bound=late.objective))
    assert (verdict.outcome, verdict.checks[-1].name) == (CheckOutcome.REFUTED, "optimality")


@pytest.mark.parametrize(
    ("tasks", "limits", "why"),
    [
        (
            ({"keeps": [{"memory": "m", "amount": 5}]}, {}),
            {"m": 3},
            "the memory 'm' holds 3, and 'k1' alone keeps 5 in it; what would help: memories.m: 5",
        ),
        (
            (
                {"keeps": [{"memory": "m", "amount": 2, "until": "k3"}]},
                {"after": ["k1"], "keeps": [{"memory": "m", "amount": 2, "until": "k3"}]},
                {"after": ["k2"]},
            ),
            {"m": 3, "other": 0},
            "in the memory 'm' of 3 there is not enough room at one time for what waits for others to end; what would "
            "help: memories.m: 4",
        ),
        (
            tuple({"keeps": [{"memory": memory, "amount": 2}]} for memory in ("m", "n")),
            {"m": 1, "n": 1},
            "what would help: memories.m: 2, and more of the others",
        ),
        (
            tuple({"group": "g", "keeps": [{"memory": "m", "amount": amount}]} for amount in (9, 4)),
            {"m": 1},
            "'k2' alone keeps 4 in it; what would help: memories.m: 4",
        ),
    ],
)  # fmt: skip
def test_memories_that_are_too_small_are_named_with_what_would_help(tasks, limits, why):
    plan = solve(task_graph_of(*tasks, memories=limits), "task-brute-force")
    assert plan.status is Status.INFEASIBLE
    assert why in plan.note


def test_there_is_no_schedule_is_judged_by_hand_where_one_task_alone_does_not_fit():
    graph = task_graph_of({"keeps": [{"memory": "m", "amount": 5}]}, memories={"m": 3}, objective="period")
    verdict = verify(graph, solve(graph))
    assert verdict.outcome is CheckOutcome.CONFIRMED
    assert "k1 alone keeps 5 in the memory m, which holds 3" in verdict.checks[-1].text


def test_formulations_of_other_problems_decline_and_these_decline_others():
    with pytest.raises(Refusal, match="task-list-tail decides when the tasks of a task graph begin, and this is none"):
        solve("lenet-c", "task-list-tail")
    with pytest.raises(Refusal):
        solve("six-tasks", "joint-dp")
    problem = TaskProblem(load("six-tasks"))
    with pytest.raises(Refusal, match="task-cp-sat"):
        problem.task("ring", "sends", None, None)


def test_a_start_is_read_and_what_is_none_is_told(six):
    problem = TaskProblem(load("six-tasks"))
    assert problem.choices(six.strategies)[:2] == (0, int(2 * Fraction(six.strategies["m2"])))
    with pytest.raises(InputError, match="too early"):
        problem.choices({**six.strategies, "a1": "0"})
    with pytest.raises(InputError, match="whole multiples of 1/2 s, got 25/3"):
        problem.choices({**six.strategies, "a2": "25/3"})
