"""Fusions against every way to mix plans, and shaking against its slack."""

from __future__ import annotations

import time
from itertools import count, product

import numpy as np
import pytest
from helpers import each

from formulations import local_polytope
from formulations.neighbourhood_search import rounds as fusing
from formulations.neighbourhood_search.descent import descend
from formulations.neighbourhood_search.layout import layout_of
from formulations.neighbourhood_search.rounds import fused
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Solution, Status
from tests.instance.strategy_graph.drawing import best, draw, plans


def drawn(seed):
    """Return the tables of the first graph from a seed on, in steps of 100, that has plans, and those."""
    graph = next(one for one in (draw(later, hard=True) for later in count(seed, 100)) if best(one))
    tables = compile_graph(graph)
    return tables, [one for one in plans(graph) if tables.feasible(one)]


@each("seed", range(20), quick=5)
def test_a_fusion_is_the_best_of_all_mixtures(seed):
    tables, feasible = drawn(seed)
    rng = np.random.default_rng(seed)
    chosen = [feasible[k] for k in rng.integers(0, len(feasible), 3)]
    mixtures = [np.array(one) for one in product(*(sorted(set(values)) for values in zip(*chosen, strict=True)))]
    least = min(tables.value(one) for one in mixtures if tables.feasible(one))
    found = fused(tables, chosen, Limits())
    assert tables.feasible(found)
    assert tables.value(found) == least


def mixed():
    """Return tables, and two plans of them whose mixtures presolve does not decide."""
    for seed in range(100):
        tables, feasible = drawn(seed)
        if len(fusing.presolve(tables).tables.sizes):
            return tables, feasible
    raise AssertionError("nothing is left of any")


def test_a_fusion_keeps_the_limits_of_its_run(monkeypatch):
    runs = []

    def solve(graph, run):
        runs.append(run)
        return Solution(Status.NO_SOLUTION)

    monkeypatch.setattr(local_polytope, "solve", solve)
    tables, feasible = mixed()
    limits = Limits(time.monotonic() + 0.5, workers=2)
    fused(tables, feasible, limits)
    assert (runs[0].limits.deadline, runs[0].limits.stop) == (limits.deadline, limits.stop)
    limits.stop.set()
    best = fused(tables, feasible, limits)
    assert tables.value(best) == min(map(tables.value, feasible))
    assert len(runs) == 1


@pytest.mark.parametrize("slack", [0.0, 3.0, 25.0])
@each("seed", range(10), quick=4)
def test_shaking_stays_feasible_and_within_its_slack(seed, slack):
    tables, feasible = drawn(seed)
    for start in feasible[:: max(1, len(feasible) // 5)]:
        choices, used = start.copy(), tables.memory.used(start)
        change = descend(layout_of(tables), choices, used, 20, slack, np.random.default_rng(seed))
        assert tables.feasible(choices)
        assert (used == tables.memory.used(choices)).all()
        assert tables.value(choices) - tables.value(start) == change <= slack


def test_shaking_leaves_what_is_best():
    tables, feasible = drawn(7)
    best = min(feasible, key=tables.value)
    layout, used = layout_of(tables), tables.memory.used(best)
    noise = np.random.default_rng(1)
    assert any(descend(layout, best.copy(), used.copy(), 1, 100.0, noise) > 0.0 for _ in range(50))
    assert all(descend(layout, best.copy(), used.copy(), 1, 0.0, noise) == 0.0 for _ in range(50))
