"""Tasks of the simulator as task graphs: what is served first come first served is one of their schedules."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph
from hypar_opt.studies.simulation import Options, TaskGraph, Transfer, simulate
from hypar_opt.studies.tasks import of_simulation as module
from hypar_opt.studies.tasks import simulated_tasks
from hypar_opt.util.errors import Refusal
from tests.evaluation.links.machines import line
from tests.studies.simulation.steps import compute, send, task_graphs
from tests.studies.tasks.schedules_of_tasks import ends_of, faults_of

WAYS = [Options("full", False), *(Options("full", hold=hold) for hold in ("rate", "whole"))]
FULL = Options("full")


def rows(graph, machine, options=FULL):
    return simulated_tasks("made-up", graph, machine, options).document


@settings(max_examples=4)
@given(task_graphs(), st.sampled_from(WAYS), st.sampled_from([None, Fraction(3, 2)]))
def test_first_come_first_served_is_a_schedule_of_the_same_length(drawn, options, memory):
    machine, graph = drawn
    options = Options("full", options.contention, options.hold, memory_bandwidth=memory)
    made = simulated_tasks("drawn", graph, machine, options)
    found = simulate(graph, machine, options)
    begins = made.begins_of(found)
    assert faults_of(made.document, begins) == []
    assert max(ends_of(made.document, begins).values()) == found.time
    judged = JudgedTasks(read_task_graph(made.document), TaskSchedule(begins))
    assert (judged.fault, judged.makespan) == (None, found.time)
    assert options.contention or most_work(made.document) == found.floor


def most_work(document):
    """Return the seconds of the resource that has most to do."""
    busy = dict.fromkeys(document["resources"], Fraction(0))
    for task in document["tasks"]:
        on = task.get("on", [])
        for name, units in on.items() if isinstance(on, dict) else [(one, 1) for one in on]:
            busy[name] += Fraction(task["seconds"]) * Fraction(units, document["resources"][name])
    return max(busy.values(), default=0)


@settings(max_examples=4)
@given(task_graphs(), st.sampled_from(WAYS), st.data())
def test_what_begins_earlier_than_it_can_is_a_fault(drawn, options, data):
    machine, graph = drawn
    made = simulated_tasks("drawn", graph, machine, options)
    begins = made.begins_of(simulate(graph, machine, options))
    late = [one["name"] for one in made.document["tasks"] if begins[one["name"]] and Fraction(one["seconds"])]
    if late:  # nobody waits who could go
        name = data.draw(st.sampled_from(late))
        assert faults_of(made.document, {**begins, name: Fraction(0)})


def test_a_transfer_takes_its_part_of_every_link():
    # the middle link is half as fast: what crosses all three takes half of the others
    links = (Link((0, 1), Fraction(1)), Link((1, 2), Fraction(1, 2)), Link((2, 3), Fraction(1)))
    array = Machine("custom", tuple("abcd"), (), links)
    graph = TaskGraph((compute("c", 0, "1/3"), send("far", 0, 3, 4, [0]), compute("then", 3, 1, [1])))
    assert rows(graph, array) == {
        "schema": "hypar-opt/task-graph/1",
        "name": "made-up",
        "resources": {"a": 1, "d": 1, "a -> b": 2, "b -> c": 1, "c -> d": 2},
        "tasks": [
            {"name": "forward of c on a", "seconds": "1/3", "on": ["a"]},
            {
                "name": "forward exchange of far, level 1, a to d", "seconds": 8,
                "on": ["a -> b", "b -> c", "c -> d"], "after": ["forward of c on a"],
            },
            {
                "name": "forward of then on d", "seconds": 1, "on": ["d"],
                "after": ["forward exchange of far, level 1, a to d"],
            },
        ],
        "objective": "makespan",
    }  # fmt: skip
    assert rows(graph, array, Options("full", hold="whole"))["tasks"][1]["on"] == {
        "a -> b": 2,
        "b -> c": 1,
        "c -> d": 2,
    }


def test_apart_every_link_is_a_task_and_what_follows_waits_for_all():
    graph = TaskGraph((send("far", 0, 2, 4), compute("then", 2, 1, [0])))
    _, second, then = rows(graph, line(3), Options("full", contention=False))["tasks"]
    name = "forward exchange of far, level 1, a0 to a2, on a"
    assert (second["name"], second["on"]) == (f"{name}1 -> a2", ["a1 -> a2"])
    assert then["after"] == [f"{name}0 -> a1", f"{name}1 -> a2"]


def test_latency_takes_no_link_and_is_waited_for():
    late = Transfer("x", "forward", 0, 0, 1, Fraction(2), 0, latency=Fraction(1, 2))
    behind = Transfer("y", "forward", 0, 0, 1, Fraction(2), 0, behind=(0,))
    made = simulated_tasks("late", TaskGraph((late, behind, compute("then", 1, 1, [0]))), line(2))
    _, latency, second, then = made.document["tasks"]
    assert latency == {
        "name": "forward exchange of x, level 1, a0 to a1, latency", "seconds": "0.5",
        "after": ["forward exchange of x, level 1, a0 to a1"],
    }  # fmt: skip
    assert second["after"] == ["forward exchange of x, level 1, a0 to a1"]
    assert then["after"] == [latency["name"]]
    assert made.begins_of(simulate(made.graph, made.machine, FULL))[latency["name"]] == 2


def test_what_takes_no_time_takes_nothing():
    assert "on" not in rows(TaskGraph((compute("join", 0, 0),)), line(2))["tasks"][0]
    assert "on" not in rows(TaskGraph((send("nothing", 0, 1, 0),)), line(2))["tasks"][0]


def test_names_are_distinct_and_no_longer_than_a_file_takes():
    made = rows(
        TaskGraph((compute("x" * 99, 0, 1), compute("x" * 99, 0, 1), compute("c", 0, 1), compute("c", 0, 1))), line(2)
    )
    names = [one["name"] for one in made["tasks"]]
    assert [name[-4:] for name in names] == ["x #0", "x #1", "n a0", "0 #3"]
    assert len(set(names)) == 4 and max(map(len, names)) == 100


def test_very_many_tasks_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    with pytest.raises(Refusal, match="there are 3 tasks, and at most 2 are written; take fewer levels"):
        rows(TaskGraph(tuple(compute("c", 0, 1) for _ in range(3))), line(2))


@pytest.mark.parametrize("options", [Options("none"), Options("full", acquire="ordered")])
def test_barriers_and_links_taken_one_by_one_are_no_task_graph(options):
    with pytest.raises(ValueError, match="expected"):
        rows(TaskGraph((compute("c", 0, 1),)), line(2), options)
