"""Whatever letters multiply the levels below by, all exact formulations find the same optimum and the same front."""

from __future__ import annotations

import numpy as np
import pytest
from factor_cases import with_factors
from front_cases import front_by_enumeration, holds, labels, random_criteria
from helpers import each
from random_graphs import coupled_graph, random_graph

from formulations.flow_model import network
from formulations.flow_model.network import arc_count, network_of
from formulations.label_setting.arcs import steps_of
from hypar_opt.costgraph import EdgeTerm, WordEdge, Words
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status

EXACT = ["joint-dp", "milp-cbc", "milp-highs", "cp-sat"]


def solved(name, graph):
    formulation, run = load_formulation(name), Run(name)
    assert formulation.accepts(graph, run) is None
    return formulation.solve(graph, run)


def agrees(name, graph):
    solution, best = solved(name, graph), solved("brute-force", graph)
    assert (solution.status, solution.bound) == (best.status, best.bound)
    if best.status is Status.OPTIMAL:
        assert graph.feasible(solution.choices)
        assert graph.value(solution.choices) == best.bound


@each("seed", range(40), quick=3)
@pytest.mark.parametrize("name", EXACT)
def test_exact_formulations_agree_with_brute_force(name, seed):
    limited = seed % 2 == 1  # then without cycles, which joint-dp takes without capacities only
    graph = random_graph(seed, variables=3, most_levels=3, capacities=limited, more=0 if limited else None)
    agrees(name, with_factors(graph, seed))


@each("seed", range(12), quick=2)
@pytest.mark.parametrize("name", ["joint-dp", "milp-highs", "cp-sat"])
def test_capacities_that_pairs_use_have_factors_too(name, seed):
    agrees(name, with_factors(coupled_graph(seed, variables=3, most_levels=2, more=0), seed))


@each("seed", range(40), quick=8)
def test_fronts_are_those_of_enumeration(seed):
    graphs = random_criteria(seed, variables=2, most_levels=3, criteria=2 + seed % 2)
    graphs = [with_factors(graph, seed + number) for number, graph in enumerate(graphs)]
    assert holds(labels(graphs), graphs) == front_by_enumeration(graphs)


@each("seed", range(20))
def test_every_pair_is_one_path_with_its_cost(seed):
    """Of two criteria, one after the other in a network of flows, and side by side in layers of arcs."""
    graphs = [with_factors(graph, seed) for graph in random_criteria(seed, variables=2, most_levels=3)]
    costs = [graph.edge_costs[0, 1] for graph in graphs]
    (n, n2), pairs = costs[0].shape, list(np.ndindex(costs[0].shape))
    for cost in costs:
        arcs = [(tail, head, (number,)) for tail, head, number in network_of(cost, range(n), range(n2)).arcs]
        expected = sorted((s, n + q, (cost.value(s, q),)) for s, q in pairs)
        assert paths([(s, s, (0,)) for s in range(n)], arcs, n) == expected
    at = [(s, s, (0, 0)) for s in range(n)]
    for step in steps_of(costs, object):
        at = paths(at, list(zip(step.tails, step.heads, zip(*step.costs, strict=True), strict=True)), None)
    assert at == sorted((s, q, tuple(cost.value(s, q) for cost in costs)) for s, q in pairs)


def paths(starts, arcs, inner):
    """Follow arcs: those of one layer where `inner` is None, else all, to nodes that none leaves."""
    found, at = [], starts
    while at:
        at = [
            (start, head, tuple(a + b for a, b in zip(total, own, strict=True)))
            for start, here, total in at
            for tail, head, own in arcs
            if tail == here
        ]
        if inner is None:
            return sorted(at)
        leaving = {tail for tail, _, _ in arcs}
        found += [one for one in at if one[1] not in leaving]
        at = [one for one in at if one[1] in leaving]
    return sorted(found)


def wide(levels, *kinds):
    """A cost whose terms look at the first word by each kind of factors, and at the second."""
    words, share = Words("dm", levels), ((1, 20), (300, 4000))
    sides = [(0, kind) for kind in kinds] + [(1, ((5, 3),) * levels)]
    return WordEdge(words, words, tuple(EdgeTerm(share, side, kind, (1,) * levels) for side, kind in sides))


def test_letters_of_one_product_are_one_state():
    """Seven and ten, level by level: as many products as ways in which two letters can be shared out."""
    cost = wide(5, ((7, 10),) * 5)
    expected = sum(2**6 * (h + 1) for h in range(5))
    assert len(network_of(cost, range(32), range(32)).arcs) == arc_count(cost) == expected
    assert sum(len(step.tails) for step in steps_of([cost], object)) == expected


def test_letters_of_different_products_are_states_of_their_own():
    cost = wide(4, ((2, 3), (5, 7), (11, 13), (1, 1)), ((3, 1),) * 4)
    expected = sum(2**5 * 2**h for h in range(4))
    assert len(network_of(cost, range(16), range(16)).arcs) == arc_count(cost) == expected
    assert sum(len(step.tails) for step in steps_of([cost], np.int64)) == expected


def test_of_very_many_products_no_two_are_taken_to_be_equal(monkeypatch):
    monkeypatch.setattr(network, "MAX_STATES", 2)
    assert arc_count(wide(5, ((7, 10),) * 5)) == sum(2**6 * states for states in (1, 2, 3, 6, 12))
