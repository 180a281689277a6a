"""Free links and rare chunks: as few steps as the bound says on meshes, and what is declined."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt import solve
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of


@given(
    st.sampled_from(["mesh", "torus"]),
    st.lists(st.integers(1, 5), min_size=1, max_size=3).filter(lambda dims: 2 <= prod(dims) <= 30),
    st.integers(1, 2),
    st.sampled_from(["all-gather", "reduce-scatter"]),
)
def test_grids_take_what_the_bound_says(topology, dims, chunks, collective):
    plan = solve(collective_of(topology, collective, dims=dims, chunks=chunks), "link-matching")
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), plan.native_status
    assert plan.objective - plan.bound <= 1


@pytest.mark.parametrize(
    ("topology", "shape", "steps"),
    [
        ("mesh", {"dims": [5, 5]}, 12),
        ("mesh", {"dims": [3, 5]}, 7),
        ("mesh", {"dims": [2, 5]}, 5),
        ("torus", {"dims": [5, 5]}, 6),
        ("fat-tree", {"ports": 4}, 15),
        ("bigraph", {"switches": 2, "accelerators": 8}, 7),
        pytest.param("mesh", {"dims": [16, 16]}, 128, marks=pytest.mark.slow),
    ],
)
def test_fewest_steps(topology, shape, steps):
    plan = solve(collective_of(topology, **shape), "link-matching")
    assert (plan.status, plan.objective) == (Status.OPTIMAL, steps)


@pytest.mark.parametrize("goal", [{}, {"objective": "rounds", "steps": 12}, {"objective": "time"}])
@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter", "all-reduce", "broadcast"])
def test_a_group_is_served_by_all(collective, goal):
    said = {**goal, **({"root": "a3"} if collective == "broadcast" else {})}
    link = {"bandwidth": 100, "latency": 1}
    instance = collective_of("mesh", collective, dims=[2, 3], group=["a5", "a0", "a3"], chunks=2, link=link, **said)
    plan = solve(instance, "link-matching")
    assert plan.status in (Status.OPTIMAL, Status.FEASIBLE), plan.native_status


def test_the_same_seed_gives_the_same_schedule():
    first, again, other = (solve(collective_of("mesh", dims=[3, 4]), "link-matching", seed=seed) for seed in (1, 1, 2))
    assert first.strategies == again.strategies != other.strategies


def test_an_all_to_all_is_declined():
    with pytest.raises(Refusal, match="try collective-cp-sat"):
        solve(collective_of("torus", "all-to-all", dims=[2, 2]), "link-matching")
