"""All-to-alls by shifted ways: colourings, and steps as few as the bound says."""

from __future__ import annotations

from collections import Counter
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulations.collective.shifted_paths import coloured
from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), max_size=40))
def test_as_many_colours_do_as_the_largest_degree_is(edges):
    colours = coloured(edges)
    degrees = Counter([("chunk", one) for one, _ in edges] + [("carrier", one) for _, one in edges])
    assert all(0 <= colour < max(degrees.values()) for colour in colours)
    for side in (0, 1):
        at = [(edge[side], colour) for edge, colour in zip(edges, colours, strict=True)]
        assert len(set(at)) == len(at)


@pytest.mark.parametrize(
    ("topology", "shape", "steps"),
    [
        ("torus", {"dims": [4, 4]}, 8),
        ("torus", {"dims": [5, 5]}, 15),
        ("torus", {"dims": [4, 2], "chunks": 3}, 12),
        ("hypercube", {"accelerators": 16}, 8),
        ("ring", {"accelerators": 5}, 3),
    ],
)
def test_fewest_steps(topology, shape, steps):
    for name in ("shifted-paths", None):
        plan = solve(collective_of(topology, "all-to-all", **shape), name)
        assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3).filter(lambda dims: 1 < prod(dims) < 25), st.integers(1, 2))
def test_any_torus_has_a_schedule(dims, chunks):
    plan = solve(collective_of("torus", "all-to-all", dims=dims, chunks=chunks), "shifted-paths")
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), plan.native_status


def test_a_step_less_where_not_all_chunks_go_alike():
    # to the opposite one of four all chunks go the same way round, or two each way
    instance = collective_of("ring", "all-to-all", accelerators=4)
    assert (solve(instance, "shifted-paths").objective, solve(instance).objective) == (3, 2)


def test_other_collectives_and_arrays_are_declined():
    with pytest.raises(Refusal, match="all-to-all among all accelerators; try multitree"):
        solve(collective_of(dims=[3, 3]), "shifted-paths")
    with pytest.raises(Refusal, match="no ring, torus or hypercube; try collective-cp-sat"):
        solve(collective_of("mesh", "all-to-all", dims=[3, 3]), "shifted-paths")
