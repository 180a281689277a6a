"""Claims about variants of conjugate gradients: counts of their steps; and about least makespans of task graphs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.formulation.run import Limits
from hypar_opt.instance.tasks import read_task_graph
from hypar_opt.studies.claims import audit, read_claims
from hypar_opt.studies.claims.least_makespans import LeastMakespans
from hypar_opt.studies.conjugate_gradient import VARIANTS, Loop, cg_document
from hypar_opt.util.errors import InputError


def claim(**fields):
    return {"conjugate_gradient": fields}


@pytest.mark.parametrize(
    ("variant", "quantity", "value"),
    [
        ("pcg", "synchronisations", 3),
        ("pcg", "sums", 2),
        ("pcg", "updates", 3),
        ("pcg", "beside", 3),
        ("pipelined-cg", "synchronisations", 2),
        ("pipelined-cg", "beside", 6),
        ("ifcg1", "synchronisations", 1),
        ("ifcg2", "updates", 8),
    ],
)
def test_counts_of_an_iteration(judge, variant, quantity, value):
    said = {"variant": variant, "quantity": quantity}
    assert judge(claim(**said, equals=value)).verdict.value == "confirmed"
    off = judge(claim(**said, equals=value + 1))
    assert (off.verdict.value, off.judgement.why) == ("refuted", f"it is {value}")


MAKESPAN = {"quantity": "makespan", "blocks": 2}


@pytest.mark.parametrize(
    ("fields", "recomputed", "verdict", "why"),
    [
        ({"variant": "pcg", "workers": [1, 2], "equals": 32}, "32 (1); 18 (2)", "refuted",
         "in 1 of 2 cases it is not: with 2 workers it is 18"),
        ({"variant": "pcg", "workers": [2], "equals": 18}, "18 (2)", "confirmed", ""),
        ({"variant": "pcg", "workers": [2], "equals": 19}, "18 (2)", "refuted",
         "in 1 of 1 case it is not: with 2 workers it is 18"),
        ({"variant": "ifcg1", "workers": [16], "no_longer_than": "pipelined-cg"}, "8 against 8 (16)", "confirmed", ""),
        ({"variant": "pcg", "workers": [16], "no_longer_than": "ifcg1"}, "16 against 8 (16)", "refuted",
         "in 1 of 1 case it is not: with 16 workers it is 16 against 8"),
    ],
)  # fmt: skip
def test_makespans(judge, fields, recomputed, verdict, why):
    row = judge(claim(**MAKESPAN, **fields))
    assert (row.judgement.recomputed, row.verdict.value, row.judgement.why) == (recomputed, verdict, why)


def test_iterations_with_a_barrier_take_as_many_times_as_long_as_one():
    found = LeastMakespans(Limits)
    for workers in (1, 2, 5):
        one, two = (
            found.of(read_task_graph(cg_document(Loop(VARIANTS["pcg"], 2, count), workers)), searched=False)
            for count in (1, 2)
        )
        assert one.times(2).most == two.most
        assert one.times(2).least >= two.least


@pytest.mark.slow
def test_what_a_list_leaves_open_is_searched():
    instance = read_task_graph(cg_document(Loop(VARIANTS["ifcg2"], 3, 2), 6))
    found = LeastMakespans(Limits)
    at_once, searched = (found.of(instance, searched=one) for one in (False, True))
    assert (at_once.least, at_once.most) == (Fraction(13), Fraction(14))
    assert (searched.least, searched.most) == (Fraction(13), Fraction(13))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "claims[0].conjugate_gradient: expected one of equals, no_longer_than, got none"),
        ({"equals": 1, "no_longer_than": "pcg"}, "expected one of equals, no_longer_than, got both"),
        ({"equals": 1, "workers": [2]}, "conjugate_gradient.workers: expected none for 'sums'"),
        ({"equals": 1, "quantity": "makespan"}, "conjugate_gradient.workers: expected some for 'makespan'"),
        ({"no_longer_than": "pcg"}, "conjugate_gradient.no_longer_than: is of makespans, got 'sums'"),
        ({"equals": 1, "variant": "pgc"}, "did you mean 'pcg'?"),
    ],
)
def test_what_says_nothing_is_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write(claim(**{"variant": "pcg", "quantity": "sums", **fields})))
    assert message in str(caught.value)


def test_a_limit_leaves_it_open(write):
    said = claim(variant="ifcg1", quantity="makespan", workers=[8], equals=10)
    (row,) = audit(read_claims(write(said)).claims, time_limit_s=0.001)
    assert row.verdict.value == "undecided"


@pytest.mark.parametrize(
    ("makespan", "verdict", "why"),
    [(8, "confirmed", ""), ("17/2", "refuted", "it is 8 s"), (7.5, "refuted", "it is 8 s")],
)
def test_a_task_graph_of_its_own(judge, makespan, verdict, why):
    row = judge({"task_graph": {"tasks": "six-tasks", "makespan": makespan}})
    assert (row.judgement.recomputed, row.verdict.value, row.judgement.why) == ("8 s", verdict, why)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"tasks": "sfc"}, "claims[0].task_graph.tasks: 'sfc' is no task graph whose makespan is to be least"),
        ({"tasks": "six-task"}, "did you mean 'six-tasks'?"),
        ({"makespan": "soon"}, "claims[0].task_graph.makespan: expected seconds, such as 10 or \"7/3\", got 'soon'"),
    ],
)
def test_no_task_graph_is_refused(write, fields, message):
    with pytest.raises(InputError) as caught:
        read_claims(write({"task_graph": {"tasks": "six-tasks", "makespan": 9, **fields}}))
    assert message in str(caught.value)
