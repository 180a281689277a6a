"""What is wrong with a schedule, each kind of fault alone, and what is kept when."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.evaluation.schedule import JudgedSchedule, OperationSpan


def span(begin, end, device, phase, microbatch=0):
    return OperationSpan(Fraction(begin), Fraction(end), device, device, microbatch, phase)


GOOD = (span(0, 1, 0, "forward"), span(2, 3, 1, "forward"), span(3, 4, 1, "backward"), span(5, 6, 0, "backward"))


def judged(spans, kept=(2, 1), resident=(10, 10), versions=()):
    lags = [Fraction(1), Fraction(0)]
    return JudgedSchedule(spans, lags, [(), (0,)], list(map(Fraction, kept)), list(map(Fraction, resident)), versions)


def test_a_schedule():
    found = judged(GOOD)
    assert found.fault() is None
    assert (found.seconds, found.devices, found.busy(0), found.bubble) == (6, 2, 2, Fraction(2, 3))
    assert found.memory(0) == [(0, 12), (6, 10)]
    assert found.memory(1) == [(0, 10), (2, 11), (4, 10)]
    assert [found.peak(device) for device in range(2)] == [12, 11]
    assert [judged(GOOD, versions=(Fraction(7), Fraction(7))).peak(device) for device in range(2)] == [12, 11]


def test_a_version_more_is_kept_while_a_second_microbatch_is_in_flight():
    later = (span(1, 2, 0, "forward", 1), span(4, 5, 1, "forward", 1), span(5, 6, 1, "backward", 1),
             span(7, 8, 0, "backward", 1))  # fmt: skip
    found = judged((*GOOD, *later), versions=(Fraction(7), Fraction(7)))
    assert found.fault() is None
    assert found.memory(0) == [(0, 12), (1, 21), (6, 12), (8, 10)]
    assert found.peak(1) == 11


@pytest.mark.parametrize(
    ("place", "change", "fault"),
    [
        (
            1,
            {"begin": Fraction(1)},
            "forward of microbatch 1 at stage 2 begins before forward of microbatch 1 at stage 1",
        ),
        (2, {"begin": Fraction(5, 2)}, "device 2 does forward of microbatch 1 at stage 2 and backward of"),
        (3, {"begin": Fraction(9, 2)}, "backward of microbatch 1 at stage 1 begins before backward of microbatch 1 at"),
        (0, {"microbatch": 1}, "forward of microbatch 1 at stage 2 begins before forward of microbatch 1 at stage 1"),
    ],
)
def test_what_is_wrong_with_a_schedule(place, change, fault):
    spans = [*GOOD]
    spans[place] = replace(spans[place], **change)
    assert judged(tuple(spans)).fault().startswith(fault)


def test_a_gradient_waits_for_its_backward_operation():
    early = (*GOOD, replace(span(0, 1, 1, "gradient"), begin=Fraction(7, 2), end=Fraction(7, 2)))
    assert judged(early).fault().startswith("gradient of microbatch 1 at stage 2 begins before backward")
