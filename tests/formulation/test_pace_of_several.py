"""How long the rest takes where several workers run units beside each other: with a clock that tests turn."""

from __future__ import annotations

import heapq
from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.formulation.progress import Left, Progress
from hypar_opt.formulation.progress.parallel import Parallel
from hypar_opt.formulation.progress.tracker import TELL_S, Tracker


class Clock:
    """Stands where it is put."""

    now = 50.0

    def __call__(self):
        return self.now


def played(seconds, workers, *, between_s=0.0, kinds=(), **options):
    """Run units of given seconds on workers; return what was told, with the seconds that were really left then."""
    clock, heard = Clock(), []
    tracker = Tracker(
        lambda event: heard.append((clock.now, event.progress)), "test", "things", len(seconds), clock=clock,
        kinds=kinds, **options,
    )  # fmt: skip
    waiting, running = deque(enumerate(seconds)), []

    def hand_out():
        while waiting and len(running) < workers:
            index, took = waiting.popleft()
            heapq.heappush(running, (clock.now + between_s + took, index, took))
        tracker.begin(len(running), workers)

    hand_out()
    while running:
        if running[0][0] > clock.now + 2 * TELL_S:
            clock.now += 1.01 * TELL_S
            tracker.begin(len(running), workers)
        clock.now, index, took = heapq.heappop(running)
        tracker.end({index: took}, len(running) + bool(waiting))
        hand_out()
    return [(progress, clock.now - now) for now, progress in heard]


def test_units_beside_each_other_take_a_share_of_the_time():
    told = played([10.0] * 12, 4)
    assert (told[0][0].running, told[1][0].running) == (0, 4)
    halfway = next(progress for progress, left in told if progress.done == 8)
    assert halfway.left() == Left(2.5, 10, 17.5)  # the last may end three quarters of a unit sooner or later
    assert halfway.left(4) == Left(0, 6, 13.5)
    assert told[-1][0].over


@given(st.integers(1, 8), st.integers(3, 40), st.floats(0.2, 500))
@settings(max_examples=25)
def test_what_always_takes_the_same_ends_between_least_and_most(workers, count, seconds):
    for progress, left in played([seconds] * count, workers):
        found = progress.left()
        assert found is None or found.likely_s is None or found.least_s <= left * 1.001 + 0.001
        assert found is None or found.most_s is None or left <= found.most_s * 1.001 + 0.001


@pytest.mark.parametrize(("workers", "off"), [(2, 0.02), (7, 0.05), (40, 0.15)])
def test_what_takes_now_long_now_short_is_estimated_well(workers, off):
    told = played([1.0, 3.0, 2.0, 6.0, 0.5] * 200, workers)
    progress, left = next(one for one in told if one[0].done >= 500)
    assert progress.left().likely_s == pytest.approx(left, rel=off)
    assert progress.left().least_s <= left <= progress.left().most_s


def test_time_between_units_is_counted_too():
    told = played([1.0] * 400, 4, between_s=1.0)
    progress, left = next(one for one in told if one[0].done >= 200)
    assert progress.left().likely_s == pytest.approx(left, rel=0.03)


def test_kinds_are_those_of_the_units_that_ended():
    kinds = ["long", "short", "short", "short"] * 10
    told = played([9.0 if kind == "long" else 1.0 for kind in kinds], 3, kinds=kinds)
    progress, left = next(one for one in told if one[0].done >= 20)
    assert progress.left().likely_s == pytest.approx(left, rel=0.1)


def test_the_first_units_of_every_worker_are_not_timed_where_they_warm_up():
    told = played([60.0, 60.0, *[1.0] * 38], 2, warming=True)
    progress, _ = next(one for one in told if one[0].done >= 20)
    assert progress.left().likely_s == pytest.approx(10, rel=0.1)


def test_each_units_limit_counts_once_for_all_that_run():
    told = played([10.0] * 12, 4, each_s=25)
    assert told[0][0].left() == Left(0, None, 300)  # nobody has said yet that there are four
    assert told[1][0].left() == Left(0, None, 75)


def test_what_was_set_aside_is_done_and_failed_and_told_at_once():
    clock, heard = Clock(), []
    tracker = Tracker(heard.append, "test", "things", 10, clock=clock)
    tracker.begin(2, 2)
    clock.now += TELL_S / 2
    tracker.end({0: 1.0}, 2)
    tracker.end({}, 2, [1])
    clock.now += TELL_S
    tracker.end({2: 1.0, 3: 1.0}, 1)
    counts = [(one.progress.done, one.progress.running, one.progress.failed) for one in heard]
    assert counts == [(0, 0, 0), (0, 2, 0), (2, 2, 1), (4, 1, 1)]


def test_what_is_beside_each_other_in_words():
    assert Progress(3, 80, "solves", running=1200, failed=1).beside == "1,200 running, 1 failed"
    assert Progress(3, 80, "solves").beside == ""


def test_units_that_are_run_now_are_half_spent():
    beside = Parallel(at_once=2)
    beside.count(10, [5.0], 2, 0)
    assert beside.share(5) == 1
    beside.count(20, [5.0], 2, 0)
    assert beside.share(5) == (5 + 2 * 5 / 2) / (2 * 10)
