"""Whatever letters multiply the levels below by, all exact formulations find the same optimum and the same front."""

from __future__ import annotations

import numpy as np
import pytest
from factor_cases import with_factors
from front_cases import front_by_enumeration, holds, labels, random_criteria
from helpers import each
from random_graphs import coupled_graph, random_graph

from formulations.flow_model.network import MAX_ARCS, arc_count, network_of
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


@each("seed", range(40), quick=4)
@pytest.mark.parametrize("name", EXACT)
def test_exact_formulations_agree_with_brute_force(name, seed):
    limited = seed % 2 == 1  # then without cycles, which joint-dp takes without capacities only
    graph = random_graph(seed, variables=3, most_levels=3, capacities=limited, more=0 if limited else None)
    agrees(name, with_factors(graph, seed))


@each("seed", range(12), quick=3)
@pytest.mark.parametrize("name", ["joint-dp", "milp-highs", "cp-sat"])
def test_capacities_that_pairs_use_have_factors_too(name, seed):
    agrees(name, with_factors(coupled_graph(seed, variables=3, most_levels=2, more=0), seed))


@each("seed", range(40), quick=8)
def test_fronts_are_those_of_enumeration(seed):
    graphs = random_criteria(seed, variables=2, most_levels=3, criteria=2 + seed % 2)
    graphs = [with_factors(graph, seed + number) for number, graph in enumerate(graphs)]
    assert holds(labels(graphs), graphs) == front_by_enumeration(graphs)


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


def test_of_very_many_products_none_is_counted():
    """Two letters of 22 levels have four million products, which takes seconds to find; there are too many before."""
    assert arc_count(wide(22, tuple((2**h, 1) for h in range(22)))) > MAX_ARCS
