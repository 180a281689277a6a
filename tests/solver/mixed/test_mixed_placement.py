"""Where accelerators of several kinds stand: each on a node of its kind, best of all such placements."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from helpers import each, instance_of
from solver.mixed.random_mixed import random_mixed

from hypar_opt import solve
from hypar_opt.evaluation.links import walk
from hypar_opt.evaluation.mixed import traffic
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.mixed.placing import misplaced_kind
from hypar_opt.util.errors import InputError, Refusal

PLACES = "placement-traffic"


def on_torus(seed, **changes):
    """Return the problem of four leaves on a torus of six, of which kinds name all; and the torus's accelerators."""
    rng = Random(seed)
    whole = random_mixed(rng.random(), most_layers=3, most_plans=200, most_splits=1)
    while whole["array"]["levels"] != 2:
        whole = random_mixed(rng.random(), most_layers=3, most_plans=200, most_splits=1)
    array = whole["array"]
    spare = ["a4", "a5"]
    for kind in array["accelerators"]:
        kind["nodes"] = [f"a{int(leaf, 2)}" for leaf in kind.pop("groups")]
        kind["nodes"] += [spare.pop()] if spare and rng.random() < 0.7 else []
        kind["accelerator"].pop("memory", None)
    array |= {"topology": rng.choice(("torus", "mesh")), "dims": [2, 3], "link": {"energy": 2}} | changes
    first = rng.randint(1, 5)
    whole["cost"]["shares"] = [f"{first}/6", f"{6 - first}/6"]
    whole["objective"] = rng.choice(({"hop-bytes": 1}, {"hop-bytes": 2, "comm-energy": 1, "communication": 3}))
    return problem_of(instance_of(whole))


@each("seed", range(12), quick=1)
def test_the_best_placement_of_all_that_keep_to_kinds(seed):
    problem = on_torus(seed)
    first = solve(problem)
    if first.strategies is None:
        return
    plan = solve(problem, PLACES, start=first)
    machine, partition = problem.instance.machine, problem.array.partition
    read = problem.traffic_of(first.strategies, first.shares).read
    costs = []
    for placed in permutations(range(6), 4):
        if misplaced_kind(problem.instance, [f"a{site}" for site in placed]) is None:
            found = traffic(machine, walk(machine, placed, partition=partition), placed, read)
            costs.append(problem.combined(first.costs | found.costs))
    assert (plan.status, plan.objective) == (Status.OPTIMAL, min(costs))
    assert (plan.strategies, plan.decided) == (first.strategies, "placement")
    assert misplaced_kind(problem.instance, plan.placement) is None


def test_who_stands_on_a_node_of_another_kind():
    problem = on_torus(3)
    instance, array = problem.instance, problem.array
    standing = [f"a{i}" for i in range(4)]
    assert misplaced_kind(instance, standing) is None
    one, other = (array.partition.types.index(kind) for kind in (0, 1))
    standing[one], standing[other] = standing[other], standing[one]
    assert f"leaf {min(one, other)} of kind 'a' stands on" in misplaced_kind(instance, standing)
    assert misplaced_kind(instance, ["a0", "a0", "a1", "a2"]) == "two leaves stand on one accelerator"
    with pytest.raises(InputError, match="no accelerator 'a9'"):
        misplaced_kind(instance, ["a0", "a1", "a2", "a9"])


def test_what_cannot_be_placed():
    problem = on_torus(1)
    with pytest.raises(Refusal, match="try placement-traffic"):
        solve(problem, "identity")
    with pytest.raises(Refusal, match="the placement is given"):
        solve(on_torus(1, placement="identity"), PLACES)
    timed = replace(problem, instance=problem.instance.changed(objective={"time": 1}))
    with pytest.raises(Refusal, match="none to place"):
        solve(timed, PLACES)
