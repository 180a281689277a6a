"""Replays of task graphs: what the evaluator takes for a schedule is reproduced exactly, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_task_graphs import scheduled

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.formulation.registry import found, load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph, read_task_schedule
from hypar_opt.solver.task_problem import BeginsTask, TaskProblem
from hypar_opt.studies.simulation import SimulationStopped
from hypar_opt.studies.simulation.replay import Stuck, plays, replay_schedule, running
from hypar_opt.util.errors import Refusal
from tests.helpers import each
from tests.task_graphs import drawn_task_graph, task_graph_of

SEEN = {"release", "precedence", "resource", "memory"}
"""Kinds of faults that show when a schedule is done; the others are of what there is to be done."""


def is_kept(instance, schedule):
    try:
        return replay_schedule(instance, schedule).is_kept
    except Stuck:
        return False


def check(instance, schedule):
    """Check that a replay says of a schedule what the evaluator says, and reproduces what it comes to."""
    judged = JudgedTasks(instance, schedule)
    kinds = {fault.kind for fault in judged.faults()}
    assert is_kept(instance, schedule) == (not kinds) or not kinds <= SEEN
    if kinds:
        return
    planned, early = (replay_schedule(instance, schedule, mode) for mode in ("planned", "earliest"))
    assert planned.begin_seconds() == judged.begins
    assert planned.earlier == () == early.later
    assert early.overdrawn is None
    if instance.goal == "period":
        assert planned.period_ends == tuple(judged.makespan + k * judged.period for k in range(planned.score.periods))
        return
    assert (planned.makespan, planned.completion_times) == (judged.makespan, judged.completion_times)
    assert JudgedTasks(instance, TaskSchedule({**schedule.begins, **early.begin_seconds()})).fault is None
    assert early.makespan <= judged.makespan and early.completion_times <= judged.completion_times


@settings(max_examples=16)
@given(st.one_of(scheduled(), scheduled("period")))
def test_the_simulator_reproduces_every_schedule_exactly(case):
    check(*case)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.one_of(scheduled(), scheduled("period")))
def test_the_simulator_reproduces_many_schedules_exactly(case):
    check(*case)


def found_schedules(seed, names):
    """Yield schedules that formulations find of a drawn graph."""
    objective = ("makespan", "completion-times", "period")[seed % 3]
    problem = TaskProblem(read_task_graph(drawn_task_graph(seed, objective)))
    for name in names:
        one, run = load_formulation(name), Run("a test", Limits(workers=1))
        if one.accepts(problem.graph, run) is None:
            choices = one.solve(problem.graph, run).choices
            if choices is not None:
                yield problem.instance, BeginsTask(problem).schedule(choices)


@each("seed", range(100), quick=4)
def test_what_lists_find_is_reproduced(seed):
    for instance, schedule in found_schedules(seed, sorted(name for name in found() if name.startswith("task-list-"))):
        assert is_kept(instance, schedule)
        check(instance, schedule)


@each("seed", range(12), quick=0)
def test_what_is_proven_to_be_best_is_reproduced(seed):
    for instance, schedule in found_schedules(seed, ["task-cp-sat"]):
        assert is_kept(instance, schedule)
        check(instance, schedule)


def test_fractions_of_seconds():
    instance = task_graph_of({"seconds": "1/3"}, {"seconds": "1/7", "after": [{"task": "k1", "lag": "1/2"}]})
    played = replay_schedule(instance, TaskSchedule({"k1": Fraction(1, 5), "k2": Fraction(2)}))
    assert (played.makespan, played.score.unit) == (Fraction(15, 7), 210)
    early = replay_schedule(instance, TaskSchedule({"k1": Fraction(1, 5), "k2": Fraction(2)}), "earliest")
    assert early.begin_seconds() == {"k1": 0, "k2": Fraction(5, 6)}
    assert (early.earlier, early.later, early.is_kept) == ((0, 1), (), True)


TWO = {"resources": {"core": 2}}


def plan(**begins):
    return TaskSchedule({name: None if begin is None else Fraction(begin) for name, begin in begins.items()})


def test_the_order_is_kept_where_units_are_taken():
    # k2 takes both units and is first by the schedule, so that k1, which could go at once, goes after it
    instance = task_graph_of({"on": ["core"]}, {"on": {"core": 2}, "release": 1}, **TWO)
    early = replay_schedule(instance, plan(k1=3, k2=2), "earliest")
    assert early.begin_seconds() == {"k1": 2, "k2": 1}
    # what begins at the same time by the schedule is in no order
    assert replay_schedule(instance, plan(k1=0, k2=1), "earliest").begin_seconds() == {"k1": 0, "k2": 1}


def test_the_order_is_kept_where_memory_is_taken():
    kept = {"keeps": [{"memory": "hbm", "amount": 3}]}
    instance = task_graph_of(kept, {**kept, "release": 1}, memories={"hbm": 3})
    assert replay_schedule(instance, plan(k1=4, k2=2), "earliest").begin_seconds() == {"k1": 2, "k2": 1}


def test_one_that_keeps_its_order_already_is_reproduced_by_both():
    instance = task_graph_of({"on": ["core"]}, {"on": ["core"]}, {"on": {"core": 2}, "after": ["k1"]}, **TWO)
    played = replay_schedule(instance, plan(k1=0, k2=0, k3=1), "earliest")
    assert (played.earlier, played.later, played.makespan) == ((), (), 2)


def test_what_is_not_done_is_waited_for_by_nobody_and_keeps_nothing():
    group = {"group": "g"}
    keeps = [{"memory": "hbm", "amount": 2, "until": "k2"}]
    instance = task_graph_of({**group, "keeps": keeps}, {**group, "seconds": 9}, {"after": ["k2"]}, memories={"hbm": 2})
    played = replay_schedule(instance, plan(k1=0, k2=None, k3=0))
    assert (played.begin_seconds(), played.makespan) == ({"k1": 0, "k3": 0}, 1)


def test_what_is_kept_for_another_is_there_until_that_ends():
    kept = {"keeps": [{"memory": "hbm", "amount": 2, "until": "k2"}]}
    instance = task_graph_of(
        kept, {"seconds": 2, "after": ["k1"]}, {"keeps": [{"memory": "hbm", "amount": 1}]}, memories={"hbm": 2}
    )
    assert is_kept(instance, plan(k1=0, k2=1, k3=3))
    late = replay_schedule(instance, plan(k1=0, k2=1, k3=2))
    assert (late.later, late.begin_seconds()["k3"], late.is_kept) == ((2,), 3, False)


def test_what_takes_no_time_may_keep_what_only_it_lets_others_give_up():
    # k1 keeps all of the memory until k3 ends, which waits for k2, which takes its place at that very time
    room = {"memory": "hbm", "amount": 2, "until": "k3"}
    instance = task_graph_of(
        {"keeps": [room]},
        {"seconds": 0, "after": ["k1"], "keeps": [{**room, "until": "k4"}]},
        {"seconds": 0, "after": ["k2"]},
        {"after": ["k3"]},
        memories={"hbm": 2},
    )
    assert JudgedTasks(instance, plan(k1=0, k2=1, k3=1, k4=1)).fault is None
    assert is_kept(instance, plan(k1=0, k2=1, k3=1, k4=1))
    over = replay_schedule(instance, plan(k1=0, k2=1, k3=2, k4=2))
    assert (over.later, over.is_kept) == ((), False)
    assert over.score.seconds(over.overdrawn[0]) == 1


def test_periods_go_on_at_once():
    # three seconds every two: two of them at any time
    instance = task_graph_of(
        {"seconds": 3, "on": ["core"], "after": [{"task": "k1", "distance": 2}]}, objective="period", **TWO
    )
    schedule = read_task_schedule(instance, {"k1": "0", "period": "2"})
    played = replay_schedule(instance, schedule)
    assert played.period_ends == tuple(3 + 2 * k for k in range(played.score.periods))
    assert replay_schedule(instance, schedule, periods=7).score.periods == 7
    # as early as can be it is not slower, and waits for what was two periods before
    early = replay_schedule(instance, schedule, "earliest", periods=4)
    assert [early.score.seconds(begin) for begin in early.begins] == [0, 2, 4, 6]
    assert not is_kept(instance, read_task_schedule(instance, {"k1": "0", "period": "1"}))


def test_what_waits_for_each_other_is_told():
    instance = task_graph_of(
        {"on": {"core": 2}, "release": 2}, {"on": ["core"]}, {"after": ["k1"], "on": ["core"]}, **TWO
    )
    broken = replace(instance, resources={"core": 1})
    with pytest.raises(Stuck, match="plan: the replay cannot go on at 3 s: 2 tasks wait: 'k1' for room; 'k3' for 'k1'"):
        replay_schedule(broken, plan(k1=2, k2=0, k3=3))
    circle = task_graph_of({"on": ["core"]}, {"on": ["core"]}, {"on": ["core"], "after": ["k1"]}, **TWO)
    with pytest.raises(Stuck, match="3 tasks wait: 'k1' for its turn"):
        replay_schedule(circle, plan(k1=2, k2=1, k3=0), "earliest")


def test_it_stops_when_it_is_told_and_refuses_what_is_too_much(monkeypatch):
    instance = task_graph_of({})
    with pytest.raises(SimulationStopped, match="stopped after 0 of 1 tasks of the schedule"):
        replay_schedule(instance, plan(k1=0), limits=Limits(deadline=0))
    monkeypatch.setattr(plays, "MOST", 0)
    with pytest.raises(Refusal, match="there are 1 tasks, and at most 0 are replayed"):
        replay_schedule(instance, plan(k1=0))


@pytest.mark.parametrize("without", ["takes", "keeps", "waits", "release"])
def test_a_replay_without_one_of_its_rules_is_noticed(without, monkeypatch):
    wrong = {
        "takes": (task_graph_of({"on": ["core"]}, {"on": {"core": 2}}, **TWO), plan(k1=0, k2=0)),
        "keeps": (task_graph_of({"keeps": [{"memory": "hbm", "amount": 2}]}, memories={"hbm": 1}), plan(k1=0)),
        "waits": (task_graph_of({}, {"after": ["k1"]}), plan(k1=0, k2=0)),
        "release": (task_graph_of({"release": 1}), plan(k1=0)),
    }
    assert not is_kept(*wrong[without])
    known = running.RunningReplay.__init__
    nothing = 0 if without == "release" else ()

    def careless(self, score, *, as_planned):
        plays = tuple(replace(play, **{without: nothing}) for play in score.plays)
        known(self, replace(score, plays=plays), as_planned=as_planned)

    monkeypatch.setattr(running.RunningReplay, "__init__", careless)
    assert is_kept(*wrong[without])
