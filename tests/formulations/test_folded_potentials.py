"""The potentials of eliminations, by blocks and of all variables: they charge all that there is once, and are tight."""

from __future__ import annotations

from collections import defaultdict
from math import prod

import numpy as np
import pytest

from formulations.joint_dp.buckets import EliminationResult
from formulations.joint_dp.folding import FoldingResult
from formulations.joint_dp.segments import SegmentOrder
from hypar_opt.formulation.run import Run
from tests.formulations.repeated_graphs import repeated_graph
from tests.helpers import each

RUN = Run("joint-dp")


def folded(graph):
    order = SegmentOrder.of(graph)
    return None if order is None else FoldingResult.of(graph, order, RUN)


def bound(graph, potentials):
    """Return the sum of the clusters' least sums, by dense tables."""
    given = defaultdict(list)
    for one in potentials.messages:
        assert one.source < one.target
        given[one.source].append((one.variables, -one.values.astype(object)))
        given[one.target].append((one.variables, one.values.astype(object)))
    found = 0
    for number, cluster in enumerate(potentials.clusters):
        costs = [((x,), graph.unary_costs[x].dense(object)) for x in cluster.unary]
        costs += [(pair, graph.edge_costs[pair].dense(object)) for pair in cluster.edges]
        sizes = [graph.variables[x].size for x in cluster.variables]
        assert prod(sizes) < 10**6
        total = np.zeros(sizes, object)
        for scope, values in costs + given[number]:
            axes = [cluster.variables.index(x) for x in scope]
            values = values.transpose(np.argsort(axes))
            total = total + values.reshape([size if axis in axes else 1 for axis, size in enumerate(sizes)])
        found += int(total.min())
    return found


def check_potentials(graph, found):
    potentials = found.potentials
    assert sorted(x for one in potentials.clusters for x in one.unary) == [*range(len(graph.variables))]
    assert sorted(pair for one in potentials.clusters for pair in one.edges) == sorted(graph.edge_costs)
    assert [one.source for one in potentials.messages] == sorted(one.source for one in potentials.messages)
    assert bound(graph, potentials) == found.value


@each("seed", range(1500), quick=40)
def test_potentials_of_blocks_are_tight(seed):
    graph = repeated_graph(seed)
    found = folded(graph)
    if found is not None:
        check_potentials(graph, found)


@each("seed", range(200), quick=20)
def test_potentials_of_all_variables_are_tight(seed):
    graph = repeated_graph(seed, times=4)
    check_potentials(graph, EliminationResult.of(graph, RUN))


def test_they_have_few_different_tables():
    found = folded(repeated_graph(5, times=300, odd=0))
    tables = {id(one.values) for one in found.potentials.messages}
    assert len(tables) < 60 < 300 < len(found.potentials.messages)


def test_a_proof_is_handed_over_folded():
    from hypar_opt.formulation.registry import load_formulation

    graph, proofs = repeated_graph(5, times=300, odd=0), []
    solution = load_formulation("joint-dp").solve(graph, Run("joint-dp", proof=proofs.append))
    assert bound(graph, proofs[0]) == solution.bound
    assert solution.statistics["segments_looked_at"] < 20


@pytest.mark.slow
def test_blocks_are_parted_where_variables_wait():
    """Some of the random graphs have variables that wait for the end, which two messages of a cluster are for."""
    twice = 0
    for seed in range(60):
        found = folded(repeated_graph(seed, times=8))
        sources = [] if found is None else [one.source for one in found.potentials.messages]
        twice += len(sources) > len(set(sources))
    assert twice > 5
