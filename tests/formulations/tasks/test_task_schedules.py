"""Each constraint of tasks alone, known optima, and what searches decline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulations.tasks.alike import alike
from formulations.tasks.brute import FORMULATION as BRUTE
from formulations.tasks.cp_sat import FORMULATION as CP_SAT
from formulations.tasks.list_schedule import listed
from formulations.tasks.lists import BY_FIRST, BY_RATIO, BY_SHORT, BY_TAIL, BY_WORK
from formulations.tasks.milp import FORMULATION as MILP
from formulations.tasks.milp import step_of
from formulations.tasks.periods import schedule_of_period
from hypar_opt.cost.tasks import compile_tasks
from hypar_opt.costgraph.tasks import NOT_DONE, Precedence, TaskNode, TimedGraph, is_task_schedule, value_of_begins
from hypar_opt.costgraph.tasks.bounds import lower_bound
from hypar_opt.costgraph.tasks.replay import peak
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from tests.task_graphs import task_graph_of

RUN = Run("a test", Limits(workers=1))
KEEPS = {"memories": {"m": 2}}


def graph_of(*tasks, **fields):
    return compile_tasks(task_graph_of(*tasks, **fields))


CASES = {
    "a task alone": (({"seconds": 3},), {}, 3),
    "two at a time": (({}, {}), {}, 1),
    "one after the other": (({}, {"after": ["k1"]}), {}, 2),
    "a lag": (({}, {"after": [{"task": "k1", "lag": 2}]}), {}, 4),
    "a release": (({"release": 4},), {}, 5),
    "one unit": (({"on": ["core"]}, {"on": ["core"]}, {"on": ["core"]}), {"resources": {"core": 1}}, 3),
    "two units": (({"on": ["core"]}, {"on": ["core"]}, {"on": ["core"]}), {"resources": {"core": 2}}, 2),
    "wide tasks": (({"on": {"core": 2}}, {"on": {"core": 2}}), {"resources": {"core": 3}}, 2),
    "no time, no unit": (({"on": ["core"]}, {"on": ["core"], "seconds": 0}), {"resources": {"core": 1}}, 1),
    "a memory": (
        ({"keeps": [{"memory": "m", "amount": 2}]}, {"keeps": [{"memory": "m", "amount": 1}]}),
        KEEPS,
        2,
    ),
    "kept until another ends": (
        (
            {"keeps": [{"memory": "m", "amount": 2, "until": "k2"}]},
            {"after": ["k1"], "seconds": 3},
            {"keeps": [{"memory": "m", "amount": 1}], "seconds": 2},
        ),
        KEEPS,
        6,
    ),
    "the shorter of a group": (({"group": "g", "seconds": 3}, {"group": "g"}), {}, 1),
    "who waits for one of a group": (({"group": "g", "seconds": 3}, {"group": "g"}, {"after": ["k1"]}), {}, 1),
    "fractions": (({"seconds": "1/3"}, {"seconds": "1/4", "after": ["k1"]}), {}, 7),
}


@pytest.mark.parametrize("name", CASES)
def test_known_optima_are_found_by_all(name):
    tasks, fields, value = CASES[name]
    graph = graph_of(*tasks, **fields)
    for one in (CP_SAT, MILP, BRUTE):
        solution = one.solve(graph, RUN)
        assert (solution.status, value_of_begins(graph, solution.choices), solution.bound) == (
            Status.OPTIMAL,
            value,
            value,
        )


def test_what_takes_no_time_may_give_up_what_is_kept_at_the_moment_at_which_another_begins():
    tasks = (
        {"keeps": [{"memory": "m", "amount": 2, "until": "k3"}]},
        {"seconds": 0, "after": ["k1"], "keeps": [{"memory": "m", "amount": 2, "until": "k4"}]},
        {"seconds": 0, "after": ["k2"]},
        {"after": ["k3"]},
    )
    graph = graph_of(*tasks, **KEEPS)
    for formulation in (CP_SAT, MILP, BRUTE):
        found = formulation.solve(graph, RUN)
        assert (formulation.name, found.status, found.choices) == (formulation.name, Status.OPTIMAL, (0, 1, 1, 1))


def test_weighted_ends_are_least_in_the_order_of_smith():
    tasks = [{"seconds": 3, "weight": 1}, {"seconds": 1, "weight": 2}, {"seconds": 2, "weight": 3}]
    graph = graph_of(*({**one, "on": ["core"]} for one in tasks), resources={"core": 1}, objective="completion-times")
    assert lower_bound(graph).value == 2 * 1 + 3 * 3 + 6
    solution = BY_RATIO.solve(graph, RUN)
    assert (solution.status, value_of_begins(graph, solution.choices)) == (Status.OPTIMAL, 17)
    assert value_of_begins(graph, BY_FIRST.solve(graph, RUN).choices) > 17


def test_rules_put_different_tasks_first():
    tasks = ({"seconds": 2, "weight": 1}, {"seconds": 3, "weight": 1}, {"seconds": 1}, {"seconds": 4, "after": ["k3"]})
    graph = graph_of(*({**one, "on": ["core"]} for one in tasks), resources={"core": 1})
    first = {}
    for one in (BY_FIRST, BY_RATIO, BY_SHORT, BY_TAIL, BY_WORK):
        begins = listed(graph, list(one.rule.keys(graph)), (True,) * 4, lambda: None)
        first[one.name] = begins.index(0)
    assert first == {
        "task-list-first": 0, "task-list-ratio": 0, "task-list-short": 2, "task-list-tail": 2, "task-list-work": 1
    }  # fmt: skip


def test_a_list_that_runs_out_of_memory_says_so_and_the_search_does_not():
    graph = graph_of(
        {"keeps": [{"memory": "m", "amount": 1, "until": "k3"}]},
        {"keeps": [{"memory": "m", "amount": 1, "until": "k4"}]},
        {"after": ["k1"], "keeps": [{"memory": "m", "amount": 1}]},
        {"after": ["k2"], "keeps": [{"memory": "m", "amount": 1}]},
        **KEEPS,
    )
    solution = BY_FIRST.solve(graph, RUN)
    assert (solution.status, "a memory is full" in solution.native_status) == (Status.NO_SOLUTION, True)
    assert value_of_begins(graph, CP_SAT.solve(graph, RUN).choices) == 4


def test_a_loop_has_the_period_of_its_longest_circle_and_units_are_pipelined():
    loop = graph_of({"seconds": 2, "after": [{"task": "k2", "distance": 2}]}, {"after": ["k1"]}, objective="period")
    assert (lower_bound(loop).value, CP_SAT.solve(loop, RUN).choices[-1]) == (2, 2)
    stages = graph_of(
        {"seconds": 2, "on": ["a"]}, {"seconds": 3, "on": ["b"], "after": ["k1"]}, {"on": ["a"], "after": ["k2"]},
        resources={"a": 1, "b": 1}, objective="period",
    )  # fmt: skip
    assert CP_SAT.solve(stages, RUN).choices[-1] == 3
    assert schedule_of_period(stages, 2, RUN) == ("INFEASIBLE", None)
    long = graph_of({"seconds": 5, "on": ["a"]}, resources={"a": 2}, objective="period")
    assert CP_SAT.solve(long, RUN).choices == (0, 3)


def test_what_a_memory_has_to_keep_is_a_bound():
    keeps = {"keeps": [{"memory": "m", "amount": 2, "until": "k2"}], "seconds": 2}
    loop = graph_of(keeps, {"after": ["k1"], "seconds": 3}, memories={"m": 3}, objective="period")
    assert lower_bound(loop) == (5, "resource")
    twice = [{"keeps": [{"memory": "m", "amount": 1}], "seconds": 3} for _ in range(3)]
    assert lower_bound(graph_of(*twice, memories={"m": 1})).value == 9
    assert lower_bound(graph_of(*twice, memories={"m": None})).value == 3


@pytest.mark.parametrize(("room", "period"), [(1, 3), (2, 2), (3, 1)])
def test_what_is_kept_longer_than_a_period_is_there_several_times(room, period):
    graph = graph_of(
        {"keeps": [{"memory": "m", "amount": 1, "until": "k2"}]},
        {"seconds": 2, "after": ["k1"]},
        memories={"m": room},
        objective="period",
    )
    assert CP_SAT.solve(graph, RUN).choices == (0, 1, period)


def test_alike_tasks_are_told_and_others_are_not():
    same = {"on": ["core"], "after": ["k1"]}
    graph = graph_of({}, same, same, {**same, "weight": 1}, {"after": ["k2"]}, same, resources={"core": 1})
    assert list(alike(graph)) == [(2, 5)]  # k2 is waited for by k5
    kept = {"keeps": [{"memory": "m", "amount": 1, "until": "k2"}]}
    assert list(alike(graph_of(kept, {}, {}, kept, **KEEPS))) == [(0, 3)]


def test_what_is_too_large_is_declined_with_what_to_try():
    def many(count, **fields):
        return TimedGraph(tuple(TaskNode(1) for _ in range(count)), **fields)

    assert "at most 20,000 are searched; try task-list-tail" in CP_SAT.accepts(many(20_001), RUN)
    assert "too many digits" in CP_SAT.accepts(replace(many(1), tasks=(TaskNode(2**53),)), RUN)
    assert "searches no periods; try task-cp-sat" in MILP.accepts(many(1, goal="period"), RUN)
    assert "tasks times moments" in MILP.accepts(replace(many(2), waits=(Precedence(0, 1, 10**6 + 1),)), RUN)
    assert "at most 9 are tried" in BRUTE.accepts(many(10), RUN)
    assert step_of(replace(many(2), tasks=(TaskNode(4), TaskNode(6, release=10)))) == 2


def test_a_plan_that_is_known_is_begun_with_and_a_limit_leaves_the_best():
    graph = graph_of(*({"on": ["core"], "weight": 1} for _ in range(4)), resources={"core": 1})
    solution = CP_SAT.solve(graph, Run("a test", Limits(workers=1).within(0), start=(3, 2, 1, 0)))
    assert value_of_begins(graph, solution.choices) == 4
    tight = graph_of({"on": {"core": 2}}, {"on": ["core"]}, {"on": ["core"]}, resources={"core": 2}, objective="period")
    assert CP_SAT.solve(tight, RUN).choices[-1] == 2


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 3)), max_size=5),
    st.integers(1, 7),
)
def test_peaks_are_those_of_every_moment(spans, period):
    spans = [(begin, begin + length, amount) for begin, length, amount in spans]
    there = [sum(amount for begin, end, amount in spans if begin <= one < end) for one in range(20)]
    assert peak(spans, None) == max(there)
    around = [sum(there[one] for one in range(moment, 20, period)) for moment in range(period)]
    assert peak(spans, period) == max(around)


@pytest.mark.parametrize(
    "choices",
    [
        (0, 1, NOT_DONE, 0), (0, 0, 0, NOT_DONE), (0, 1, 3, 3), (0, 1, NOT_DONE, NOT_DONE), (0, 1, 3), (0, 2, 2, -1),
        (NOT_DONE, 1, 3, NOT_DONE),
    ],
)  # fmt: skip
def test_what_is_no_schedule_is_told(choices):
    graph = graph_of(
        {"on": ["core"]}, {"on": ["core"], "after": ["k1"], "release": 1}, {"group": "g", "on": ["core"]},
        {"group": "g", "after": ["k2"], "release": 1}, resources={"core": 1},
    )  # fmt: skip
    assert is_task_schedule(graph, (0, 1, 2, NOT_DONE))
    assert is_task_schedule(graph, (0, 1, NOT_DONE, 2))
    assert not is_task_schedule(graph, choices)
