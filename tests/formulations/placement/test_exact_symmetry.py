"""Moves that keep a placement's cost: they do, and keeping one placement of a class loses no optimum."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from helpers import each
from hypothesis import given, settings
from hypothesis import strategies as st
from small_graphs import cube, least, machine, mesh, path, placements, problem, random_machine, ring, star, tree

from formulations.placement.automorphisms import lower_sites
from formulations.placement.symmetry import Symmetry
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.partition import halves

RUN = Run("test")
HOPS, TIME, MIXED = {"hop-bytes": 1}, {"comm-time": 1}, {"hop-bytes": 2, "comm-time": 1}


def kept_least(graph, symmetry):
    """Return the least cost of the placements that symmetry keeps."""
    return min(graph.value(placed) for placed in placements(graph) if symmetry.keeps(placed))


@pytest.mark.parametrize("weights", [HOPS, TIME, MIXED], ids=["hops", "time", "mixed"])
@pytest.mark.parametrize("volumes", [(1, 1), (1, 3), (0, 0)])
@pytest.mark.parametrize("sites", [4, 5, 6])
@each("seed", range(3), quick=2)
def test_what_is_kept_has_an_optimum(seed, sites, volumes, weights):
    graph = problem(random_machine(seed, sites, switches=seed), volumes, weights)
    symmetry = Symmetry.of(graph, RUN)
    assert kept_least(graph, symmetry) == least(graph)
    assert kept_least(graph, Symmetry.none(graph)) == least(graph)


@pytest.mark.parametrize("array", [ring(4), ring(5), path(4), path(6), star(4), star(6), mesh(2, 3), tree(2), cube(2)])
@pytest.mark.parametrize("weights", [HOPS, TIME], ids=["hops", "time"])
def test_every_placement_has_one_of_equal_cost_that_is_kept(array, weights):
    for volumes in ((1, 1), (1, 3)):
        graph = problem(array, volumes, weights)
        symmetry = Symmetry.of(graph, RUN)
        for placed in placements(graph):
            canonical = symmetry.canonical(placed)
            assert symmetry.keeps(canonical)
            assert graph.feasible(canonical)
            assert graph.value(canonical) == graph.value(placed)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.permutations(range(8)), st.sampled_from([(1, 1, 1), (2, 1, 2), (1, 2, 3)]))
def test_eight_leaves_have_a_kept_placement_of_equal_cost(seed, placed, volumes):
    graph = problem(random_machine(seed, 8, switches=seed % 3), volumes, MIXED)
    symmetry = Symmetry.of(graph, RUN)
    canonical = symmetry.canonical(placed)
    assert symmetry.keeps(canonical)
    assert graph.value(canonical) == graph.value(placed)


def test_eight_on_a_ring_keep_few_placements_and_an_optimum():
    graph = problem(ring(8), (1, 1, 1))
    symmetry = Symmetry.of(graph, RUN)
    kept = [placed for placed in placements(graph) if symmetry.keeps(placed)]
    # 8! placements, by 8 translations, by 6 orders of the levels; half of the rest goes with the ring's reflection
    assert 40320 // 8 // 6 // 2 <= len(kept) < 40320 // 8 // 6
    assert min(map(graph.value, kept)) == least(graph)


def test_ordering_levels_of_different_volumes_would_lose_the_optimum():
    # an order of leaf 0's neighbours that unequal volumes do not allow
    graph = problem(machine(4, [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 1)]), (1, 5))
    wrong = replace(Symmetry.of(graph, RUN), swapped=((2, 1),), lowering={})
    both_ways = [wrong, replace(wrong, swapped=((1, 2),))]
    assert max(kept_least(graph, one) for one in both_ways) > least(graph)


def test_a_wrong_automorphism_would_lose_the_optimum():
    graph = problem(path(4), (1, 1))
    symmetry = Symmetry.of(graph, RUN)
    losing = [
        replace(symmetry, values=(*symmetry.values[:2], (site,), symmetry.values[3])) for site in symmetry.values[2]
    ]
    assert any(kept_least(graph, one) > least(graph) for one in losing if any(map(one.keeps, placements(graph))))


@pytest.mark.parametrize(
    ("array", "orbits"),
    [
        (ring(8), {1, 2, 3, 4}),
        (path(8), set(range(1, 8))),
        (star(8), {1}),
        (cube(3), {1, 3, 7}),
        (tree(3), {1, 2, 4}),
        (mesh(2, 4), set(range(1, 8))),
    ],
    ids=["ring", "path", "star", "cube", "tree", "mesh"],
)
def test_what_is_left_for_the_first_neighbour_is_known(array, orbits):
    graph = problem(array, (1, 1, 1))
    symmetry = Symmetry.of(graph, RUN)
    assert symmetry.values[0] == (0,)
    assert set(symmetry.values[graph.partition.bits[0]]) == orbits


def test_spare_sites_leave_leaf_0_the_lowest_of_every_orbit():
    symmetry = Symmetry.of(problem(ring(7), (1, 1)), RUN)
    assert symmetry.values[0] == (0,)
    symmetry = Symmetry.of(problem(path(7), (1, 1)), RUN)
    assert symmetry.values[0] == (0, 1, 2, 3)
    assert symmetry.orders == ((2, 1), (0, 1), (0, 2), (0, 3))


def test_a_slow_link_breaks_the_symmetry_of_time_and_not_of_hops():
    slow = machine(4, [(0, 1), (1, 2), (2, 3), (3, 0, "1/2")])
    assert set(lower_sites(problem(slow, (1, 1), HOPS), RUN, fixed=(0,))) == {3}
    assert set(lower_sites(problem(slow, (1, 1), TIME), RUN, fixed=(0,))) == set()


@each("seed", range(8))
def test_every_automorphism_keeps_what_random_placements_cost(seed):
    rng = np.random.default_rng(seed)
    array = [ring(8), star(8), cube(3), tree(3), mesh(3, 3)][seed % 5]
    graph = problem(array, (1, 2, 4), [HOPS, TIME, MIXED][seed % 3])
    images = lower_sites(graph, RUN)
    assert images
    for site, image in images.items():
        assert image[site] < site
        assert sorted(image) == list(range(graph.sites))
        for _ in range(20):
            placed = rng.permutation(graph.sites)[: graph.leaves]
            assert graph.value([image[one] for one in placed]) == graph.value(placed)


def test_beyond_the_limits_nothing_is_looked_for():
    large = PlacementGraph(halves(6), np.ones((65, 65), dtype=np.int64), (1,) * 6)
    assert lower_sites(large, RUN) == {}
    assert lower_sites(problem(star(4), (1, 1)), Run("test", Limits(deadline=0.0))) == {}


def test_one_leaf_keeps_every_site():
    graph = PlacementGraph(halves(0), np.zeros((3, 3), dtype=np.int64), ())
    assert Symmetry.of(graph, RUN).values == ((0, 1, 2),)
    assert Symmetry.of(graph, RUN).canonical((2,)) == (2,)
