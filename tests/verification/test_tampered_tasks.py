"""Schedules of task graphs with one thing changed: every one that is no longer true is caught, and no other."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from small_task_graphs import Simulated

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks import judged as judging
from hypar_opt.evaluation.tasks.faults import RULES
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.tasks import NOT_DONE, PERIOD, TaskSchedule, read_task_graph
from hypar_opt.verification import verify
from hypar_opt.verification.claim import Claim
from tests.task_graphs import task_graph_document

QUICK, ALL = range(3), range(3, 9)
GOALS = ("makespan", "completion-times", "period")
DAMAGED = ("", "x", "1/0", "-1", "1.5", "1e3", " 0", "0 ", "not  done", "1/2/3", "inf", "0x1")
"""No begins as plans write them."""


def drawn(seed):
    """Return a task graph of whole seconds with some of everything."""
    random = Random(seed)
    tasks = [
        {
            "seconds": random.randint(1, 3),
            "on": {"core": random.randint(1, 2)} if number % 3 else ["link"],
            "after": [f"k{random.randint(1, number)}"] if number else [],
            "weight": random.randint(1, 3),
            "keeps": [{"memory": "hbm", "amount": random.randint(1, 3)}],
        }
        for number in range(4)
    ]
    tasks[3]["keeps"][0]["until"] = "k2"
    tasks += [{"seconds": 1, "release": 2, "weight": 1}]
    tasks += [{"seconds": seconds, "on": ["core"], "group": "g", "weight": 1} for seconds in (1, 4)]
    return task_graph_document(
        *tasks, resources={"core": 2, "link": 1}, memories={"hbm": 5}, objective=GOALS[seed % len(GOALS)]
    )


def by_list(instance):
    """Return a schedule: each task in the file's order as early as can be, the first of a group."""
    total = sum(task.seconds for task in instance.tasks)
    period = total if instance.is_periodic else None
    begins = {task.name: None for task in instance.tasks}
    for place, task in enumerate(instance.tasks[:-1]):  # all but the other of the group
        own = replace(instance, tasks=instance.tasks[: place + 1] if not task.group else instance.tasks)
        for second in range(20):
            begins[task.name] = Fraction(second)
            if Simulated(own, TaskSchedule({one.name: begins[one.name] for one in own.tasks}, period)).is_schedule():
                break
    return TaskSchedule(begins, period)


def claim_of(instance, schedule, status=Status.FEASIBLE, bound=None, objective=None):
    value = Fraction(Simulated(instance, schedule).objective()) if objective is None else objective
    return Claim(
        instance.name, instance.sha256, {}, "by-hand", status, schedule.texts(), Fraction(0), value, bound,
        decided="begins", costs={"time": value},
    )  # fmt: skip


def tampered(instance, schedule):
    """Yield what is changed, and the claim that this makes, mostly of the value that the schedule had."""
    claim = claim_of(instance, schedule)
    texts, begins, period = dict(claim.strategies), schedule.begins, schedule.period
    done = [name for name, begin in begins.items() if begin is not None]

    def moved(what, **others):
        later = TaskSchedule({**begins, **others.pop("begins", {})}, others.pop("period", period))
        return what, claim_of(instance, later)

    for name in done:
        for shift in (-2, -1, -begins[name]):
            if begins[name] + shift >= 0 and shift:
                yield moved("begin", begins={name: begins[name] + shift})
        yield "late", replace(claim, strategies={**texts, name: str(begins[name] + 50)})
        yield moved("left out", begins={name: None})
        yield "missing", replace(claim, strategies={one: text for one, text in texts.items() if one != name})
        yield "text", replace(claim, strategies={**texts, name: DAMAGED[len(name) + int(begins[name]) % 9]})
    for one, other in combinations(done, 2):
        if begins[one] != begins[other]:
            yield moved("swapped", begins={one: begins[other], other: begins[one]})
    yield moved("both of a group", begins={"k7": begins["k6"]})
    yield "the other of a group", replace(claim, strategies={**texts, "k6": NOT_DONE, "k7": texts["k6"]})
    yield "not in the file", replace(claim, strategies={**texts, "k8": "0"})
    for less in (Fraction(1), Fraction(1, 7)):
        value = claim.objective - less
        yield "value", claim_of(instance, schedule, objective=value)
        yield "value and bound", claim_of(instance, schedule, Status.OPTIMAL, value, value)
        yield "objective", replace(claim, objective=value)
        yield "time", replace(claim, costs={"time": value})
    yield "bound", replace(claim, bound=claim.objective + 1)
    yield "no bound", replace(claim, status=Status.OPTIMAL)
    if period is not None:
        for shorter in range(1, int(period)):
            yield moved("period", period=Fraction(shorter))
        for text in ("0", "-3", "", "2.5"):
            yield "text of the period", replace(claim, strategies={**texts, PERIOD: text})
        yield "no period", replace(claim, strategies={one: text for one, text in texts.items() if one != PERIOD})
    elif len(done) > 1:
        yield "a period", replace(claim, strategies={**texts, PERIOD: "3"})


def is_true(instance, claim):
    """Return whether a claim is, as the begins are seen second by second; of other texts than whole seconds no."""
    texts = dict(claim.strategies)
    period = texts.pop(PERIOD, None) if instance.is_periodic else None
    names = {task.name for task in instance.tasks}
    if texts.keys() != names or not all(text.isdecimal() or text == NOT_DONE for text in texts.values()):
        return False
    if instance.is_periodic and (period is None or not period.isdecimal() or period == "0"):
        return False
    begins = {name: None if text == NOT_DONE else Fraction(text) for name, text in texts.items()}
    seen = Simulated(instance, TaskSchedule(begins, None if period is None else Fraction(period)))
    fits = claim.status is not Status.OPTIMAL and (claim.bound is None or claim.bound <= claim.objective)
    return seen.is_schedule() and claim.objective == claim.costs["time"] == seen.objective() and fits


def counts_of(seeds):
    """Return by what is changed how many claims were caught, having checked that those and no others are."""
    caught = Counter()
    for seed in seeds:
        instance = read_task_graph(drawn(seed))
        schedule = by_list(instance)
        own = claim_of(instance, schedule)
        assert is_true(instance, own), seed
        assert verify(instance, own).outcome == "confirmed", seed
        for what, claim in tampered(instance, schedule):
            true = is_true(instance, claim)
            assert (verify(instance, claim).outcome == "confirmed") == true, (seed, what, claim)
            caught[what] += not true
    return caught


def test_every_tampered_schedule_is_caught():
    caught = counts_of(QUICK)
    assert caught.total() > 100
    assert min(caught.values()) > 0, caught


@pytest.mark.slow
def test_every_one_of_many_tampered_schedules_is_caught():
    assert counts_of(ALL).total() > 250


@pytest.mark.slow
def test_tampered_schedules_break_every_rule():
    """Each of the judge's rules is what some of them alone are caught by."""
    alone = Counter()
    for seed in QUICK:
        instance = read_task_graph(drawn(seed))
        for _, claim in tampered(instance, by_list(instance)):
            try:
                texts = {name: None if text == NOT_DONE else Fraction(text) for name, text in claim.strategies.items()}
            except (ValueError, ZeroDivisionError):
                continue
            period = texts.pop(PERIOD, None)
            kinds = {fault.kind for fault in JudgedTasks(instance, TaskSchedule(texts, period)).faults()}
            alone[next(iter(kinds)) if len(kinds) == 1 else ""] += 1
    rules = {"period", "not-done", "unknown", "group", "release", "precedence", "resource", "memory"}
    assert rules <= alone.keys(), alone


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_judge_without_a_rule_lets_tampered_schedules_through(rule, monkeypatch):
    monkeypatch.setattr(judging, "RULES", tuple(one for one in RULES if one is not rule))
    through = 0
    for seed in QUICK:
        instance = read_task_graph(drawn(seed))
        for _, claim in tampered(instance, by_list(instance)):
            if PERIOD in claim.strategies and not instance.is_periodic:
                continue
            try:
                texts = {name: None if text == NOT_DONE else Fraction(text) for name, text in claim.strategies.items()}
                period = texts.pop(PERIOD, None)
                fault = JudgedTasks(instance, TaskSchedule(texts, period)).fault
            except (ValueError, ZeroDivisionError):
                continue
            through += fault is None and not is_true(instance, replace(claim, objective=claim.objective))
        if through:
            return
    assert rule.__name__ == "period_faults"  # which plans cannot break: their texts are refused before


def test_a_worse_schedule_that_is_said_to_be_the_best_is_refuted():
    instance = read_task_graph(task_graph_document({"on": ["core"]}, {"on": ["core"]}, resources={"core": 1}))
    late = TaskSchedule({"k1": Fraction(0), "k2": Fraction(2)})
    verdict = verify(instance, claim_of(instance, late, Status.OPTIMAL, Fraction(3)))
    assert (verdict.outcome, verdict.reason) == ("refuted", "optimality")
    assert verdict.better.objective == 2
    best = TaskSchedule({"k1": Fraction(0), "k2": Fraction(1)})
    assert verify(instance, claim_of(instance, best, Status.OPTIMAL, Fraction(2))).outcome == "confirmed"
