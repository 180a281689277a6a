"""A collective of several sizes by every algorithm."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt import solve
from hypar_opt.formulation.run import Limits
from hypar_opt.studies.collectives import times_over_sizes
from hypar_opt.util.errors import InputError
from tests.collectives import collective_of

LINK = {"bandwidth": 1000, "latency": 2}
NAMES = ("ring", "multitree", "shifted-trees")
SIZES = (16, 1000, 10**6)


def test_one_schedule_in_steps_is_of_all_sizes():
    found = times_over_sizes(collective_of(dims=[4, 4], link=LINK), [*SIZES[::-1], 16], NAMES)
    ring, trees, shifted = found.algorithms
    assert found.sizes == SIZES
    assert (ring.steps, trees.steps, shifted.steps) == (15, 5, 4)
    assert shifted.optimal == (True, True, True)
    for one in found.found:
        assert one.seconds == tuple(one.steps * (2 + Fraction(size, 16_000)) for size in SIZES)
    assert found.bounds == shifted.seconds
    assert found.any_chunks[-1] == 2 + Fraction(15 * 10**6, 64_000)
    assert [found.fastest(place) for place in range(3)] == [("shifted-trees",)] * 3


def test_of_the_least_time_every_size_is_solved():
    instance = collective_of("mesh", "all-reduce", dims=[2, 3], link=LINK, objective="time")
    found = times_over_sizes(instance, SIZES, NAMES)
    for one in found.algorithms[:2]:
        alone = [solve(replace(instance, bytes_=size), one.formulation) for size in SIZES]
        assert one.seconds == tuple(plan.objective for plan in alone)
        assert all(plan.bound <= bound <= plan.objective for plan, bound in zip(alone, found.bounds, strict=True))
    assert found.algorithms[2].seconds == (None, None, None)
    assert "does not look the same from everywhere" in found.algorithms[2].reason
    assert found.found == found.algorithms[:2]


def test_a_stop_leaves_what_there_is():
    limits = Limits()
    limits.stop.set()
    found = times_over_sizes(collective_of(dims=[2, 2], link=LINK), SIZES, NAMES, limits=limits)
    assert (found.algorithms, found.fastest(0)) == ((), ())


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"dims": [2, 2], "link": LINK, "objective": "bandwidth"}, "objective: expected steps, rounds or time"),
        ({"dims": [2, 2]}, "array.link: expected a bandwidth for every link"),
        ({"dims": [5, 5], "link": LINK}, "--bytes: expected at least a byte for each of the 25 chunks, got 16"),
    ],
)
def test_what_has_no_times_is_refused(said, message):
    with pytest.raises(InputError) as caught:
        times_over_sizes(collective_of(**said), SIZES, NAMES)
    assert message in str(caught.value)
