"""A boundary as layers of arcs: every pair of values is the ends of one path that costs what the pair costs."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from front_cases import random_criteria
from helpers import each

from formulations.label_setting.arcs import gathering, steps_of
from hypar_opt.costgraph import EdgeTerm, TableEdge, WordEdge, Words


def paths(steps, first):
    """Return every path's ends and costs by criterion, by following arcs one by one."""
    at = [(s, s, (0,) * len(steps[0].costs)) for s in range(first)]
    for step in steps:
        arcs = list(zip(step.tails.tolist(), step.heads.tolist(), *(c.tolist() for c in step.costs), strict=True))
        at = [
            (start, head, tuple(a + b for a, b in zip(total, costs, strict=True)))
            for start, here, total in at
            for tail, head, *costs in arcs
            if tail == here
        ]
    return sorted(at)


def pairs(edges):
    n, n2 = edges[0].shape
    return sorted((s, q, tuple(edge.value(s, q) for edge in edges)) for s in range(n) for q in range(n2))


def term(share, side, factors, levels):
    return EdgeTerm(share, side, (factors,) * levels, tuple(range(1, levels + 1)))


SHARE, OTHER = ((1, 20), (300, 4000)), ((5, 60), (700, 8000))
DM = Words("dm", 3)
SIDES = {
    "neither": ((1, 1), 0, (1, 1), 1),
    "second": ((1, 1), 0, (2, 1), 1),
    "first": ((2, 1), 0, (1, 2), 0),
    "both": ((2, 1), 0, (2, 1), 1),
    "both and two kinds": ((2, 1), 0, (1, 2), 0),
}


@pytest.mark.parametrize("sides", SIDES)
@pytest.mark.parametrize("dtype", [np.int64, object])
def test_terms_of_two_criteria_that_look_at_different_words(sides, dtype):
    one, side, other, side2 = SIDES[sides]
    more = [term(OTHER, 1, (3, 2), 3)] if sides.endswith("kinds") else []
    edges = [
        WordEdge(DM, DM, (term(SHARE, side, one, 3), *more)),
        WordEdge(DM, DM, (term(OTHER, side2, other, 3),)),
    ]
    steps = list(steps_of(edges, dtype))
    assert len(steps) == 3
    assert paths(steps, 8) == pairs(edges)


def test_a_boundary_of_words_has_k_arcs_a_state_and_level():
    edges = [WordEdge(DM, DM, (term(SHARE, 1, (2, 1), 3),))] * 2
    assert [len(step.tails) for step in steps_of(edges, np.int64)] == [2**4] * 3


def test_words_beside_a_table_are_taken_pair_by_pair():
    table = TableEdge(np.arange(64).reshape(8, 8))
    edges = [WordEdge(DM, DM, (term(SHARE, 1, (2, 1), 3),)), table]
    steps = list(steps_of(edges, np.int64))
    assert [len(step.tails) for step in steps] == [64]
    assert paths(steps, 8) == pairs(edges)


def test_words_of_no_letters():
    none = Words("dm", 0)
    edges = [WordEdge(none, none, (EdgeTerm(SHARE, 1, (), ()),))]
    assert paths(list(steps_of(edges, np.int64)), 1) == [(0, 0, (0,))]


@each("seed", range(40))
def test_random_boundaries(seed):
    graphs = random_criteria(seed, variables=2, criteria=3)
    edges = [graph.edge_costs[0, 1] for graph in graphs]
    steps = list(steps_of(edges, object))
    assert paths(steps, edges[0].shape[0]) == pairs(edges)
    assert all(np.all(np.diff(step.heads) >= 0) for step in steps)
    assert len(paths(steps, edges[0].shape[0])) == prod(edges[0].shape)


def test_gathering_leads_every_state_to_one_at_no_cost():
    assert paths([gathering(3, 2)], 3) == [(0, 0, (0, 0)), (1, 0, (0, 0)), (2, 0, (0, 0))]
