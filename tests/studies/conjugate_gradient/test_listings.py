"""Listings of conjugate gradients: dependences against those that are written down by hand, and against brute force."""

from __future__ import annotations

from collections import Counter
from graphlib import TopologicalSorter
from itertools import product as pairs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.studies.conjugate_gradient import VARIANTS, Loop, unroll
from hypar_opt.studies.conjugate_gradient.listing import Variant, axpy, dot, precondition, product, scalar

LOOPS = st.builds(
    Loop,
    st.sampled_from(list(VARIANTS.values())),
    st.integers(1, 4),
    st.integers(1, 4),
    st.none() | st.integers(1, 3),
    st.sampled_from(["renamed", "in-place"]),
    st.none() | st.integers(0, 2),
)


def waits(loop, name):
    """Return the names that a step waits for."""
    steps = unroll(loop)
    (one,) = (step for step in steps if step.name == name)
    return {steps[number].name for number in one.waits_for}


def before(steps):
    """Return by number all steps that have ended when one begins."""
    found = []
    for step in steps:
        found.append(set(step.waits_for).union(*(found[one] for one in step.waits_for)))
    return found


def longest(steps):
    """Return how many steps, without barriers, wait for each other at most."""
    ends = []
    for step in steps:
        ends.append(max((ends[one] for one in step.waits_for), default=0) + (step.kernel.operation.name != "barrier"))
    return max(ends)


@pytest.mark.parametrize(
    ("variant", "name", "expected"),
    [
        ("ifcg1", "gamma.0.2", set()),
        ("ifcg1", "n.0.2", {"m.0.1", "m.0.2"}),
        ("ifcg1", "beta.0", {"gamma.0.1", "gamma.0.2", "delta.0.1", "delta.0.2"}),
        ("ifcg2", "beta.0", {"gamma.0.1", "gamma.0.2"}),
        ("ifcg2", "beta.1", {"gamma.1.1", "gamma.1.2", "beta.0"}),
        ("ifcg2", "alpha.1", {"delta.1.1", "delta.1.2", "beta.1", "alpha.0"}),
        ("ifcg2", "z.1.1", {"n.1.1", "beta.1", "z.0.1"}),
        ("ifcg2", "w.0.1", {"z.0.1", "alpha.0"}),
        ("ifcg2", "m.1.1", {"w.0.1"}),
        ("pcg", "alpha.0", {"sp.0.1", "sp.0.2"}),
        ("pcg", "u.0.1", {"r.0.1"}),
        ("pcg", "beta.0", {"ru.0.1", "ru.0.2"}),
        ("pcg", "end.0", {"x.0.1", "x.0.2", "p.0.1", "p.0.2"}),
        ("pcg", "s.1.1", {"end.0"}),
        ("pcg", "sp.1.1", {"s.1.1"}),
    ],
)
def test_known_dependences(variant, name, expected):
    assert waits(Loop(VARIANTS[variant], 2, 2), name) == expected


def test_in_place_waits_for_readers_as_well():
    loop = Loop(VARIANTS["ifcg2"], 2, 2, storage="in-place")
    # n reads all of m, and m is overwritten an iteration later
    assert waits(loop, "m.1.1") == {"w.0.1", "m.0.1", "n.0.1", "n.0.2", "q.0.1"}
    assert waits(loop, "beta.1") >= {"alpha.0", "z.0.1", "p.0.2"}


def test_reach_of_a_banded_matrix():
    assert waits(Loop(VARIANTS["ifcg1"], 5, 1, reach=1), "n.0.3") == {"m.0.2", "m.0.3", "m.0.4"}
    assert waits(Loop(VARIANTS["ifcg1"], 5, 1, reach=0), "n.0.3") == {"m.0.3"}


def test_barriers_every_so_many_iterations():
    steps = unroll(Loop(VARIANTS["ifcg1"], 2, 7, fuse=3))
    assert [step.name for step in steps if step.kernel.operation.name == "barrier"] == ["end.2", "end.5"]
    assert [step.name for step in unroll(Loop(VARIANTS["ifcg1"], 2, 3, fuse=3), closed=True)][-1] == "end.2"
    assert not [step for step in unroll(Loop(VARIANTS["ifcg1"], 2, 7)) if step.kernel.writes == "end"]
    assert sum(step.kernel.writes == "end" for step in unroll(Loop(VARIANTS["pcg"], 2, 7))) == 6


@pytest.mark.parametrize(
    ("variant", "tasks", "path"),
    [("pcg", 23, 8), ("chronopoulos-cg", 26, 6), ("gropp-cg", 29, 6), ("pipelined-cg", 38, 4), ("ifcg1", 38, 4),
     ("ifcg2", 38, 4)],
)  # fmt: skip
def test_tasks_and_longest_path_of_an_iteration(variant, tasks, path):
    for iterations in (1, 3):
        steps = unroll(Loop(VARIANTS[variant], 3, iterations))
        assert sum(step.kernel.operation.name != "barrier" for step in steps) == iterations * tasks
        assert longest(steps) == iterations * path


def test_vector_updates_are_three_and_eight():
    counts = {name: Counter(one.operation.name for one in variant.kernels) for name, variant in VARIANTS.items()}
    assert counts["pcg"]["axpy"] == 3
    assert {counts[name]["axpy"] for name in ("pipelined-cg", "ifcg1", "ifcg2")} == {8}
    assert all(one["product"] == one["preconditioner"] == 1 and one["dot"] == 2 for one in counts.values())


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda one: one.name)
def test_what_is_read_is_written_and_nothing_twice(variant):
    written = [kernel.writes for kernel in variant.kernels]
    assert len(written) == len(set(written))
    assert {name for kernel in variant.kernels for name in kernel.reads} <= set(written)


@settings(max_examples=15)
@given(LOOPS)
def test_steps_come_after_what_they_wait_for_and_barriers_part(loop):
    steps = unroll(loop)
    assert len({step.name for step in steps}) == len(steps)
    assert all(one < number for number, step in enumerate(steps) for one in step.waits_for)
    ended = before(steps)
    for number, step in enumerate(steps):
        if step.kernel.writes == "end":
            assert ended[number] == set(range(number))
            assert all(number in ended[other] for other in range(number + 1, len(steps)))


@settings(max_examples=12)
@given(LOOPS)
def test_against_a_dependence_by_definition(loop):
    """Two steps are ordered if one touches what the other writes; all such pairs, closed, are what is found."""
    steps, once = unroll(loop), {one.writes for one in loop.variant.kernels if one.operation.once}
    blocks = range(1, loop.blocks + 1)

    def touched(step):
        for name in step.kernel.reads:
            for block in [None] if name in once else blocks:
                near = step.kernel.operation.gathers and (loop.reach is None or abs(block - step.block) <= loop.reach)
                if block is None or step.block in (None, block) or near:
                    yield name, block

    reads = [set(touched(step)) for step in steps]
    writes = [(step.kernel.writes, step.block) for step in steps]
    order = {number: set() for number in range(len(steps))}
    for one, two in pairs(range(len(steps)), repeat=2):
        if one >= two or "end" in (writes[one][0], writes[two][0]):
            continue
        last = all(writes[between] != writes[one] for between in range(one + 1, two))
        if writes[one] in reads[two] and last:
            order[two].add(one)
        if loop.storage == "in-place" and (writes[two] in reads[one] or writes[two] == writes[one]):
            order[two].add(one)
    for number, step in enumerate(steps):
        if step.kernel.writes == "end":
            order[number] |= set(range(number))
            for other in range(number + 1, len(steps)):
                order[other].add(number)
    closed = {}
    for number in TopologicalSorter(order).static_order():
        closed[number] = order[number].union(*(closed[one] for one in order[number]))
    assert [closed[number] for number in range(len(steps))] == before(steps)


def test_a_listing_of_ones_own():
    mine = Variant(
        "mine", "one product and one sum", "nobody",
        (product("y", "x"), dot("yy", "y", "y"), scalar("a", "yy"), precondition("v", "y"), axpy("x", "v", "a", "x")),
        fuses=True,
    )  # fmt: skip
    assert waits(Loop(mine, 2, 2), "y.1.1") == {"x.0.1", "x.0.2"}
    assert longest(unroll(Loop(mine, 2, 3))) == 12
