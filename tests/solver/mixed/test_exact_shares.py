"""Shares that may be any number: as good as all words at their best shares, and exactly what is said of them."""

from __future__ import annotations

import pytest
from helpers import each, instance_of
from mixed_documents import judged, random_mixed_document
from mixed_exact_brute_force import best_exact_plan

from hypar_opt import solve
from hypar_opt.evaluation.mixed import step_time
from hypar_opt.formulation.solution import Status


def exact_instance(seed, **sizes):
    """Return a random instance of one split whose share may be any number."""
    whole = random_mixed_document(seed, **sizes)
    whole["cost"]["shares"] = "exact"
    kinds = whole["array"]["accelerators"]
    if len(kinds) > 2 or whole["array"]["levels"] > 1:  # one half of each kind: below it all halves are alike
        levels = whole["array"]["levels"]
        whole["array"]["accelerators"] = [
            {**{k: v for k, v in one.items() if k != "groups"}, "kind": name, "count": 2 ** (levels - 1)}
            for one, name in zip((kinds[0], kinds[-1]), "AB", strict=True)
        ]
    if whole["array"]["levels"] > 1 and "none" in whole["cost"]["choices"]:
        pass
    return instance_of(whole)


def check(seed, **sizes):
    instance = exact_instance(seed, **sizes)
    work, setting, rules = judged(instance)
    best, found = best_exact_plan(work, setting, rules), solve(instance)
    if best is None:
        assert (found.status, found.strategies) == (Status.INFEASIBLE, None)
        return
    assert float(found.objective) == pytest.approx(best.seconds, rel=1e-9)
    assert found.proven, (seed, found.native_status)
    assert step_time(work, found.strategies, found.shares, setting) == found.objective == found.bound


@each("seed", range(1, 40), quick=4)
def test_one_level(seed):
    check(seed)


@pytest.mark.slow
@each("seed", range(100, 112))
def test_two_levels(seed):
    check(seed, most_levels=2, most_layers=2)
