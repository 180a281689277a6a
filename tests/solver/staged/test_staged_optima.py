"""Stages with strategies inside: against all plans, against another formulation, and one stage against none."""

import pytest

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.read import load
from hypar_opt.solver.solve import solve
from hypar_opt.solver.staged.problem import StagedProblem
from tests.helpers import each
from tests.solver.staged.small_stages import best_of_all, random_stages


@each("seed", range(26), quick=6)
def test_all_cuts_all_submeshes_all_words(seed):
    instance = random_stages(seed, most=3 if seed < 6 else 4)
    found = solve(instance)
    best = best_of_all(instance)
    if best is None:
        assert found.status is Status.INFEASIBLE
        return
    assert found.status is Status.OPTIMAL, found.native_status
    assert found.objective == found.bound == best


@each("seed", range(16), quick=2)
def test_paths_by_clauses(seed):
    instance = random_stages(seed, most=5)
    found, other = solve(instance), solve(instance, "submesh-cp-sat", workers=1)
    assert (found.status, found.objective) == (other.status, other.objective)


@pytest.mark.parametrize("name", ["lenet-c", "alexnet", "resnet-18"])
def test_one_stage_is_what_there_is_without_stages(name):
    given = {"array": "hypar-16", "objective": "time", "levels": 2}
    without = solve(load(name, **given))
    staged = load(name, **given, microbatches=1)
    in_one = {layer: f"1-4 {word}" for layer, word in without.strategies.items()}
    assert StagedProblem(staged).judged(in_one).objective == without.objective
    assert solve(staged).objective <= without.objective
