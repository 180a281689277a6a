"""One tree shifted to all: what shifts are, and that the trees take as few steps as there can be."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import solve
from hypar_opt.cost.collective_shifts import shifts_of
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of

SHAPES = [
    ("ring", {"accelerators": 5}),
    ("torus", {"dims": [3, 2]}),
    ("torus", {"dims": [2, 1, 4]}),
    ("hypercube", {"accelerators": 8}),
]


@pytest.mark.parametrize(("topology", "shape"), SHAPES)
def test_shifts_are_a_group_that_keeps_links(topology, shape):
    machine = collective_of(topology, **shape).machine
    shifts = shifts_of(machine)
    count = len(machine.accelerators)
    assert [shift[0] for shift in shifts] == list(range(count))
    for shift in shifts:
        assert {(shift[one], shift[other]) for one, other in machine.link_of} == {*machine.link_of}
        assert all(tuple(shift[node] for node in other) in shifts for other in shifts)
        assert shift == tuple(range(count)) or all(node != to for node, to in enumerate(shift))


@pytest.mark.parametrize(("topology", "shape"), [("mesh", {"dims": [2, 3]}), ("fat-tree", {"ports": 2})])
def test_other_arrays_have_no_shifts(topology, shape):
    instance = collective_of(topology, **shape)
    assert shifts_of(instance.machine) == ()
    with pytest.raises(Refusal, match="does not look the same from everywhere; try multitree"):
        solve(instance, "shifted-trees")


def test_a_group_or_a_root_is_declined():
    for said in ({"group": ["a0", "a1"]}, {"collective": "broadcast", "root": "a0"}, {"collective": "all-to-all"}):
        with pytest.raises(Refusal, match="not all take part alike"):
            solve(collective_of(dims=[3, 3], **said), "shifted-trees")


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=3).filter(lambda dims: 2 <= prod(dims) <= 30),
    st.integers(1, 3),
    st.sampled_from(["all-gather", "reduce-scatter", "all-reduce"]),
)
def test_trees_take_what_the_bound_says_on_any_torus(dims, chunks, collective):
    plan = solve(collective_of("torus", collective, dims=dims, chunks=chunks), "shifted-trees")
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), plan.native_status
    # the halves of an all-reduce each round up, and there may be others
    assert plan.objective - plan.bound <= (1 if collective == "all-reduce" else 0)


@pytest.mark.parametrize(
    ("topology", "shape", "steps"),
    [
        ("torus", {"dims": [8, 8]}, 16),
        ("torus", {"dims": [3, 3, 3]}, 5),
        ("torus", {"dims": [3, 4, 5], "chunks": 2}, 20),
        ("hypercube", {"accelerators": 32}, 7),
        ("ring", {"accelerators": 9}, 4),
    ],
)
def test_fewest_steps(topology, shape, steps):
    plan = solve(collective_of(topology, **shape), "shifted-trees")
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)


def test_an_all_reduce_on_a_torus_is_proven_in_time_too():
    instance = collective_of("torus", "all-reduce", dims=[4, 4], objective="time", link={"bandwidth": 3, "latency": 1})
    plan = solve(instance, "shifted-trees")
    assert plan.status is Status.OPTIMAL
