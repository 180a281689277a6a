"""A training step whose partial sums are exchanged by schedules: overlap, and what is not simulated."""

from __future__ import annotations

import pytest
from scheduled_networks import ARRAYS, scheduled

from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.simulation import simulate_plan
from hypar_opt.util.errors import Refusal

ACCELERATOR = {"model": "as-evaluated", "rate": 50, "memory": {"bandwidth": 100}}
ARRAY = {**ARRAYS[2], "accelerator": ACCELERATOR}
PLAN = {"fc1": "dd", "fc2": "mm"}


def step_of(algorithm):
    problem = NetworkProblem(scheduled(ARRAY, {"algorithm": algorithm}))
    return problem.step(problem.bytes_of(PLAN), problem.instance.placement)


@pytest.mark.parametrize("algorithm", ["multitree", "pairwise"])
def test_bounds_with_overlap_are_in_order(algorithm):
    step = step_of(algorithm)
    together = step.together
    assert together.none == step.costs["time"] == step.compute_time + step.comm_time
    assert together.perfect <= together.by_layer <= together.none


def test_time_is_of_sums_and_of_all_else():
    step = step_of("multitree")
    timed = step.measured.timed
    assert step.costs["comm-time"] == timed.others.comm_time + sum(one.seconds for one in timed.sums)
    assert [(one.layer, one.algorithm) for one in timed.sums] == [("fc1", "multitree"), ("fc2", "multitree")]
    carried = sum(timed.loads.values()) - sum(timed.others.loads.values())
    assert carried == sum(sum(one.loads.values()) for one in timed.sums) > 0


def test_it_is_not_simulated():
    instance = scheduled(ARRAY, {"algorithm": "multitree"})
    with pytest.raises(Refusal, match=r"array\.collectives schedules partial sums otherwise; expected the algorithm"):
        simulate_plan(instance, solve(instance))
