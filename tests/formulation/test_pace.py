"""How long the rest takes: by hand, and with a clock that tests turn."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.formulation.progress import Estimate, Left, Pace, Progress, within
from hypar_opt.formulation.progress.tracker import SAMPLE_S, TELL_S, Tracker


class Clock:
    """Stands still until it is turned."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def paced(*seconds, kind="", units=1):
    pace = Pace()
    for one in seconds:
        pace.add(kind, one, units)
    return pace


def tracked(clock, *arguments, **options):
    heard = []
    return Tracker(heard.append, "test", "things", *arguments, clock=clock, **options), heard


def test_a_sum_of_units_with_its_error():
    # mean 10, variance (81 + 121 + 100 + 100 - 40^2 / 4) / 3 = 2/3; of 6 more: 60 +- 2 sqrt(2/3 x 6 x (1 + 6/4))
    found = paced(9, 11, 10, 10).estimate({"": 6}, "")
    assert found.mean_s == 60
    assert found.error_s == pytest.approx(2 * math.sqrt(10))
    assert found.unit_s == 10
    assert found.unit_most_s == pytest.approx(10 + 2 * math.sqrt(2 / 3 * 5 / 4))


def test_kinds_add_up_means_and_variances():
    pace = paced(9, 11, kind="slow")
    for _ in range(3):
        pace.add("quick", 1)
    found = pace.estimate({"slow": 2, "quick": 5}, "quick")
    assert found.mean_s == 2 * 10 + 5 * 1
    assert found.error_s == pytest.approx(2 * math.sqrt(2 * 2 * (1 + 2 / 2)))
    assert (found.unit_s, found.unit_most_s) == (1, 1)


def test_units_that_are_counted_at_once_are_as_many_units():
    found = paced(40, 40, units=20).estimate({"": 30}, "")
    assert (found.mean_s, found.error_s, found.unit_s) == (60, 0, 40)


@pytest.mark.parametrize(
    ("pace", "ahead"),
    [
        (paced(), {"": 1}),
        (paced(5), {"": 1}),
        (paced(1, 30), {"": 2}),
        (paced(1, 1, kind="a"), {"a": 1, "b": 1}),
        (paced(1, 1), {"": 0}),
    ],
    ids=["nothing done", "one tells no variance", "as uncertain as long", "a kind nobody has seen", "nothing left"],
)
def test_nothing_is_said_of_what_is_unknown(pace, ahead):
    assert pace.estimate(ahead, next(iter(ahead))) is None


def test_what_runs_counts_down_until_it_takes_longer_than_those_before():
    estimate = Estimate(mean_s=30, error_s=4, unit_s=10, unit_most_s=12)
    assert estimate.after(0) == Left(26, 30, 34)
    assert estimate.after(6) == Left(20, 24, 28)
    assert estimate.after(11) == Left(16, 20, 24)  # this one is about to end, the other two are still to come
    assert estimate.after(12.5) == Left(16, None, None)  # when it ends nobody knows


@pytest.mark.parametrize(
    ("left", "limit", "expected"),
    [
        (None, None, None),
        (None, 7, Left(0, None, 7)),
        (None, -1, Left(0, None, 0)),
        (Left(2, 3, 4), None, Left(2, 3, 4)),
        (Left(2, 3, 4), 10, Left(2, 3, 4)),
        (Left(2, 6, 9), 5, Left(2, 5, 5)),
        (Left(8, None, None), 5, Left(5, None, 5)),
    ],
)
def test_a_limit_is_the_most(left, limit, expected):
    assert within(left, limit) == expected


def test_progress_that_is_over_has_nothing_left():
    estimate = Estimate(1, 0, 1, 1)
    assert Progress(3, 3, "things", estimate, 5).left() is None
    assert Progress(2, 3, "things", estimate, 5).left(0.5) == Left(0.5, 0.5, 0.5)
    assert Progress(2, None, "things", None, 5).left(2) == Left(0, None, 3)


@given(st.floats(0.001, 1e6), st.integers(2, 50), st.integers(1, 1000), st.integers(1, 9))
def test_what_always_takes_the_same_takes_that(seconds, times, ahead, units):
    pace = Pace()
    for _ in range(times):
        pace.add("", seconds, units)
    found = pace.estimate({"": ahead}, "")
    assert found.mean_s == pytest.approx(ahead * seconds / units, rel=1e-6)
    assert found.error_s <= 0.01 * found.mean_s


@given(
    st.lists(st.floats(0.01, 100), min_size=2, max_size=20), st.integers(1, 50), st.floats(0, 300), st.floats(0, 300)
)
def test_a_range_holds_its_estimate_and_time_makes_no_more_of_it(seconds, ahead, earlier, later):
    found = paced(*seconds).estimate({"": ahead}, "")
    if found is None:
        return
    first, second = (found.after(x) for x in sorted((earlier, later)))
    for left in (first, second):
        assert left.least_s >= 0
        assert left.likely_s is None or left.least_s <= left.likely_s <= left.most_s
    assert second.least_s <= first.least_s
    assert first.most_s is not None or second.most_s is None


def test_a_tracker_tells_the_beginning_and_every_unit():
    clock = Clock()
    tracker, heard = tracked(clock, 3)
    for _ in range(3):
        clock.now += 2
        tracker.add()
    assert [(event.kind, event.source, event.time_s) for event in heard] == [
        ("progress", "test", seconds) for seconds in (0, 2, 4, 6)
    ]
    assert [(event.progress.done, event.progress.total, event.progress.unit) for event in heard] == [
        (done, 3, "things") for done in range(4)
    ]
    assert [event.progress.left() for event in heard] == [None, None, Left(2, 2, 2), None]


def test_kinds_are_counted_in_their_order():
    clock = Clock()
    tracker, heard = tracked(clock, kinds=["a", "b"] * 3)
    for seconds in (1, 10, 1, 10, 1):
        clock.now += seconds
        tracker.add()
    assert [event.progress.left() for event in heard[:4]] == [None] * 4
    assert heard[4].progress.left() == Left(11, 11, 11)
    assert heard[5].progress.left(4) == Left(6, 6, 6)


def test_each_units_limit_limits_what_is_left():
    clock = Clock()
    _, heard = tracked(clock, 4, each_s=5)
    assert heard[0].progress.left() == Left(0, None, 20)
    assert heard[0].progress.left(2) == Left(0, None, 18)


@pytest.mark.parametrize("options", [{"total": None}, {"total": 9, "estimated": False}])
def test_no_estimate_where_nobody_knows_the_total_or_each_is_larger_than_the_last(options):
    clock = Clock()
    tracker, heard = tracked(clock, **options)
    for _ in range(4):
        clock.now += 1
        tracker.add()
    assert [event.progress.estimate for event in heard] == [None] * 5


def test_bursts_of_one_kind_are_timed_together():
    clock = Clock()
    tracker, heard = tracked(clock, 40)
    for _ in range(10):  # two workers, who hand in at the same time
        clock.now += SAMPLE_S
        tracker.add()
        tracker.add()
    # the second of a burst is timed with the first of the next: all samples are of one length, but for the first
    assert heard[-1].progress.left().likely_s == pytest.approx(20 * SAMPLE_S / 2, rel=0.06)
    assert heard[-1].progress.estimate.error_s < heard[-1].progress.estimate.mean_s / 2


def test_a_warm_up_is_not_timed():
    clock = Clock()
    tracker, heard = tracked(clock, 5, warming=True)
    for seconds in (60, 1, 1):
        clock.now += seconds
        tracker.add()
    assert heard[-1].progress.left() == Left(2, 2, 2)


def test_what_is_quick_says_nothing_and_the_rest_not_too_often():
    clock = Clock()
    tracker, heard = tracked(clock, 3, after_s=1)
    for _ in range(3):
        clock.now += 0.3
        tracker.add()
    assert heard == []
    tracker, heard = tracked(clock, 5, after_s=1)
    for seconds in (0.9, 0.2, 0.6 * TELL_S, 0.6 * TELL_S, 0.001):
        clock.now += seconds
        tracker.add()
    assert [event.progress.done for event in heard] == [2, 4, 5]


def test_nothing_counted_is_nothing_told():
    clock = Clock()
    tracker, heard = tracked(clock, 3)
    tracker.add(0)
    assert len(heard) == 1
    Tracker(None, "test", "things", 3).add()
