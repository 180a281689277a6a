"""Makespans of conjugate gradients that a prototype found, and the page of reports/conjugate_gradients."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path

import pytest

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph
from hypar_opt.studies.conjugate_gradient import VARIANTS, Loop, cg_document, unroll
from hypar_opt.studies.conjugate_gradient.dispatch import dispatch, least
from reports.conjugate_gradients import texts

DATA = Path(__file__).parent.parent / "data" / "conjugate-gradients"
FOLDER = Path(__file__).parent.parent.parent / "reports" / "conjugate_gradients"
PROTOTYPE = {
    "pipelined-cg": {6: 14, 8: 12, 76: 8},
    "ifcg1": {6: 13, 8: 11, 76: 8},
    "ifcg2": {6: 13, 8: 10, 76: 8},
    "pcg": {1: 46, 2: 24, 4: 16, 76: 16},
}
"""Two iterations of three blocks, a second a task, by workers; 76 are as many as there are tasks."""
BY_BOUNDS = [("pipelined-cg", 6), ("pcg", 1), ("pcg", 2), ("pcg", 4), *((variant, 76) for variant in PROTOTYPE)]


def at_hand(variant, workers):
    """Return what no schedule is below, and the makespan of tasks taken as they come."""
    steps = unroll(Loop(VARIANTS[variant], 3, 2))
    seconds = [int(step.kernel.operation.name != "barrier") for step in steps]
    return least(steps, seconds, workers), dispatch(steps, seconds, workers).length


@pytest.mark.parametrize(("variant", "workers"), BY_BOUNDS)
def test_makespans_that_bounds_prove(variant, workers):
    assert at_hand(variant, workers) == (PROTOTYPE[variant][workers], PROTOTYPE[variant][workers])


def test_ifcg1_on_six_workers():
    """The schedule is kept, for to find it takes long; none is shorter, for 76 s of six workers are over 12."""
    begins = json.loads((DATA / "ifcg1-3x2-6.json").read_text(encoding="utf-8"))
    instance = read_task_graph(cg_document(Loop(VARIANTS["ifcg1"], 3, 2), 6))
    judged = JudgedTasks(instance, TaskSchedule({task.name: Fraction(begins[task.name]) for task in instance.tasks}))
    assert judged.fault is None
    assert judged.makespan == PROTOTYPE["ifcg1"][6] == at_hand("ifcg1", 6)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "workers", "iterations"), [("pipelined-cg", 8, 1), ("ifcg1", 8, 2), ("ifcg2", 8, 2), ("ifcg2", 6, 2)]
)
def test_makespans_that_a_search_proves(variant, workers, iterations):
    """Of pipelined CG one iteration: a barrier parts it from the next, which is as long."""
    from hypar_opt import solve

    loop = Loop(VARIANTS[variant], 3, iterations)
    plan = solve(read_task_graph(cg_document(loop, workers)), "task-cp-sat")
    assert (plan.status, plan.objective * 2 / iterations) == ("OPTIMAL", PROTOTYPE[variant][workers])


def test_the_page_has_the_same_makespans():
    with (FOLDER / "makespans.csv").open(encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if row["storage"] == "renamed"]
    written = {(row["variant"], int(row["workers"])): int(row["makespan"]) for row in rows if row["proven"] == "True"}
    for variant, found in PROTOTYPE.items():
        for workers, makespan in found.items():
            if workers <= 16:
                assert written[variant, workers] == makespan
    unproven = [(row["variant"], row["workers"]) for row in rows if row["proven"] != "True"]
    assert len(rows) == 64 and not unproven
    assert all(int(row["bound"]) <= int(row["makespan"]) for row in rows)


def _rows(name):
    with (FOLDER / name).open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_sentences_of_the_page_follow_from_its_tables():
    said = (FOLDER / "conjugate-gradients.md").read_text(encoding="utf-8")
    least_times = [row for row in _rows("makespans.csv") if row["storage"] == "renamed"]
    assert texts.of_makespans(least_times) in said
    assert texts.of_fused([row | {"found": Fraction(row["found"])} for row in _rows("fuse.csv")]) in said


def test_no_sentence_is_made_of_makespans_that_cannot_be():
    rows = [row for row in _rows("makespans.csv") if row["storage"] == "renamed"]
    wrong = [row | {"makespan": "20"} if (row["variant"], row["workers"]) == ("ifcg2", "8") else row for row in rows]
    with pytest.raises(SystemExit, match="not what the page says"):
        texts.of_makespans(wrong)


@pytest.mark.slow
def test_what_intervals_leave_open_is_decided_by_moments():
    from reports.conjugate_gradients.moments import is_possible

    for variant, workers, least_makespan in (("ifcg2", 8, 10), ("ifcg1", 8, 11), ("pipelined-cg", 8, 12)):
        steps = unroll(Loop(VARIANTS[variant], 3, 2))
        seconds = [int(step.kernel.operation.name != "barrier") for step in steps]
        assert not is_possible(steps, seconds, workers, least_makespan - 1)
        assert is_possible(steps, seconds, workers, least_makespan)


def test_one_reduction_is_charged_once():
    """Of two sums at once `alpha` is a coefficient; of two reductions it is one of them."""
    from reports.conjugate_gradients.cases import durations

    for variant, charged in (("pcg", 2), ("gropp-cg", 2), ("ifcg2", 2), ("chronopoulos-cg", 1), ("ifcg1", 1)):
        steps = unroll(Loop(VARIANTS[variant], 2, 1))
        given = durations("cfd2", 10, variant)
        assert sum(given.of(step, 2) for step in steps if step.kernel.operation.name == "scalar") == Fraction(
            charged, 100_000
        )


@pytest.mark.slow
def test_rows_of_the_page_are_found_anew():
    # these import pandas
    from reports.conjugate_gradients.modelled import iteration_times, noise_rows

    with (FOLDER / "times.csv").open(encoding="utf-8") as stream:
        written = next(csv.DictReader(stream))
    assert {name: str(value) for name, value in next(iteration_times()).items()} == written
    with (FOLDER / "noise.csv").open(encoding="utf-8") as stream:
        written = next(csv.DictReader(stream))
    assert {name: str(value) for name, value in next(noise_rows()).items()} == written
