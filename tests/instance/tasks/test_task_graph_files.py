"""What files of task graphs say, and the messages where something in them is wrong."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
import yaml
from jsonschema import Draft202012Validator

from hypar_opt import load
from hypar_opt.instance.exact import plain
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.operators.json_schema import any_instance_json_schema
from hypar_opt.instance.shipped import shipped_task_graphs
from hypar_opt.instance.tasks import (
    Dependence,
    Keep,
    TaskGraphInstance,
    TaskSchedule,
    TimedTask,
    read_task_graph,
    read_task_schedule,
    units_of,
)
from hypar_opt.util.errors import InputError
from tests.task_graphs import task_graph_document, task_graph_of

SHIPPED = shipped_task_graphs()
AROUND = {"resources": {"core": 2}, "memories": {"hbm": None}}


@pytest.fixture(scope="module")
def validator():
    return Draft202012Validator(any_instance_json_schema())


@pytest.mark.parametrize("name", SHIPPED)
def test_names_are_those_of_files_and_the_schema_allows_them(name, validator):
    read = load(name)
    assert isinstance(read, TaskGraphInstance)
    assert read.name == name
    document = plain(read_document(SHIPPED[name]).data)  # plain YAML reads `on` as true
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "resuorces": {}})


def test_every_field_is_read_exactly_and_the_schema_allows_it(validator):
    document = task_graph_document(
        {"seconds": "1/3", "on": ["core"]},
        {
            "seconds": 0.25,
            "on": {"core": 2},
            "after": ["k1", {"task": "k3", "lag": "7/2", "distance": 2}],
            "release": 1,
        },
        {"weight": "0.5", "group": "g", "keeps": [{"memory": "hbm", "amount": 3, "until": "k2"}]},
        {"group": "g", "keeps": [{"memory": "hbm", "amount": 4, "until": "k4"}]},
        **AROUND,
        objective="period",
    )
    assert validator.is_valid(document)
    document["tasks"][1]["seconds"] = Decimal("0.25")  # as files are read
    read = read_task_graph(document)
    assert read.tasks == (
        TimedTask("k1", Fraction(1, 3), (("core", 1),)),
        TimedTask(
            "k2", Fraction(1, 4), (("core", 2),), (Dependence("k1"), Dependence("k3", Fraction(7, 2), 2)), Fraction(1)
        ),
        TimedTask("k3", Fraction(1), weight=Fraction(1, 2), group="g", keeps=(Keep("hbm", 3, "k2"),)),
        TimedTask("k4", Fraction(1), group="g", keeps=(Keep("hbm", 4),)),
    )
    assert (dict(read.resources), dict(read.memories)) == (AROUND["resources"], AROUND["memories"])
    assert read.is_periodic
    assert read.groups == {"g": (2, 3)}


def test_the_hash_is_of_what_is_said_and_not_of_how_it_is_spelt():
    first = task_graph_of({"seconds": "1/2", "on": ["core"], "after": ["k2"]}, {}, **AROUND)
    other = task_graph_of({"seconds": "0.50", "on": {"core": 1}, "after": [{"task": "k2"}]}, {}, **AROUND)
    assert first.sha256 == other.sha256 != task_graph_of({}, {}, **AROUND).sha256


@pytest.mark.parametrize(
    ("task", "field", "message"),
    [
        ({"seconds": -1}, "tasks[0].seconds", "expected a number of at least 0, as 3, 0.25 or '1/3', got -1"),
        ({"seconds": "1/0"}, "tasks[0].seconds", "expected a number of at least 0"),
        ({"seconds": True}, "tasks[0].seconds", "expected a number of at least 0"),
        ({"on": {"core": 3}}, "tasks[0].on", "expected at most 2 of 'core', which has no more units, got 3"),
        ({"on": {"core": 0}}, "tasks[0].on.core", "expected an integer of at least 1, got 0"),
        ({"on": ["cor"]}, "tasks[0].on", "no resource is called 'cor'; did you mean 'core'?"),
        ({"on": ["core", "core"]}, "tasks[0].on", "'core' is there twice; a mapping says how many units: {core: 2}"),
        ({"on": [1]}, "tasks[0].on", "expected names of resources"),
        ({"on": 3}, "tasks[0].on", "expected a mapping, got 3"),
        ({"after": ["k22"]}, "tasks[0].after[0]", "no task is called 'k22'; did you mean 'k2'?"),
        ({"after": ["k1"]}, "tasks[0].after", "in a circle, each of which the next waits for: 'k1', 'k1'"),
        ({"after": ["k2"]}, "tasks[0].after", "the next waits for: 'k1', 'k2', 'k1'"),
        ({"after": [{"task": "k2", "lag": -1}]}, "tasks[0].after[0].lag", "expected a number of at least 0"),
        ({"after": [{"task": "k1", "distance": 1}]}, "tasks[0].after[0].distance", "only tasks that are repeated"),
        ({"keeps": [{"memory": "hbn", "amount": 1}]}, "tasks[0].keeps[0].memory", "did you mean 'hbm'?"),
        ({"keeps": [{"memory": "hbm", "amount": -1}]}, "tasks[0].keeps[0].amount", "an integer of at least 0"),
        (
            {"keeps": [{"memory": "hbm", "amount": 1, "until": "k22"}]},
            "tasks[0].keeps[0].until",
            "no task is called 'k22'; did you mean 'k2'?",
        ),
        ({"group": "g"}, "tasks[0].group", "the group 'g' has no other task"),
        ({"name": "period"}, "tasks[0].name", "no task may be called 'period'"),
        ({"name": "k2", "after": []}, "tasks[1].name", "the name 'k2' is there twice"),
        ({"weigth": 1}, "tasks[0].weigth", "did you mean 'weight'?"),
    ],
)
def test_what_is_wrong_is_told_with_its_field(task, field, message):
    with pytest.raises(InputError) as wrong:
        task_graph_of(task, {} if "name" in task else {"after": ["k1"]}, **AROUND)
    assert wrong.value.field == field
    assert message in wrong.value.message


@pytest.mark.parametrize(
    ("tasks", "objective", "message"),
    [
        (({}, {}), "completion-times", "expected the weight of one task at least to be above 0"),
        (({"seconds": 0},), "period", "expected a task that takes time"),
        (({"group": "g"}, {"group": "g", "after": ["k1"]}), "makespan", "waits for 'k1' of its own group 'g'"),
        ((), "makespan", "expected a list that is not empty"),
        (({},), "makspan", "did you mean 'makespan'?"),
        (
            tuple({"seconds": f"1/{10**99 + number}"} for number in (1, 2, 3)),
            "makespan",
            "a least common denominator of more than 200 digits, in which no plan says begins; round them",
        ),
    ],
)
def test_what_does_not_go_together_is_told(tasks, objective, message):
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        task_graph_of(*tasks, objective=objective)


def test_more_units_than_can_be_shown_are_not_taken():
    assert task_graph_of({}, resources={"core": 2**16}).resources["core"] == 2**16
    with pytest.raises(InputError, match="expected an integer of at most 65536, got 65537"):
        task_graph_of({}, resources={"core": 2**16 + 1})


def test_circles_need_a_distance_and_long_ones_are_cut():
    tasks = [{"after": [f"k{number - 1 or 12}"]} for number in range(1, 13)]
    with pytest.raises(InputError, match=r"(?:'k\d+', ){8}\.\.\., 'k\d+'"):
        task_graph_of(*tasks)
    tasks[0] = {"after": [{"task": "k12", "distance": 1}]}
    assert len(task_graph_of(*tasks, objective="period").tasks) == 12


def test_files_tell_the_line_and_replace_nothing(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(yaml.safe_dump(task_graph_document({}, {"after": ["k9"]}), sort_keys=False))
    with pytest.raises(InputError, match=r"bad\.yaml:\d+: tasks\[1\]\.after\[0\]: no task is called 'k9'"):
        load(path)
    with pytest.raises(InputError, match="a task graph has none"):
        load("six-tasks", batch=3)


def test_plans_write_begins_as_fractions_and_are_read_back():
    once = task_graph_of({}, {"group": "g"}, {"group": "g"})
    schedule = TaskSchedule({"k1": Fraction(7, 3), "k2": None, "k3": Fraction(0)})
    assert schedule.texts() == {"k1": "7/3", "k2": "not done", "k3": "0"}
    assert read_task_schedule(once, schedule.texts()) == schedule
    again = TaskSchedule({"k1": Fraction(2)}, Fraction(5, 2))
    assert again.texts() == {"k1": "2", "period": "5/2"}
    assert read_task_schedule(task_graph_of({}, objective="period"), again.texts()) == again


@pytest.mark.parametrize(
    ("texts", "objective", "message"),
    [
        ({"k1": "0", "k22": "0"}, "makespan", "no task is called 'k22'; did you mean 'k2'?"),
        ({"k1": "0"}, "makespan", "the begin of task 'k2' is missing"),
        ({"k1": "0", "k2": "-1"}, "makespan", "task 'k2': expected seconds as '7/3', or 'not done', got '-1'"),
        ({"k1": "0", "k2": "1.5"}, "makespan", "expected seconds as '7/3'"),
        ({"k1": "0", "k2": "1", "period": "3"}, "makespan", "no task is called 'period'"),
        ({"k1": "0", "k2": "1"}, "period", "the period is missing"),
        ({"k1": "0", "k2": "1", "period": "0"}, "period", "expected a period above 0"),
        ({"k1": "0", "k2": "1", "period": "x"}, "period", "'period': expected seconds as '7/3', got 'x'"),
    ],
)
def test_plans_that_cannot_be_read_say_where(texts, objective, message):
    with pytest.raises(InputError) as wrong:
        read_task_schedule(task_graph_of({}, {}, objective=objective), texts)
    assert message in wrong.value.message


def test_units_go_by_begin_then_by_the_file_and_the_lowest_free_one_is_taken():
    graph = task_graph_of(
        {"on": {"core": 2}}, {"on": ["core"], "seconds": 3}, {"on": ["core"]}, {"on": ["core"], "seconds": 0}, {},
        resources={"core": 3},
    )  # fmt: skip
    begins = dict(zip(graph.places, map(Fraction, (0, 0, 1, 1, 0)), strict=True))
    assert units_of(graph, TaskSchedule(begins), "core") == {"k1": (0, 1), "k2": (2,), "k3": (0,), "k4": ()}
    with pytest.raises(ValueError, match="more units of 'core' are taken at 0 s"):
        units_of(graph, TaskSchedule(dict.fromkeys(begins, Fraction(0))), "core")
