"""Graphs of blocks under one capacity that binds: labels along the elimination order, against exact formulations."""

from __future__ import annotations

import random
from math import prod

import numpy as np

from hypar_opt.costgraph import Capacity, TableUnary
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from tests.formulations.repeated_graphs import repeated_graph
from tests.helpers import each

JOINT, BRUTE = load_formulation("joint-dp"), load_formulation("brute-force")


def bounded(seed, **options):
    """Return a graph of blocks under a capacity, its limit about what some assignment uses, at times the least."""
    graph, rng = repeated_graph(seed, **options), random.Random(f"capacity {seed}")
    by_place = {}
    first = graph.repeats[0]
    usages = {}
    for x, variable in enumerate(graph.variables):
        place = (x - first.first) % first.length if first.first <= x < first.end else f"beside {x}"
        if place not in by_place:
            by_place[place] = TableUnary(np.array([rng.randint(0, 6) for _ in range(variable.size)], dtype=object))
        usages[x] = by_place[place]
    least = sum(min(map(int, one.values)) for one in usages.values())
    drawn = [Capacity("memory", 0, usages).used([rng.randrange(v.size) for v in graph.variables]) for _ in range(2)]
    limit = rng.choice([least - 1, least, least + 1, *drawn])
    return graph.replace(capacities=(Capacity("memory", limit, usages),))


def agree(graph, other):
    found, expected = JOINT.solve(graph, Run("joint-dp")), other.solve(graph, Run(other.name, Limits(workers=1)))
    assert JOINT.accepts(graph, Run("joint-dp")) is None
    assert found.status is expected.status
    if expected.status is Status.OPTIMAL:
        assert found.bound == expected.bound == graph.value(found.choices)
        assert graph.feasible(found.choices)


@each("seed", range(400), quick=30)
def test_tiny_graphs_under_a_capacity_are_solved_as_by_brute_force(seed):
    graph = bounded(seed, times=4, length=1 + seed % 2, sizes=(1, 2, 2))
    if prod(one.size for one in graph.variables) <= 2**11:
        agree(graph, BRUTE)


@each("seed", range(300), quick=4)
def test_blocks_under_a_capacity_are_solved_as_by_cp_sat(seed):
    graph = bounded(seed, times=6)
    if graph.upper < 2**40:
        agree(graph, load_formulation("cp-sat"))


def test_some_of_the_capacities_bind_and_some_cannot_be_kept():
    graphs = [bounded(seed, times=6) for seed in range(40)]
    found = [(graph, JOINT.solve(graph, Run("joint-dp"))) for graph in graphs]
    free = [JOINT.solve(graph.replace(capacities=()), Run("joint-dp")).bound for graph in graphs]
    assert sum(one.status is Status.INFEASIBLE for _, one in found) > 3
    assert sum(one.bound is not None and one.bound > least for (_, one), least in zip(found, free, strict=True)) > 5


def test_what_is_not_finished_is_not_called_optimal():
    graph = next(one for one in map(bounded, range(99)) if binds(one))
    stopped = Limits()
    stopped.stop.set()
    assert JOINT.solve(graph, Run("joint-dp", stopped)).status is Status.NO_SOLUTION


def binds(graph):
    free = JOINT.solve(graph.replace(capacities=()), Run("joint-dp"))
    return not graph.feasible(free.choices)
