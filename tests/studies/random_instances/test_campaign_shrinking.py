"""Shrinking, and the exhaustive search for the smallest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.random_instances import (
    draw,
    family,
    least_greedy,
    measure_document,
    run,
    shrink,
    shrink_worst,
    smallest,
)
from hypar_opt.studies.random_instances.measurement import costs, missed
from hypar_opt.studies.random_instances.reduction import Shrunk, size, smaller, smallest_first
from hypar_opt.util.errors import InputError

SMALL = replace(
    family("chains"), name="small", layers=(2, 4), levels=(2, 3), batch=(1, 16), channels=(1, 8), size=(4, 8),
    filters=(1, 16), features=(1, 32),
)  # fmt: skip
ACCOUNTINGS = ("published", "as-evaluated", "receiver", "leaf-exact")


STUCK = {
    "schema": "hypar-opt/instance/1",
    "name": "stuck",
    "batch": 3,
    "network": {"input": [3], "layers": [{"name": f"fc{n}", "linear": {"features": 1}} for n in (1, 2)]},
    "array": {"topology": "h-tree", "levels": 3},
    "cost": {"accounting": "published"},
}
"""Batch and input have to go down together, by one."""


def shows_a_gap(candidate):
    """Not each step leads to something that fits together."""
    try:
        return missed(candidate)
    except InputError:
        return None


def first_missed(accounting, start=0):
    documents = (draw(SMALL, 0, index).document(accounting) for index in range(start, start + 500))
    return next(document for document in documents if missed(document))


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_every_step_goes_down(index):
    whole = draw(SMALL, 1, index).document("published")
    before = size(whole)
    steps = list(smaller(whole))
    assert steps
    assert all(size(step) < before for step in steps)
    assert all(min(size(step)) >= 0 for step in steps)


def test_steps_leave_the_document_as_it_was():
    whole = draw(SMALL, 1, 5).document("published")
    copy = str(whole)
    list(smaller(whole))
    assert str(whole) == copy


@pytest.mark.parametrize("accounting", ACCOUNTINGS)
def test_what_is_shrunk_shows_a_gap_that_no_step_keeps(accounting):
    whole = first_missed(accounting)
    found = shrink(whole)
    assert found.finished
    assert found.greedy > found.optimum
    assert costs(found.document) == (found.greedy, found.optimum)
    assert size(found.document) <= size(whole)
    assert [step for step in smaller(found.document) if shows_a_gap(step)] == []
    assert shrink(whole) == found


def test_levels_and_layers_go_first():
    found = shrink(first_missed("receiver", 100))
    assert size(found.document)[:2] == (2, 2)


def test_without_a_gap_there_is_nothing_to_shrink():
    whole = first_missed("published")
    with pytest.raises(InputError, match="is optimal"):
        shrink({**whole, "array": {"topology": "h-tree", "levels": 1}})


def test_two_sizes_go_down_by_one_together():
    assert missed(STUCK)
    alone = [{**STUCK, "batch": 2}, {**STUCK, "network": {**STUCK["network"], "input": [2]}}]
    assert not any(map(missed, alone))
    found = shrink(STUCK)
    assert found.document["batch"] < 3
    assert found.document["network"]["input"] < [3]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({}, "expected|missing|field"),
        ([], "expected a mapping"),
        ({**STUCK, "fix": {"fc1": "ddd"}}, "fix: a campaign's instances fix no strategies"),
        ({**STUCK, "batch": 0}, "batch: expected an integer of at least 1"),
    ],
)
def test_what_is_no_instance_is_said_to_be_none(document, message):
    for look in (shrink, missed, costs):
        with pytest.raises(InputError, match=message) as caught:
            look(document)
        assert "is optimal" not in str(caught.value)


def test_smallest_knows_the_accountings():
    with pytest.raises(InputError, match="accounting"):
        smallest("nosuch")


def test_a_document_may_leave_out_what_has_a_default():
    plain = {key: value for key, value in STUCK.items() if key != "cost"}
    assert shrink(plain).accounting == "published"


def test_one_accelerator_exchanges_nothing_and_has_no_gap():
    alone = {**STUCK, "array": {"topology": "h-tree", "levels": 0}}
    assert costs(alone) == (0, 0)
    assert measure_document(alone).gap == 0


def test_of_equal_sizes_the_larger_gap_comes_first():
    low, high = (Shrunk({**STUCK, "name": name}, Fraction(greedy), Fraction(10), 0, True)
                 for name, greedy in (("low", 11), ("high", 12)))  # fmt: skip
    larger = replace(high, document={**STUCK, "batch": 4})
    assert sorted([larger, low, high], key=smallest_first) == [high, low, larger]


def test_a_limit_leaves_the_smallest_so_far():
    limits = Limits()
    limits.stop.set()
    whole = first_missed("published")
    found = shrink(whole, limits=limits)
    assert (found.finished, found.document, found.tries) == (False, whole, 0)


@pytest.mark.slow
def test_more_starts_lead_to_nothing_larger():
    outcome = run(SMALL, 60, accountings=["receiver"], workers=1)
    heard = []
    (one,), (many,) = shrink_worst(outcome, starts=1), shrink_worst(outcome, starts=6, listener=heard.append)
    assert [event.text for event in heard if event.kind == "phase"] == [
        f"shrinking chain {chain} under receiver" for chain in outcome.tallies[0].worst[:6]
    ]
    assert [event.progress.done for event in heard if event.kind == "progress"] == list(range(7))
    assert {event.progress.total for event in heard if event.kind == "progress"} == {6}
    assert one.origin == outcome.tallies[0].worst[0]
    assert many.origin in outcome.tallies[0].worst[:6]
    assert size(many.document) <= size(one.document)
    assert many.document["name"] == f"small-0-{many.origin}-receiver"


def test_smallest_stops_where_it_is_told():
    assert smallest("published", most=4) is None
    assert smallest("published", layers=1, most=8) is None
    assert smallest("published", levels=1, most=8) is None


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from(ACCOUNTINGS))
def test_hypar_dp_is_one_of_the_greedy_searches(index, accounting):
    whole = draw(replace(SMALL, layers=(2, 3)), 2, index).document(accounting)
    both = costs(whole)
    assume(both is not None)
    greedy, optimum = both
    assert optimum <= least_greedy(whole) <= greedy
