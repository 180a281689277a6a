"""What data parallelism is called where strategies are given, the same wherever plans are compared with it."""

from __future__ import annotations

import pytest

from hypar_opt import compare, explore, load
from hypar_opt.report.charts.baseline import notes_of
from hypar_opt.report.compare.terminal import reasons
from hypar_opt.report.content import gather
from hypar_opt.report.content.baseline import BesideBaseline
from hypar_opt.report.pages.overview import overview
from hypar_opt.studies.baseline import data_parallelism
from hypar_opt.util.errors import Refusal

GIVEN = {"array": "hypar-16", "fix": {"conv2": "m...", "fc1": "d..."}}
BROKEN = "the rule's plan breaks a split or capacity rule of this instance: it exceeds the bound on time"
NAMED = "data parallelism with conv2 as fixed"


@pytest.mark.parametrize(
    ("fix", "named"),
    [
        ({}, "data parallelism"),
        ({"a": "d.", "b": "dd"}, "data parallelism"),
        ({"a": "dm", "b": "dd"}, "data parallelism with a as fixed"),
        (dict.fromkeys("abcde", "m"), "data parallelism with 5 layers as fixed"),
    ],
)
def test_only_what_is_no_dp_is_an_exception(fix, named):
    assert data_parallelism(fix) == named


def test_it_is_called_that_everywhere():
    instance = load("lenet-c", **GIVEN)
    assert explore(instance, levels=[1]).against == NAMED
    (subject,), _ = gather([instance], ["joint-dp"], sections=())
    first = notes_of(BesideBaseline(subject.baseline, subject.plans))[0]
    assert first == f"A gain is the cost of {NAMED} over the plan's."
    assert overview([subject]).rows[0]["ratio"].notes == (f"data-parallel is {NAMED}",)
    assert reasons(compare([instance], ["data-parallel", "joint-dp"])) == [
        "strategies that are given stay as they are by data-parallel"
    ]


def test_why_there_is_none_is_said_everywhere():
    instance = load("lenet-c", **GIVEN, at_most="time=0.12")
    with pytest.raises(Refusal) as refused:
        explore(instance, levels=[1])
    assert str(refused.value) == f"{NAMED} is not allowed here ({BROKEN}); try --against plan"
    (subject,), _ = gather([instance], ["joint-dp"], sections=())
    why = f"{NAMED} is not allowed here: {BROKEN}"
    assert subject.baseline is None and subject.missing["baseline"] == why
    assert overview([subject]).rows[0]["ratio"].notes == (why,)
    cells = compare([instance, instance], ["data-parallel", "joint-dp"])
    assert reasons(cells) == [f"none found by data-parallel on lenet-c #1, data-parallel on lenet-c #2: {BROKEN}"]
    assert reasons(cells[:2]) == [f"none found by data-parallel: {BROKEN}"]
