"""Fewest steps and rounds, proven."""

from __future__ import annotations

import pytest

from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of


@pytest.mark.parametrize(
    ("topology", "side", "steps"),
    [
        ("torus", 3, 2),
        ("mesh", 3, 4),
        pytest.param("torus", 4, 4, marks=pytest.mark.slow),
        pytest.param("mesh", 4, 8, marks=pytest.mark.slow),
    ],
)
def test_fewest_steps_are_those_of_the_bound(topology, side, steps):
    plan = solve(collective_of(topology, dims=[side, side]))
    assert (plan.status, plan.objective, plan.formulation) == (Status.OPTIMAL, steps, "collective-cp-sat")
    mirror = solve(collective_of(topology, "reduce-scatter", dims=[side, side]))
    assert (mirror.status, mirror.objective) == (Status.OPTIMAL, steps)


def test_an_all_to_all_is_searched_beside_a_bound():
    plan = solve(collective_of("ring", "all-to-all", accelerators=4))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, 2)
    plan = solve(collective_of("mesh", "all-to-all", dims=[3]))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, 2)


@pytest.mark.parametrize(
    ("topology", "shape", "steps", "halves"),
    [
        ("ring", {"accelerators": 3}, 2, 2),
        ("ring", {"accelerators": 4}, 3, 4),
        ("mesh", {"dims": [3]}, 4, 4),
        pytest.param("mesh", {"dims": [2, 3]}, 5, 6, marks=pytest.mark.slow),
        ("mesh", {"dims": [3, 3]}, 8, 8),
    ],
)
def test_an_all_reduce_may_take_fewer_steps_than_its_two_halves(topology, shape, steps, halves):
    plan = solve(collective_of(topology, "all-reduce", **shape))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)
    parts = [solve(collective_of(topology, half, **shape)).objective for half in ("reduce-scatter", "all-gather")]
    assert sum(parts) == halves


def test_an_all_reduce_that_is_too_large_to_be_searched_is_of_two_halves():
    plan = solve(collective_of("mesh", "all-reduce", dims=[4, 4]))
    assert (plan.status, plan.objective, plan.bound) == (Status.FEASIBLE, 16, 13)
    assert "first add up and then gather" in plan.note


def test_a_group_may_be_served_by_others():
    plan = solve(collective_of("mesh", dims=[3], group=["a0", "a2"]))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, 2)


def test_what_it_does_not_search_it_declines():
    with pytest.raises(Refusal, match="sends of a collective, and this is none"):
        solve("lenet-c", "multitree")
    with pytest.raises(Refusal, match="a collective has sends"):
        solve("ring-4", "joint-dp")
