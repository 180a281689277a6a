"""Microbatches at stages as task graphs: every rule's order is a schedule of one."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.studies.schedules import RULES, StageTimes, batch_of
from hypar_opt.studies.schedules.compare import schedule_of_rule
from hypar_opt.studies.tasks import of_batch as module
from hypar_opt.studies.tasks.of_batch import batch_document, begins_by_name
from hypar_opt.util.errors import Refusal
from tests.studies.tasks.schedules_of_tasks import ends_of, faults_of

TIMES = st.fractions(0, 4, max_denominator=3)
ONE_EACH = [one for one in RULES.values() if not one.several_stages and not one.versions]


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.lists(st.tuples(TIMES, TIMES, TIMES, TIMES), min_size=1, max_size=4),
    st.integers(1, 4),
    st.sampled_from(ONE_EACH),
)
def test_a_rule_s_order_is_a_schedule_of_the_same_length(times, microbatches, rule):
    stages = [StageTimes(forward, backward, backward / 2, lag, kept) for forward, backward, lag, kept in times]
    found = schedule_of_rule(rule, stages, len(stages), microbatches)
    if found.judged is not None:
        document = batch_document("drawn", batch_of(rule, stages, len(stages), microbatches))
        begins = begins_by_name(found.judged)
        assert faults_of(document, begins) == []
        assert max(ends_of(document, begins).values()) == found.judged.seconds


@settings(max_examples=5)
@given(st.integers(1, 4), st.integers(1, 5), st.fractions(1, 9, max_denominator=4), st.sampled_from(ONE_EACH))
def test_memories_have_room_for_what_a_rule_keeps_at_most(count, microbatches, kept, rule):
    one, two = Fraction(1), Fraction(2)
    plain = [StageTimes(one, two, one, kept=kept, resident=one) for _ in range(count)]
    peaks = [schedule_of_rule(rule, plain, count, microbatches).judged.peak(device) for device in range(count)]
    stages = [StageTimes(one, two, one, kept=kept, resident=one, capacity=peak) for peak in peaks]
    begins = begins_by_name(schedule_of_rule(rule, stages, count, microbatches).judged)
    document = batch_document("full", batch_of(rule, stages, count, microbatches))
    assert faults_of(document, begins) == []
    tighter = [StageTimes(one, two, one, kept=kept, resident=one, capacity=peak - kept / 2) for peak in peaks]
    assert faults_of(batch_document("too full", batch_of(rule, tighter, count, microbatches)), begins)


def test_by_hand():
    stages = [
        StageTimes(Fraction(1), Fraction(2), lag=Fraction(1, 2), kept=Fraction(3, 2), capacity=Fraction(4)),
        StageTimes(Fraction(1), Fraction(2)),
    ]
    document = batch_document("two", batch_of(RULES["1f1b"], stages, 2, 1))
    assert document["resources"] == {"device 1": 1, "device 2": 1}
    assert document["memories"] == {"memory of device 1": 8}
    first, back, second, last = document["tasks"]
    assert first == {
        "name": "forward of microbatch 1 at stage 1", "seconds": 1, "on": ["device 1"],
        "keeps": [{"memory": "memory of device 1", "amount": 3, "until": "backward of microbatch 1 at stage 1"}],
    }  # fmt: skip
    assert second["after"] == [{"task": "forward of microbatch 1 at stage 1", "lag": "0.5"}]
    assert back["after"] == [
        {"task": "backward of microbatch 1 at stage 2", "lag": "0.5"}, "forward of microbatch 1 at stage 1",
    ]  # fmt: skip
    assert last["after"] == ["forward of microbatch 1 at stage 2"]


def test_no_room_for_what_is_always_there():
    stages = [StageTimes(Fraction(1), Fraction(1), resident=Fraction(3), capacity=Fraction(2))]
    with pytest.raises(Refusal, match="device 1 has no room for what is always there"):
        batch_document("full", batch_of(RULES["1f1b"], stages, 1, 1))


def test_very_many_phases_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    stages = [StageTimes(Fraction(1), Fraction(1))] * 2
    with pytest.raises(Refusal, match="there are 4 tasks, and at most 3 are written; take fewer microbatches"):
        batch_document("many", batch_of(RULES["1f1b"], stages, 2, 1))
