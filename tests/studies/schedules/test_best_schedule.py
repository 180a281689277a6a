"""The shortest schedule against all orders of all devices, and against the known ones."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product

import pytest

from hypar_opt.formulation.run import limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.studies.schedules import Batch, StageTimes, begins_of
from hypar_opt.studies.schedules.compare import compare_schedules, fits, judged_of
from tests.helpers import each


def drawn(seed):
    rng = random.Random(seed)
    capacity = rng.choice([None, Fraction(rng.randint(2, 5))])
    return [
        StageTimes(
            Fraction(rng.randint(1, 4)), Fraction(rng.randint(1, 4)), lag=Fraction(rng.randint(0, 2)),
            kept=Fraction(rng.randint(0, 2)), resident=Fraction(rng.randint(0, 1)), capacity=capacity,
        )
        for _ in range(2)
    ]  # fmt: skip


def shortest(stages, microbatches):
    """Return the least seconds of all orders of both devices; None where nothing fits.

    With room for all, no operation need wait longer than its order makes it; with less it may have to, but then another
    order of the same lets it begin as early.
    """
    batch = Batch(tuple(stages), len(stages), microbatches)
    own = [[step for step in batch.steps if step.stage == stage] for stage in range(len(stages))]
    best = None
    for orders in product(*(permutations(each_device) for each_device in own)):
        try:
            judged = judged_of(batch, begins_of(batch, orders))
        except ValueError:
            continue
        if fits(judged, stages, len(stages)) and (best is None or judged.seconds < best):
            best = judged.seconds
    return best


@each("seed", range(12), quick=3)
def test_it_is_the_shortest_of_all_orders(seed):
    stages = drawn(seed)
    best = compare_schedules(stages, 2, limits=limits_of(None, workers=1))[-1]
    expected = shortest(stages, 2)
    if expected is None:
        assert best.status is Status.INFEASIBLE
    else:
        assert (best.status, best.seconds, best.bound) == (Status.OPTIMAL, expected, expected)


@pytest.mark.parametrize("devices", [2, 3])
def test_one_forward_one_backward_is_the_shortest_of_equal_stages(devices):
    stages = [StageTimes(Fraction(1), Fraction(2), Fraction(1), kept=Fraction(1), capacity=Fraction(devices))] * devices
    every = {one.name: one for one in compare_schedules(stages, 4, limits=limits_of(None, workers=1))}
    assert every["best"].status is every["best, backward split"].status is Status.OPTIMAL
    assert every["best"].seconds == every["1f1b"].seconds
    assert every["best, backward split"].seconds == every["zero-bubble"].seconds


def test_a_batch_of_too_many_operations_is_not_searched():
    stages = [StageTimes(Fraction(1), Fraction(1))] * 4
    assert "more than 400" in compare_schedules(stages, 100, limits=limits_of(None))[-1].reason


def test_what_is_always_there_and_does_not_fit_leaves_no_schedule():
    stages = [StageTimes(Fraction(1), Fraction(2), resident=Fraction(2, 3), capacity=Fraction(1))] * 4
    best = compare_schedules(stages, 2, devices=2, limits=limits_of(None, workers=1))[-1]
    assert (best.status, best.judged) == (Status.INFEASIBLE, None)


def test_bytes_that_no_sum_of_64_bits_holds_are_declined():
    stages = [StageTimes(Fraction(1), Fraction(2), kept=Fraction(2**62), capacity=Fraction(2**70))] * 2
    assert "64 bits" in compare_schedules(stages, 2, limits=limits_of(None, workers=1))[-1].reason
