"""Ring and MultiTree: the step counts that are known of them, and schedules of every collective."""

from __future__ import annotations

import pytest

from hypar_opt import solve
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of

LINK = {"bandwidth": 100, "latency": 1}


@pytest.mark.parametrize("collective", ["all-gather", "reduce-scatter", "all-reduce", "broadcast"])
@pytest.mark.parametrize("goal", ["steps", "rounds", "time"])
@pytest.mark.parametrize("name", ["ring", "multitree"])
@pytest.mark.parametrize("group", [None, ["a1", "a0", "a3", "a4"]])
def test_every_collective_has_a_schedule(name, collective, goal, group):
    root = {"root": "a3"} if collective == "broadcast" else {}
    chosen = {} if group is None else {"group": group}
    chosen |= {"steps": 12} if goal == "rounds" else {}
    instance = collective_of("mesh", collective, dims=[2, 3], chunks=2, objective=goal, link=LINK, **root, **chosen)
    plan = solve(instance, name)
    assert plan.status in ("OPTIMAL", "FEASIBLE"), plan.native_status
    assert plan.objective >= plan.bound


@pytest.mark.parametrize("count", [2, 4, 8])
def test_a_ring_takes_a_step_for_each_other_accelerator(count):
    plan = solve(collective_of("ring", accelerators=count), "ring")
    assert plan.objective == count - 1
    assert solve(collective_of("ring", "all-reduce", accelerators=count), "ring").objective == 2 * (count - 1)


def test_a_ring_through_switches_needs_no_more():
    assert solve(collective_of("fat-tree", ports=4), "ring").objective == 15
    assert solve(collective_of("bigraph", switches=2, accelerators=8), "ring").objective == 7


def test_where_there_is_no_ring_another_formulation_is_named():
    with pytest.raises(Refusal, match=r"either of two sides, of [45] and [45] accelerators; try multitree"):
        solve(collective_of("mesh", dims=[3, 3]), "ring")
    with pytest.raises(Refusal, match="accelerator 0 has fewer than two neighbours"):
        solve(collective_of("mesh", dims=[3]), "ring")
    petersen = [[i, (i + 1) % 5] for i in range(5)] + [[i, i + 5] for i in range(5)]
    petersen += [[i + 5, (i + 2) % 5 + 5] for i in range(5)]
    links = [{"ends": [f"p{one}", f"p{other}"]} for one, other in petersen]
    graph = {"nodes": [{"name": f"p{i}"} for i in range(10)], "links": links}
    with pytest.raises(Refusal, match="no Hamiltonian cycle, by CP-SAT; try multitree"):
        solve(collective_of("custom", graph=graph), "ring")


@pytest.mark.parametrize("name", ["ring", "multitree"])
def test_an_all_to_all_is_declined(name):
    with pytest.raises(Refusal, match="try collective-cp-sat"):
        solve(collective_of("torus", "all-to-all", dims=[2, 2]), name)


def test_trees_that_are_too_deep_are_told():
    plan = solve(collective_of("mesh", dims=[3, 3], objective="rounds", steps=3), "multitree")
    assert (plan.status, plan.native_status) == ("NO_SOLUTION", "trees in turns takes more steps than there may be")


def test_sends_are_put_into_the_steps_that_there_are():
    plan = solve(collective_of("torus", "all-reduce", dims=[3, 3], objective="rounds", steps=6), "shifted-trees")
    assert (plan.status, plan.objective) == ("OPTIMAL", 4)


@pytest.mark.parametrize(
    ("dims", "chunks", "steps"),
    [([3, 3, 3], 1, 9), ([7, 7], 1, 24), pytest.param([10, 10], 2, 99, marks=pytest.mark.slow)],
)
def test_trees_on_meshes_meet_the_bound(dims, chunks, steps):
    # of two chunks each on a 10x10 mesh, and of one on a 3x3x3 mesh, these are astra-sim/tacos' expectations
    plan = solve(collective_of("mesh", dims=dims, chunks=chunks), "multitree")
    assert (plan.status, plan.objective) == ("OPTIMAL", steps)
