"""Placements listed up to symmetry, weighed in bulk, and reduced to what is not dominated."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from helpers import each
from joint_cases import HOPS, MIXED, TIME, cube, line, machine, random_machine, ring, star

from formulations.joint.embeddings import count, exchanged, least_weights, level_weights, listed, non_dominated
from hypar_opt.cost.links import compile_placement
from hypar_opt.util.partition import halves


def placing(array, levels, weights=HOPS):
    return compile_placement(array, weights, halves(levels), (0,) * levels)


def test_four_leaves_on_four_sites():
    assert list(listed(4, 4)) == [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 3, 1)]


@pytest.mark.parametrize(("levels", "sites"), [(0, 1), (0, 3), (1, 2), (1, 4), (2, 4), (2, 6), (3, 8)])
def test_as_many_are_listed_as_are_counted(levels, sites):
    found = list(listed(1 << levels, sites))
    assert len(found) == len(set(found)) == count(placing(line(sites), levels))


def test_the_many_placements_on_ten_sites_are_few_up_to_symmetry():
    assert count(placing(line(10), 3)) == 37_800


@each("seed", range(6))
@pytest.mark.parametrize("weights", [HOPS, TIME, MIXED])
def test_bulk_weights_are_the_graphs(seed, weights):
    graph = placing(random_machine(seed, 5), 2, weights)
    placements = np.array(list(permutations(range(5), 4)))
    rows = level_weights(graph, placements).tolist()
    assert [tuple(row) for row in rows] == [graph.weights(placed) for placed in placements.tolist()]


@each("seed", range(6))
def test_no_weights_are_missed(seed):
    graph = placing(random_machine(seed, 5), 2, MIXED)
    every = {graph.weights(placed): placed for placed in permutations(range(5), 4)}
    found = least_weights(graph)
    assert set(found) == set(non_dominated(every))
    assert all(graph.weights(placed) == weights for weights, placed in found.items())


def test_non_dominated():
    every = dict.fromkeys([(1, 3), (2, 2), (3, 1), (2, 3), (3, 3)], ())
    assert set(non_dominated(every)) == {(1, 3), (2, 2), (3, 1)}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_exchanged_levels(order):
    graph = placing(random_machine(3, 8), 3, MIXED)
    placed = (3, 0, 7, 1, 2, 5, 4, 6)
    weights = graph.weights(placed)
    assert graph.weights(exchanged(placed, order)) == tuple(weights[h] for h in order)


@pytest.mark.parametrize(
    ("array", "levels", "expected"),
    [
        (cube(3), 3, {(8, 8, 8)}),
        (star(4), 2, {(8, 8)}),
        (ring(4), 2, {(4, 4)}),
        (line(4), 2, {(4, 8), (8, 4)}),
        (line(2), 1, {(2,)}),
        (machine(1, []), 0, {()}),
    ],
)
def test_hop_weights_by_hand(array, levels, expected):
    graph = placing(array, levels)
    assert {tuple(weight * (1 << levels) // graph.unit for weight in one) for one in least_weights(graph)} == expected
