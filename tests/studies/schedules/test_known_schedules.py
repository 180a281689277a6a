"""Known schedules: what they take, keep and leave idle, on equal stages and on random ones."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.studies.schedules import RULES, StageTimes, batch_of, begins_of
from hypar_opt.studies.schedules.compare import compare_schedules, fits, judged_of

ONE = Fraction(1)


def equal(count, chunks=1, capacity=None):
    part = Fraction(1, chunks)
    return [StageTimes(part, 2 * part, part, kept=part, capacity=capacity) for _ in range(count * chunks)]


def found(stages, microbatches, devices=None):
    return {one.name: one for one in compare_schedules(stages, microbatches, devices=devices)}


@pytest.mark.parametrize("devices", [1, 2, 3, 5])
@pytest.mark.parametrize("microbatches", [1, 2, 5, 12])
def test_equal_stages_leave_the_bubbles_of_the_formulas(devices, microbatches):
    every = found(equal(devices), microbatches)
    bubble = Fraction(devices - 1, microbatches + devices - 1)
    assert every["gpipe"].bubble == every["1f1b"].bubble == bubble
    assert every["pipedream"].bubble == 0
    assert every["pipedream"].seconds == 3 * microbatches
    if microbatches >= devices:  # forward + backward - twice the gradient is 1 a stage
        assert every["zero-bubble"].seconds == 3 * microbatches + devices - 1
    assert every["1f1b"].seconds == every["gpipe"].seconds == 3 * (microbatches + devices - 1)


@pytest.mark.parametrize(("devices", "chunks", "microbatches"), [(2, 2, 4), (4, 2, 8), (3, 3, 6), (4, 1, 4)])
def test_several_stages_a_device_leave_smaller_bubbles(devices, chunks, microbatches):
    rule = RULES["interleaved"]
    batch = batch_of(rule, equal(devices, chunks), devices, microbatches)
    judged = judged_of(batch, begins_of(batch, rule.orders(devices, chunks, microbatches)))
    assert judged.bubble == Fraction(devices - 1, chunks * microbatches + devices - 1)


def test_what_is_kept_of_microbatches_in_flight():
    every = found(equal(4), 8)
    peaks = {name: [one.judged.peak(device) for device in range(4)] for name, one in every.items() if one.judged}
    assert peaks == {
        "gpipe": [8, 8, 8, 8],
        "1f1b": [4, 3, 2, 1],
        "pipedream": [4, 3, 2, 1],
        "zero-bubble": [4, 4, 4, 4],
    }


def test_versions_of_parameters_are_kept_for_every_microbatch_in_flight():
    stages = [StageTimes(ONE, ONE, resident=Fraction(10), parameters=Fraction(4)) for _ in range(3)]
    every = found(stages, 6)
    assert [every["pipedream"].judged.peak(device) for device in range(3)] == [18, 14, 10]
    assert [every["1f1b"].judged.peak(device) for device in range(3)] == [10, 10, 10]


TIMES = st.fractions(0, 5, max_denominator=4)


@st.composite
def batches(draw):
    devices, chunks = draw(st.integers(1, 4)), draw(st.integers(1, 2))
    stages = []
    for _ in range(devices * chunks):
        forward, backward, lag, kept = (draw(TIMES) for _ in range(4))
        stages.append(StageTimes(forward, backward, backward * draw(st.sampled_from([0, Fraction(1, 2)])), lag, kept))
    return stages, devices, draw(st.integers(1, 6))


@settings(max_examples=60)
@given(batches())
def test_every_known_schedule_is_one(drawn):
    """`judged_of` raises where something begins too early; nothing is shorter than the busiest device."""
    stages, devices, microbatches = drawn
    for one in compare_schedules(stages, microbatches, devices=devices):
        if one.judged is None:
            assert one.reason
            continue
        work = [sum(x.forward + x.backward for x in stages[device::devices]) for device in range(devices)]
        assert one.judged.seconds >= microbatches * max(work)
        assert one.seconds >= microbatches * max(work)
        assert len(one.judged.spans) == microbatches * len(stages) * (3 if RULES[one.name].splits_backward else 2)


def test_a_schedule_that_keeps_too_much_does_not_fit():
    every = found(equal(4, capacity=Fraction(4)), 8)
    assert {name: one.fits for name, one in every.items() if one.judged} == {
        "gpipe": False, "1f1b": True, "pipedream": True, "zero-bubble": True,
    }  # fmt: skip
    assert not fits(every["1f1b"].judged, equal(4, capacity=Fraction(3)), 4)


@pytest.mark.parametrize(
    ("name", "count", "devices", "microbatches", "reason"),
    [
        ("gpipe", 4, 2, 2, "a device has one stage only"),
        ("interleaved", 4, 4, 4, "a device has several stages"),
        ("interleaved", 4, 2, 3, "expected microbatches in groups of 2, one a device, got 3"),
        ("zero-bubble", 2, 2, 2, "needs the seconds in which gradients of parameters are computed"),
    ],
)
def test_why_a_rule_has_none(name, count, devices, microbatches, reason):
    stages = [StageTimes(ONE, ONE) for _ in range(count)]
    assert found(stages, microbatches, devices)[name].reason == reason


def test_a_filling_pipeline_of_long_lags_is_no_endless_stream():
    stages = [StageTimes(ONE, ONE, lag=5 * ONE)] * 2  # two microbatches in flight, 14 from each to the one after next
    for microbatches in (1, 2, 3):
        stream = found(stages, microbatches)["pipedream"]
        assert (stream.seconds, stream.bubble) == (7 * microbatches, Fraction(5, 7))


@given(batches())
def test_an_endless_stream_goes_as_many_microbatches_do(drawn):
    stages, _, _ = drawn
    stages, rule, many = stages[:3], RULES["pipedream"], 48
    batch = batch_of(rule, stages, len(stages), many)
    last_end = judged_of(batch, begins_of(batch, rule.orders(len(stages), 1, many))).seconds
    each = found(stages, 1)["pipedream"].seconds
    filling = sum(one.forward + one.backward + 2 * one.lag for one in stages) + len(stages) ** 2 * each
    assert abs(last_end - many * each) <= filling
