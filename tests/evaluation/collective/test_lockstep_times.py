"""Times of synchronous steps of any size, and what no schedule is faster than into however many chunks it is cut."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt import solve
from hypar_opt.evaluation.collective import JudgedCollective
from hypar_opt.evaluation.collective.fluid_bound import fluid_bounds
from hypar_opt.instance.collective import read_schedule
from tests.collectives import collective_of

COLLECTIVES = ("all-gather", "reduce-scatter", "all-reduce", "broadcast")
LINK = {"bandwidth": 1000, "latency": 2}


def unlike(latencies):
    """Return a ring of six whose links are of two bandwidths and several latencies."""
    links = [
        {"ends": [f"n{i}", f"n{(i + 1) % 6}"], "bandwidth": 1000 * (1 + i % 2), "latency": latency}
        for i, latency in enumerate(latencies)
    ]
    return {"nodes": [{"name": f"n{i}"} for i in range(6)], "links": links}


def drawn(collective, latencies, **said):
    root = {"root": "n1"} if collective == "broadcast" else {}
    return collective_of("custom", collective, graph=unlike(latencies), **root, **said)


def judged(instance, name):
    return JudgedCollective(instance, read_schedule(instance, solve(instance, name).strategies))


@settings(max_examples=8)
@given(
    st.sampled_from(COLLECTIVES),
    st.sampled_from(["ring", "multitree"]),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.integers(12, 10**6),
)
def test_of_another_size_it_is_what_is_recounted(collective, name, latencies, size):
    instance = drawn(collective, latencies, chunks=2)
    first = judged(instance, name)
    other = replace(instance, bytes_=size)
    seconds = first.lockstep.seconds(other.chunk_bytes)
    again = JudgedCollective(other, first.schedule)
    slowest = {}  # step by step, send by send
    for one in again.schedule.sends:
        loads = [again.by_step[one.end][hop] * again.use.transfer(hop) for hop in pairwise(one.route)]
        slowest[one.end] = max(slowest.get(one.end, 0), again.use.latency(one.route) + max(loads))
    assert seconds == again.seconds == sum(slowest.values())
    assert seconds >= max(bound.seconds(size) for bound in fluid_bounds(other))


@pytest.mark.parametrize("name", ["ring", "multitree"])
@pytest.mark.parametrize("shape", [{"topology": "torus", "dims": [3, 4]}, {"topology": "mesh", "dims": [2, 3]}])
def test_where_links_are_alike_it_is_steps_times_one_chunk(name, shape):
    found = judged(collective_of(collective="all-reduce", link=LINK, **shape), name)
    assert found.lockstep.seconds(Fraction(7, 3)) == found.steps * (2 + Fraction(7, 3000))


@settings(max_examples=8)
@given(
    st.sampled_from(COLLECTIVES),
    st.sampled_from(["ring", "multitree"]),
    st.lists(st.integers(0, 3), min_size=6, max_size=6),
    st.sampled_from([12, 1000, 10**6]),
)
def test_no_schedule_in_time_is_below_it(collective, name, latencies, size):
    instance = drawn(collective, latencies, chunks=2, objective="time", bytes=size)
    assert solve(instance, name).objective >= max(bound.seconds(size) for bound in fluid_bounds(instance))


@pytest.mark.parametrize(
    ("shape", "collective", "latency", "parts"),
    [
        ({"topology": "torus", "dims": [4, 4]}, "all-gather", 2, Fraction(15, 64)),  # ForestColl's 64/15, one link each
        ({"topology": "mesh", "dims": [4, 4]}, "all-gather", 2, Fraction(15, 32)),
        ({"topology": "torus", "dims": [4, 4]}, "all-reduce", 2, Fraction(30, 64)),
        ({"topology": "ring", "accelerators": 5}, "all-reduce", 2, Fraction(8, 10)),
        ({"topology": "star", "accelerators": 4}, "broadcast", 4, Fraction(1)),
    ],
)
def test_it_is_the_bandwidth_of_the_tightest_cut(shape, collective, latency, parts):
    root = {"root": "a0"} if collective == "broadcast" else {}
    bounds = fluid_bounds(collective_of(collective=collective, link=LINK, **shape, **root))
    assert max(bound.per_byte for bound in bounds) == parts / 1000
    assert max(bound.seconds(0) for bound in bounds) >= latency
    assert all(bound.text for bound in bounds)
