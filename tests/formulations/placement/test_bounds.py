"""Lower bounds of what adds up over pairs: below every placement, and as large as they should be."""

from __future__ import annotations

import importlib
from fractions import Fraction
from itertools import combinations
from threading import Event

import numpy as np
import pytest
from helpers import each
from small_graphs import cube, least, mesh, path, problem, random_costs, random_machine, ring, star, tree

from formulations.placement.bounds import hypercube, lower_bound, neighbours
from formulations.placement.bounds.cuts import cut_values, cuts, distinct, lowered
from formulations.placement.bounds.hypercube import least_boundary, least_of_sites, most_inside
from formulations.placement.bounds.packing import claimed
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.partition import halves

CUTS = importlib.import_module("formulations.placement.bounds.cuts")
SIZES = [(2, 4), (2, 5), (2, 6), (3, 8), (1, 5), (0, 3)]
RUN = Run("bounds")


def direct_boundary(levels, volumes, chosen):
    inside = set(chosen)
    return sum(volumes[h] for h in range(levels) for x in inside if x ^ 1 << levels - 1 - h not in inside)


def unsound(argument, seeds=range(30)):
    """Return whether an argument claims of any problem more than a placement costs."""
    graphs = (random_costs(seed, *SIZES[seed % len(SIZES)]) for seed in seeds)
    return any((one := argument(graph)) is not None and one.value > least(graph) for graph in graphs)


@pytest.mark.parametrize(
    "argument", [neighbours, lambda graph: cuts(graph, RUN), lambda graph: lower_bound(graph, RUN)]
)
def test_no_placement_costs_less(argument):
    assert not unsound(argument)


@pytest.mark.slow
def test_that_check_catches_boundaries_too_large(monkeypatch):
    monkeypatch.setattr(CUTS, "least_boundary", lambda volumes: [x + 1 for x in least_boundary(volumes)])
    assert unsound(lambda graph: cuts(graph, RUN), range(6))


def test_that_check_catches_spare_sites_forgotten(monkeypatch):
    monkeypatch.setattr(CUTS, "least_of_sites", lambda e, sites: [e[min(k, len(e) // 2)] for k in range(sites + 1)])
    assert unsound(lambda graph: cuts(graph, RUN), range(100))


@each("seed", range(12), quick=4)
def test_hops_of_random_machines(seed):
    graph = problem(random_machine(seed, 8, seed % 3), (3, 1, 2), {"hop-bytes": 1, "communication": 2})
    assert lower_bound(graph, RUN).value <= least(graph)


@pytest.mark.parametrize(
    ("array", "levels", "hops"),
    [
        (tree(2), 2, 2 * 2 + 2 * 4),
        (tree(4), 4, 8 * (2 + 4 + 6 + 8)),
        (mesh(4, 4), 4, 48),
        (mesh(2, 4), 3, 4 + 2 * 6),
        (path(8), 3, 28),
        (path(16), 4, 120),
        (ring(8), 3, 20),
        (ring(4), 2, 4),
        (star(8), 3, 24),
        (cube(4), 4, 32),
    ],
)
def test_pair_hops_that_are_known_to_be_least(array, levels, hops):
    assert lower_bound(problem(array, (1,) * levels), RUN).value == 2 * hops


def test_it_says_which_argument():
    even = lower_bound(problem(cube(3), (1, 1, 1)), RUN)
    assert even.text == "every partner as near as any site is"
    cut = lower_bound(problem(mesh(4, 4), (1, 1, 1, 1)), RUN)
    assert cut.text == (
        "a packing of 6 cuts, each crossed by at least what its number of leaves exchanges with the others"
    )


@pytest.mark.parametrize("volumes", [(1, 1, 1), (1, 2, 4), (5, 0, 3), (2, 2, 1)])
def test_least_boundaries_of_eight_leaves(volumes):
    found = [min(direct_boundary(3, volumes, s) for s in combinations(range(8), k)) for k in range(9)]
    assert least_boundary(volumes) == found
    assert [k * sum(volumes) - 2 * int(most) for k, most in enumerate(most_inside(volumes))] == found


@pytest.mark.parametrize("volumes", [(1, 1, 1, 1), (1, 2, 4, 8), (3, 3, 1, 0), (2**70, 1, 2, 2**69)])
def test_the_recursion_agrees_with_all_sets_of_sixteen_leaves(volumes):
    inside = [k * sum(volumes) - 2 * int(most) for k, most in enumerate(most_inside(volumes))]
    assert inside == least_boundary(volumes)
    assert hypercube.boundaries(volumes)[0b11] == 2 * sum(volumes[:3])


def test_equal_levels_agree_with_harper():
    ones = [bin(x).count("1") for x in range(64)]
    assert least_boundary((1,) * 6) == [6 * k - 2 * sum(ones[:k]) for k in range(65)]


def test_with_empty_sites_a_set_may_hold_fewer():
    assert least_of_sites([0, 2, 2, 2, 0], 5) == [0, 0, 2, 2, 0, 0]
    assert least_of_sites([0, 2, 2, 2, 0], 4) == [0, 2, 2, 2, 0]


def test_a_set_and_its_complement_are_one():
    sets = np.array([[1, 0, 0], [0, 1, 1], [1, 1, 1], [0, 0, 0]], dtype=bool)
    assert distinct(sets).tolist() == [[True, False, False]]


def test_violated_packings_are_scaled_down():
    sets = np.array([[True, False], [True, False]])
    costs = np.array([[0, 3], [3, 0]])
    assert claimed(sets, np.array([2.0, 2.0]), costs, [0, 5, 0]) == Fraction(3, 4) * 20
    assert claimed(sets, np.array([2.0, 1.0]), costs, [0, 5, 0]) == 15
    assert claimed(sets, np.array([2.0, 1.0]), 0 * costs, [0, 5, 0]) == 0


def test_huge_costs_are_lowered_and_stay_exact():
    huge = 3 * 2**80
    costs, unit = lowered(np.array([[0, huge, 2 * huge + 3], [huge, 0, 9], [2 * huge + 3, 9, 0]], dtype=object))
    assert costs.max() < 2**31
    assert int(costs[0, 1]) * unit <= huge
    graph = problem(mesh(4, 4), (1, 1, 1, 1))
    wide = PlacementGraph(halves(4), graph.pair_costs.astype(object) * 2**80, (2**90,) * 4)
    assert lower_bound(wide, RUN).value == 96 * 2**170


def test_values_of_all_cuts():
    table = np.array([[0, 1, 2], [1, 0, 4], [2, 4, 0]])
    assert cut_values(table).tolist() == [0, 3, 5, 6, 6, 5, 3, 0]


def test_after_a_limit_multipliers_still_prove_what_they_can(monkeypatch):
    stop = Event()
    stop.set()
    graph = problem(mesh(4, 4), (1, 1, 1, 1))
    monkeypatch.setattr(CUTS, "MOST_ENUMERATED", 0)
    found = cuts(graph, Run("bounds", Limits(stop=stop)))
    assert found is not None
    assert 0 < found.value <= 96


def test_multipliers_that_add_up_beyond_64_bits_prove_nothing_false():
    sets = np.array([[True, False, False], [False, True, False]])
    costs = np.where(np.eye(3, dtype=np.bool_), 0, 2**62)
    # both sets separate sites 0 and 1, whose cost so bounds what they may weigh together
    for size in (2.0**50, 2.0**62):
        assert claimed(sets, np.array([size, size]), costs, [0, 1, 1]) in (0, 2**62)
    assert claimed(sets, np.array([2.0**50, 2.0**50]), costs, [0, 1, 1]) == 2**62
