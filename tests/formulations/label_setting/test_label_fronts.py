"""Fronts of chains and forests by labels, against brute force."""

from __future__ import annotations

import itertools

import pytest
from front_cases import (
    JOINT,
    complete,
    front_by_enumeration,
    holds,
    labels,
    plain,
    random_criteria,
    unrelated_chains,
)
from helpers import each
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.costgraph import Capacity
from hypar_opt.formulation.protocol import Fronts
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run

BRUTE = load_formulation("brute-force")


def brute(graphs):
    solution = BRUTE.front(graphs, Run("brute-force"))
    assert solution.complete
    return holds(solution, graphs)


def test_joint_dp_and_brute_force_enumerate_fronts():
    assert isinstance(JOINT, Fronts)
    assert isinstance(BRUTE, Fronts)


def test_one_variable_by_hand():
    graphs = plain([[1, 2, 5, 3]]), plain([[5, 2, 1, 3]])
    solution = labels(graphs)
    assert [(point.values, point.choices) for point in solution.points] == [
        ((1, 5), (0,)),
        ((2, 2), (1,)),
        ((5, 1), (2,)),
    ]


def test_points_that_no_weighted_sum_finds():
    assert complete((plain([[0, 4, 5, 5]]), plain([[5, 4, 1, 3]]))) == [(0, 5), (4, 4), (5, 1)]


def test_two_variables_by_hand():
    # the sums (1, 8) (4, 4) (4, 4) (7, 0), and the edge adds (0, 9) to the last
    graphs = plain([[0, 3], [1, 4]], {(0, 1): [[0, 0], [0, 0]]}), plain([[4, 0], [4, 0]], {(0, 1): [[0, 0], [0, 9]]})
    assert complete(graphs) == [(1, 8), (4, 4)]


def test_a_capacity_takes_a_point_away_and_is_no_coordinate_of_the_result():
    free = plain([[1, 2, 5]]), plain([[5, 2, 1]])
    bound = [graph.replace(capacities=(Capacity("memory", 7, {0: (9, 7, 3)}),)) for graph in free]
    assert complete(bound) == [(2, 2), (5, 1)]


def test_what_uses_less_does_not_replace_what_costs_less():
    # the cheap value of v0 uses much: it fits with the cheap value of v1 only
    capacity = Capacity("memory", 10, {0: (8, 1), 1: (2, 9)})
    graphs = [plain([[1, 4], [3, 0]], {(0, 1): [[0, 0], [0, 0]]}, [capacity]) for _ in range(2)]
    assert complete(graphs) == [(4, 4)]


def test_criteria_that_agree_have_one_point():
    graph = plain([[3, 1, 2]])
    assert complete([graph, graph, graph]) == [(1, 1, 1)]


def test_all_costs_zero():
    graph = plain([[0, 0], [0, 0]], {(0, 1): [[0, 0], [0, 0]]})
    assert complete([graph, graph]) == [(0, 0)]


def test_no_variables():
    graph = plain([])
    assert [(p.values, p.choices) for p in labels([graph, graph]).points] == [((0, 0), ())]


def test_no_allowed_value_is_a_complete_front_without_points():
    graphs = random_criteria(0)
    none = [graph.replace(capacities=(Capacity("none", -1, {0: (0,) * graph.variables[0].size}),)) for graph in graphs]
    solution = labels(none)
    assert (solution.points, solution.complete) == ((), True)
    assert solution.native_status == "the least usages exceed what is allowed"


@pytest.mark.parametrize("criteria", [2, 3, 4])
@pytest.mark.parametrize("shape", ["chain", "forest"])
@each("seed", range(25), quick=3)
def test_random_fronts(seed, shape, criteria):
    graphs = random_criteria(seed, variables=1 + seed % 4, criteria=criteria, shape=shape, capacities=seed % 3)
    assert complete(graphs) == brute(graphs) == front_by_enumeration(graphs)


@given(
    seed=st.integers(0, 10**6),
    criteria=st.integers(2, 3),
    capacities=st.integers(0, 2),
    unit=st.sampled_from([1, 2**40, 2**66]),
    top=st.sampled_from([1, 3, 1000]),
    shape=st.sampled_from(["chain", "forest"]),
)
def test_any_front_is_that_of_trying_all(seed, criteria, capacities, unit, top, shape):
    graphs = random_criteria(
        seed, variables=3, criteria=criteria, capacities=capacities, unit=unit, top=top, shape=shape
    )
    assert complete(graphs) == brute(graphs)


@each("seed", range(6))
def test_numbers_beyond_64_bits_give_the_front_of_small_ones(seed):
    small, large = (unrelated_chains(seed, unit=unit, levels=2, variables=5) for unit in (1, 2**66))
    assert large[0].dtype is object
    assert complete(large) == [tuple(value << 66 for value in point) for point in complete(small)]


@each("seed", range(4))
def test_the_same_front_twice(seed):
    graphs = unrelated_chains(seed, variables=5, levels=2, criteria=3, top=30)
    assert labels(graphs) == labels(graphs)


def test_the_end_of_a_front_is_the_least_of_a_criterion():
    graphs = unrelated_chains()
    values = complete(graphs)
    assert values[0][0] == JOINT.solve(graphs[0], Run("joint-dp")).bound
    assert values[-1][1] == JOINT.solve(graphs[1], Run("joint-dp")).bound


def test_a_front_falls_in_the_second_criterion_as_it_rises_in_the_first():
    values = complete(unrelated_chains())
    assert len(values) > 20
    assert all(a[0] < b[0] and a[1] > b[1] for a, b in itertools.pairwise(values))


def test_stopped_before_it_begins_it_claims_nothing():
    limits = Limits()
    limits.stop.set()
    solution = JOINT.front(random_criteria(7), Run("joint-dp", limits))
    assert (solution.points, solution.complete, solution.native_status) == ((), False, "stopped before the last layer")


def test_too_little_memory_for_the_labels_leaves_the_plans_of_weighted_sums():
    graphs = unrelated_chains()
    solution = JOINT.front(graphs, Run("joint-dp", Limits(memory_bytes=10_000)))
    assert (solution.complete, solution.native_status) == (False, "the labels exceed the memory limit")
    found, whole = holds(solution, graphs), complete(graphs)
    assert found[0][0] == whole[0][0]
    assert 2 <= len(found) < len(whole)
    assert set(found) <= set(whole)


def test_brute_force_stopped_claims_nothing():
    limits = Limits()
    limits.stop.set()
    solution = BRUTE.front(random_criteria(7), Run("brute-force", limits))
    assert (solution.complete, solution.native_status) == (False, "stopped before all assignments were seen")


def test_brute_force_declines_too_many_assignments():
    graph = plain([[0] * 10] * 9)
    assert BRUTE.accepts_front([graph, graph], Run("brute-force")) == (
        "about 10^9 assignments, its limit is 16,777,216; try joint-dp"
    )
