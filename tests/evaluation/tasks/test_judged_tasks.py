"""What is true of schedules of tasks: known answers, each rule alone, and second by second."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_task_graphs import MEMORY, RESOURCES, Simulated, scheduled

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks import judged as judging
from hypar_opt.evaluation.tasks.faults import RULES
from hypar_opt.instance.tasks import Dependence, Keep, TaskGraphInstance, TaskSchedule, TimedTask

NONE = Fraction(0)


def graph(*tasks, goal="makespan", core=1, hbm=10):
    return TaskGraphInstance("by-hand", "", tasks, {"core": core}, {"hbm": hbm}, goal)


def task(name, seconds, *after, on=1, **further):
    waits = tuple(one if isinstance(one, Dependence) else Dependence(one) for one in after)
    return TimedTask(name, Fraction(seconds), (("core", on),) if on else (), waits, **further)


def judged(instance, period=None, **begins):
    found = {name: None if begin is None else Fraction(begin) for name, begin in begins.items()}
    return JudgedTasks(instance, TaskSchedule(found, None if period is None else Fraction(period)))


TWO = graph(task("a", "1/3", weight=Fraction(2)), task("b", 2, Dependence("a", Fraction(1, 2)), weight=Fraction(1)))


def test_what_a_schedule_comes_to_is_as_by_hand():
    found = judged(TWO, a=0, b="5/6")
    assert found.fault is None
    assert found.makespan == Fraction(17, 6)
    assert found.completion_times == Fraction(2, 3) + Fraction(17, 6)
    assert found.objective == found.makespan
    assert judged(replace(TWO, goal="completion-times"), a=0, b="5/6").objective == Fraction(7, 2)
    assert found.busy("core") == Fraction(7, 3) / Fraction(17, 6)
    assert found.taken("core") == ((0, 1), (Fraction(1, 3), 0), (Fraction(5, 6), 1), (Fraction(17, 6), 0))
    assert found.period is None


@pytest.mark.parametrize(
    ("instance", "begins", "text"),
    [
        (TWO, {"a": 0}, "b is not done, and it is in no group"),
        (TWO, {"a": 0, "b": 5, "c": 1}, "there is no task 'c'"),
        (TWO, {"a": 0, "b": "1/2"}, "b begins at 0.5 s, about 0.3333333333 s too early: a ends at about 0.3333333333 s,"
         " and then a lag of 0.5 s follows"),
        (TWO, {"a": -1, "b": 5}, "a begins at -1 s, 1 s before its release at 0 s"),
        (TWO, {"a": 0, "b": 5, "period": 4}, "nothing is repeated, and the period is 4 s: expected none"),
        (graph(task("a", 1, release=Fraction(3))), {"a": 1}, "a begins at 1 s, 2 s before its release at 3 s"),
        (graph(task("a", 2), task("b", 2)), {"a": 0, "b": 1},
         "2 are taken of 'core' at 1 s, 1 more than there are: by a and b"),
        (graph(task("a", 2, on=2), task("b", 2), task("c", 3, on=2), core=4), {"a": 1, "b": 0, "c": 1},
         "5 are taken of 'core' at 1 s, 1 more than there are: by b, a and c"),
        (graph(task("a", 2, on=0, keeps=(Keep("hbm", 6, "c"),)), task("b", 1, on=0, keeps=(Keep("hbm", 5),)),
               task("c", 1, "a", on=0)), {"a": 0, "b": 2, "c": 2},
         "11 are kept in 'hbm' at 2 s, 1 more than it holds: by a and b"),
        (graph(task("a", 1, group="g"), task("b", 2, group="g")), {"a": None, "b": None},
         "group 'g': none of a and b is done, expected exactly one"),
        (graph(task("a", 1, group="g"), task("b", 2, group="g")), {"a": 0, "b": 1},
         "group 'g': a and b are done, expected exactly one"),
        (graph(task("a", 2), goal="period"), {"a": 0}, "every task is repeated, and there is no period"),
        (graph(task("a", 2), goal="period"), {"a": 0, "period": 0}, "the period is 0 s, expected more than 0 s"),
        (graph(task("a", 2), goal="period"), {"a": 0, "period": "3/2"},
         "2 are taken of 'core' at 0 s of every period of 1.5 s, 1 more than there are: by a"),
        (graph(task("a", 2, Dependence("b", Fraction(1), 2), on=0), task("b", 3, "a"), goal="period"),
         {"a": 1, "b": 3, "period": 3},
         ""),
        (graph(task("a", 2, Dependence("b", Fraction(1), 1), on=0), task("b", 3, "a"), goal="period"),
         {"a": 1, "b": 3, "period": 3},
         "a begins at 1 s, 3 s too early: b ends at 6 s, and then a lag of 1 s follows (of 1 periods of 3 s before)"),
    ],
)  # fmt: skip
def test_each_fault_says_the_task_the_moment_and_by_how_much(instance, begins, text):
    assert (judged(instance, **begins).fault or "") == text


def test_what_ends_when_another_begins_gives_its_units_and_its_memory():
    instance = graph(task("a", 2, keeps=(Keep("hbm", 10),)), task("b", 1, keeps=(Keep("hbm", 7),)))
    found = judged(instance, a=0, b=2)
    assert found.fault is None
    assert found.peak("hbm") == 10
    assert found.kept("hbm") == ((0, 10), (2, 7), (3, 0))


def test_a_task_of_no_seconds_has_nothing_and_may_be_done_within_others():
    instance = graph(task("a", 4, keeps=(Keep("hbm", 10),)), task("b", 0, keeps=(Keep("hbm", 10),)), task("c", 1, "b"))
    found = judged(instance, a=0, b=2, c=4)
    assert found.fault is None
    assert found.peak("hbm") == 10
    early = judged(replace(instance, resources={"core": 2}), a=0, b=2, c=1)
    assert early.fault == "c begins at 1 s, 1 s too early: b ends at 2 s"


def test_what_a_task_of_no_seconds_keeps_for_another_is_there_until_that_ends():
    instance = graph(task("a", 0, keeps=(Keep("hbm", 11, "b"),)), task("b", 1, "a"))
    assert judged(instance, a=1, b=3).fault == "11 are kept in 'hbm' at 1 s, 1 more than it holds: by a"


def test_what_is_kept_until_a_task_that_ended_earlier_or_is_not_done_is_kept_to_its_own_end():
    tasks = (
        task("a", 2, keeps=(Keep("hbm", 3, "b"), Keep("hbm", 4, "c"))),
        task("b", 1),
        task("c", 1, group="g"),
        task("d", 1, group="g"),
    )
    found = judged(graph(*tasks), a=1, b=0, c=None, d=3)
    assert found.fault is None
    assert found.kept("hbm") == ((0, 0), (1, 7), (3, 0))


def test_what_waits_for_a_task_that_is_not_done_waits_for_nothing():
    tasks = (task("a", 5, group="g"), task("b", 1, group="g"), task("c", 1, "a"))
    assert judged(graph(*tasks), a=None, b=1, c=0).fault is None


def test_a_task_longer_than_its_period_has_a_unit_for_each_time_that_it_is_there():
    instance = graph(task("a", 5), goal="period", core=3)
    found = judged(instance, a=1, period=2)
    assert found.fault is None
    assert found.taken("core") == ((0, 2), (1, 3))
    assert found.busy("core") == Fraction(5, 6)
    assert "3 are taken of 'core' at 1 s" in (
        judged(replace(instance, resources={"core": 2}), a=1, period=2).fault or ""
    )


def test_all_faults_are_told_rule_by_rule():
    instance = graph(task("a", 2, release=Fraction(1)), task("b", 2, "a"))
    assert [fault.kind for fault in judged(instance, a=0, b=1).faults()] == ["release", "precedence", "resource"]
    assert [fault.over for fault in judged(instance, a=0, b=1).faults()] == [1, 1, 1]
    assert [fault.task for fault in judged(instance, a=0, b=1).faults()] == ["a", "b", "b"]


def check(case):
    """Check a schedule against what is seen second by second."""
    instance, schedule = case
    found, seen = JudgedTasks(instance, schedule), Simulated(instance, schedule)
    faults = list(found.faults())
    assert (found.fault is None) == seen.is_schedule()
    assert sorted((one.task, one.over) for one in faults if one.kind == "precedence") == seen.late()
    for name, over in seen.over().items():
        own = [(one.moment, one.over) for one in faults if repr(name) in one.text]
        assert own == ([] if over is None else [over]), name
    assert found.objective == seen.objective()
    assert found.peak(MEMORY) == max(map(seen.kept, seen.moments), default=0)
    whole = seen.period or max(seen.ends.values(), default=0)
    for name in RESOURCES:
        taken = sum(seen.units(name, second) for second in seen.moments)
        assert found.busy(name) * whole * instance.resources[name] == taken


@settings(max_examples=4)
@given(st.one_of(scheduled(), scheduled("period")))
def test_schedules_are_what_they_are_second_by_second(case):
    check(case)


@pytest.mark.slow
@given(st.one_of(scheduled(), scheduled("period")))
def test_many_schedules_are_what_they_are_second_by_second(case):
    check(case)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_judge_without_one_of_its_rules_is_noticed(rule, monkeypatch):
    wrong = {
        "choice_faults": judged(TWO, a=0),
        "period_faults": judged(graph(task("a", 2), goal="period"), a=0, period=-2),
        "release_faults": judged(graph(task("a", 1, release=Fraction(3))), a=1),
        "precedence_faults": judged(TWO, a=0, b="1/2"),
        "resource_faults": judged(graph(task("a", 2), task("b", 2)), a=0, b=1),
        "memory_faults": judged(graph(task("a", 1, keeps=(Keep("hbm", 11),))), a=0),
    }
    found = wrong[rule.__name__]
    assert found.fault is not None
    monkeypatch.setattr(judging, "RULES", tuple(one for one in RULES if one is not rule))
    assert JudgedTasks(found.instance, found.schedule).fault is None
