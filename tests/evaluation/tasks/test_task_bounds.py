"""What no schedule of tasks is below: by hand, and never above the least of all schedules."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from small_task_graphs import least, task_graphs

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.evaluation.tasks.chain import chain_of
from hypar_opt.instance.tasks import Dependence, Keep, TaskGraphInstance, TaskSchedule, TimedTask


def graph(*tasks, goal="makespan", core=1, hbm=None):
    return TaskGraphInstance("by-hand", "", tasks, {"core": core}, {"hbm": hbm}, goal)


def task(name, seconds, *after, on=1, weight=0, **further):
    waits = tuple(one if isinstance(one, Dependence) else Dependence(one) for one in after)
    takes = (("core", on),) if on else ()
    return TimedTask(name, Fraction(seconds), takes, waits, weight=Fraction(weight), **further)


def best(*tasks, **further):
    found = TaskProver(graph(*tasks, **further)).best
    return found.value, found.text


def test_the_longest_way_counts_lags_and_releases():
    value, text = best(
        task("a", 2, release=Fraction(1)), task("b", 3, Dependence("a", Fraction(1, 2)), on=0), task("c", 1, "b", on=0)
    )
    assert value == Fraction(15, 2)
    assert text == "a, b and c end no earlier, with all that they wait for"


def test_what_waits_for_a_group_waits_for_the_least_of_it():
    tasks = (task("a", 5, group="g", on=0), task("b", 2, group="g", on=0))
    assert best(*tasks, task("c", 1, "a", "b", on=0))[0] == 3
    assert best(*tasks, task("c", 1, "a", on=0))[0] == 2
    assert best(*tasks)[0] == 2


def test_work_on_one_unit_waits_for_the_least_head_and_leaves_the_least_tail():
    tasks = [task(name, seconds, "s") for name, seconds in (("a", 2), ("b", 4), ("c", 3))]
    ends = [task(f"{one.name}-end", 1, one.name, on=0) for one in tasks]
    value, text = best(task("s", 2, on=0), *tasks, *ends)
    assert value == 2 + 9 + 1
    assert text == "core has 1 unit, of which a, b and c take 9 s, idle for 2 s before and 1 s behind"


def test_each_of_several_units_has_a_head_and_a_tail_of_its_own():
    first = [task(f"s{head}", head, on=0) for head in (1, 3)]
    tasks = [task("a", 4, "s1"), task("b", 4, "s3"), task("c", 4, "s3")]
    value, _ = best(*first, *tasks, core=2)
    assert value == Fraction(1 + 3 + 12, 2)


def test_large_tasks_stand_in_each_others_way_however_many_units_are_left():
    value, text = best(*(task(name, 2, on=3) for name in "abc"), core=5)
    assert value == 6
    assert text == "at most 1 can have units of core at once, of which a, b and c take 6 s"


def test_what_is_kept_until_another_ends_fills_a_memory():
    tasks = []
    for name in "ab":
        tasks += [task(name, 1, on=0, keeps=(Keep("hbm", 3, f"{name}2"),))]
        tasks += [task(f"{name}2", 2, Dependence(name, Fraction(1)), on=0)]
    assert best(*tasks, hbm=5)[0] == 8
    assert best(*tasks, hbm=6)[0] == 4
    assert best(*tasks)[0] == 4


def test_what_is_kept_in_one_memory_says_nothing_of_another():
    first = TimedTask("a", Fraction(4), keeps=(Keep("hbm", 1, None), Keep("disk", 3, None)))
    second = TimedTask("b", Fraction(4), keeps=(Keep("disk", 3, None),))
    for goal in ("makespan", "period"):
        made = TaskGraphInstance("two-memories", "", (first, second), {}, {"hbm": 3, "disk": 6}, goal)
        assert TaskProver(made).best.value == 4
        alone = replace(made, memories={"hbm": 3, "disk": 3})
        assert (TaskProver(alone).best.value, TaskProver(alone).best.text[:4]) == (8, "disk")


def test_weighted_ends_on_one_unit_are_those_of_smiths_rule():
    value, text = best(task("a", 3, weight=1), task("b", 1, weight=1), task("c", 2, weight=4), goal="completion-times")
    assert value == 4 * 2 + 3 + 6
    assert text == "core has 1 unit, given to a, b and c by weight for their work"


def test_equal_weights_with_releases_are_those_of_the_shortest_first():
    tasks = (task("a", 10, weight=1), task("b", 1, weight=1, release=Fraction(5)))
    assert best(*tasks, goal="completion-times")[0] == 6 + 11


def test_work_alone_bounds_what_several_units_do():
    value, _ = best(*(task(name, 2, weight=1) for name in "abcd"), core=2, goal="completion-times")
    assert value == 2 + 2 + 4 + 4


def test_a_circle_and_work_bound_a_period():
    circle = (task("a", 2, Dependence("b", Fraction(1), 2), on=0), task("b", 4, "a"))
    value, text = best(*circle, goal="period", core=2)
    assert value == Fraction(7, 2)
    assert text == "a and b wait for each other around in 7 s and 2 periods"
    assert best(*circle, goal="period")[0] == 4
    assert best(task("a", 3), task("b", 3), goal="period", core=4)[0] == Fraction(3, 2)


def test_the_longest_of_many_circles_is_found():
    tasks = [
        task("a", 1, Dependence("c", distance=1), on=0),
        task("b", 1, "a", Dependence("b", Fraction(1), 1), on=0),
        task("c", 1, "b", on=0),
    ]
    assert best(*tasks, goal="period")[0] == 3
    assert best(*(replace(one, seconds=Fraction(1, 3)) for one in tasks), goal="period")[0] == Fraction(4, 3)


def compare(instance, reached):
    """Check all bounds of a task graph against the least of all its schedules."""
    value = least(instance, periods=range(1, 7))
    assume(value is not None)
    for bound in TaskProver(instance).bounds:
        assert bound.value <= value, bound.text
    reached.append(TaskProver(instance).best.value == value)


GOALS = ["makespan", "completion-times", "period"]


@pytest.mark.parametrize("goal", GOALS)
def test_no_bound_is_above_the_least_of_all_schedules(goal):
    reached = []
    settings(max_examples=6)(given(task_graphs(goal, most=3))(lambda instance: compare(instance, reached)))()
    assert reached


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_no_bound_is_above_the_least_of_all_schedules_of_many_graphs(goal):
    reached = []
    settings(max_examples=40)(given(task_graphs(goal, most=3))(lambda instance: compare(instance, reached)))()
    assert 5 * sum(reached) > len(reached)  # they are no sums that are below everything


def test_the_chain_says_what_each_task_of_it_waits_for():
    instance = graph(
        task("a", 2, keeps=(Keep("hbm", 2, "b"),)),
        task("b", 1, "a", on=0),
        task("c", 1, keeps=(Keep("hbm", 2),)),
        task("d", 1, on=0, release=Fraction(4)),
        task("e", 1, "d"),
        hbm=3,
    )
    begins = {"a": 0, "b": 2, "c": 3, "d": 4, "e": 5}
    found = JudgedTasks(instance, TaskSchedule({name: Fraction(begin) for name, begin in begins.items()}))
    assert found.fault is None
    assert [(one.task, one.reason) for one in chain_of(found)] == [("d", "release"), ("e", "task")]
    shorter = replace(instance, tasks=instance.tasks[:3])
    steps = chain_of(JudgedTasks(shorter, TaskSchedule(dict(list(found.schedule.begins.items())[:3]))))
    assert [(one.task, one.reason, one.what) for one in steps] == [
        ("a", "begin", None),
        ("b", "task", None),
        ("c", "memory", "hbm"),
    ]
    late = TaskSchedule({"a": Fraction(1), "b": Fraction(3), "c": Fraction(5)})
    assert [one.reason for one in chain_of(JudgedTasks(shorter, late))] == ["nothing"]


def test_what_begins_when_another_gives_up_a_unit_waits_for_that():
    instance = graph(task("a", 2), task("b", 1))
    found = chain_of(JudgedTasks(instance, TaskSchedule({"a": Fraction(0), "b": Fraction(2)})))
    assert [(one.task, one.reason, one.behind, one.what) for one in found] == [
        ("a", "begin", None, None),
        ("b", "resource", "a", "core"),
    ]
