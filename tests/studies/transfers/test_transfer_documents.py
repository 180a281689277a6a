"""Transfers of gradients as task graphs."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from small_transfers import drawn, problem_of

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.instance.tasks.schedule import TaskSchedule
from hypar_opt.studies.transfers import best_messages, best_whole
from hypar_opt.studies.transfers.document import scheduled_transfers, transfer_document
from hypar_opt.studies.transfers.problem import Gradient, TransferProblem
from hypar_opt.studies.transfers.rules import transfer_rules
from hypar_opt.studies.transfers.sending import send_by
from tests.helpers import each

TWO = problem_of([4, 1], [2, 9], [5, 6], start_up=1, backward=5, lead=2)


def test_both_passes_and_what_is_between_them():
    graph = read_task_graph(transfer_document(TWO))
    said = {one.name: (int(one.seconds), dict(one.takes), [after.task for after in one.after]) for one in graph.tasks}
    assert said == {
        "backward g1": (1, {"accelerator": 1}, []),
        "backward g0": (3, {"accelerator": 1}, ["backward g1"]),
        "backward": (1, {"accelerator": 1}, ["backward g0"]),
        "gradient g0": (3, {"link": 1}, ["backward g0"]),
        "gradient g1": (10, {"link": 1}, ["backward g1"]),
        "forward": (2, {"accelerator": 1}, ["backward"]),
        "forward g0": (5, {"accelerator": 1}, ["forward", "gradient g0"]),
        "forward g1": (6, {"accelerator": 1}, ["forward g0", "gradient g1"]),
    }
    assert graph.goal == "makespan"


def test_every_chunk_has_a_start_up():
    graph = read_task_graph(transfer_document(TWO, 3))
    chunks = [one for one in graph.tasks if one.name.startswith("gradient g1")]
    assert [one.name for one in chunks] == ["gradient g1 1/3", "gradient g1 2/3", "gradient g1 3/3"]
    assert {one.seconds for one in chunks} == {Fraction(4)}
    last = graph.tasks[-1]
    assert {after.task for after in last.after} == {"forward g0", *(one.name for one in chunks)}


def test_messages_say_when_everything_begins():
    found = scheduled_transfers(best_messages(TWO))
    graph = read_task_graph(found.document)
    assert list(found.begins) == [one.name for one in graph.tasks]
    assert {name: int(begin) for name, begin in found.begins.items()} == {
        "backward g1": 0, "backward g0": 1, "backward": 4, "start-up 1": 1, "gradient g1 in 1": 2, "start-up 2": 4,
        "gradient g0 in 2": 5, "gradient g1 in 2": 7, "forward": 5, "forward g0": 7, "forward g1": 14,
    }  # fmt: skip


def test_long_names_stay_apart():
    names = ["x" * 100, "x" * 99 + "y"]
    several = tuple(Gradient(name, Fraction(0), Fraction(1), Fraction(1)) for name in names)
    read_task_graph(transfer_document(TransferProblem("long", several, Fraction(0)), 100))


@pytest.mark.parametrize("start_up", [0, 2])
def test_a_start_up_that_takes_no_time_is_a_task_all_the_same(start_up):
    document = scheduled_transfers(best_messages(problem_of([1], [1], [1], start_up=start_up))).document
    assert [one["seconds"] for one in document["tasks"] if one["name"].startswith("start-up")] == [start_up]


def _judged(sent):
    found = scheduled_transfers(sent)
    return JudgedTasks(read_task_graph(found.document), TaskSchedule(found.begins))


@each("seed", range(30), quick=6)
def test_the_judge_recounts_every_rule_and_both_optima(seed):
    random = Random(seed)
    problem = drawn(random, random.randint(1, 6), 6)
    sents = [send_by(rule, problem, Fraction(1)) for rule in transfer_rules().values()]
    for sent in (*sents, best_messages(problem), best_whole(problem).sent):
        judged = _judged(sent)
        assert judged.fault is None
        assert judged.makespan == sent.end


def test_the_judge_sees_what_is_sent_too_early():
    found = scheduled_transfers(best_messages(TWO))
    early = {**found.begins, "start-up 1": Fraction(0)}
    graph = read_task_graph(found.document)
    assert "start-up 1" in JudgedTasks(graph, TaskSchedule(early)).fault
    both = {**found.begins, "gradient g1 in 2": found.begins["gradient g0 in 2"]}
    assert "link" in JudgedTasks(graph, TaskSchedule(both)).fault
