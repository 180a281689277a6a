"""Labels of graphs with cycles, against brute force and against the labels of forests."""

from __future__ import annotations

import time
from itertools import combinations

import numpy as np
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

from formulations.joint_dp.buckets import Buckets
from formulations.joint_dp.elimination import min_fill
from formulations.label_setting import dominance, table
from formulations.label_setting.clusters import ClusterEnumeration, scopes_of
from formulations.label_setting.forest import usages_of
from formulations.label_setting.fronts import KnownPlans
from hypar_opt.costgraph import Capacity, Edge, TableEdge
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run


def unrelated_ring(seed=0, **others):
    """Return a chain whose ends are neighbours, too."""
    graphs = unrelated_chains(seed, **others)
    last = len(graphs[0].variables) - 1
    return [
        graph.replace(edges=(*graph.edges, Edge(0, last, {"cost": graph.edge_costs[0, 1]}))) for graph in graphs
    ]  # fmt: skip


def reached(found, whole, excess):
    """Return whether for every point there is one that has at most so much more of everything."""
    return all(any(all(a <= (1 + excess) * b for a, b in zip(one, v, strict=True)) for one in found) for v in whole)


def test_a_ring_by_hand():
    # all values 0 cost (0, 6); each 1 costs (2, -1) more, and where two neighbours differ (1, 0)
    apart = [[0, 1], [1, 0]]
    ring = {(0, 1): apart, (1, 2): apart, (0, 2): apart}
    none = {pair: [[0, 0], [0, 0]] for pair in ring}
    graphs = plain([[0, 2]] * 3, ring), plain([[2, 1]] * 3, none)
    assert complete(graphs) == [(0, 6), (4, 5), (6, 3)] == front_by_enumeration(graphs)


@pytest.mark.parametrize("criteria", [2, 3, 4])
@each("seed", range(40), quick=3)
def test_random_fronts(seed, criteria):
    graphs = random_criteria(seed, variables=2 + seed % 4, criteria=criteria, shape="cycles")
    assert complete(graphs) == front_by_enumeration(graphs)


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    variables=st.integers(3, 4),
    criteria=st.integers(2, 3),
    unit=st.sampled_from([1, 2**40, 2**66]),
    top=st.sampled_from([1, 3, 1000]),
)
def test_any_front_is_that_of_trying_all(seed, variables, criteria, unit, top):
    graphs = random_criteria(
        seed, variables=variables, criteria=criteria, unit=unit, top=top, shape="cycles", most_levels=1
    )
    assert complete(graphs) == front_by_enumeration(graphs)


@pytest.mark.parametrize("shape", ["chain", "forest", "cycles"])
@each("seed", range(12))
def test_without_bounds_there_are_the_same_points(seed, shape):
    """On forests, too, whose labels are otherwise made by other code."""
    graphs = random_criteria(seed, variables=4, shape=shape, most_levels=1)
    found = ClusterEnumeration.of(graphs, [], Run("joint-dp")).run()
    assert [values for values, _ in found] == front_by_enumeration(graphs)
    assert all(tuple(graph.value(choices) for graph in graphs) == values for values, choices in found)


@each("seed", range(40))
def test_a_step_passes_on_what_its_message_is_about(seed):
    graph = random_criteria(seed, variables=7, shape="cycles", most_levels=0)[0]
    buckets = Buckets.of(graph)
    for step, scopes in zip(min_fill(graph), scopes_of(buckets), strict=True):
        assert set(scopes.passed) == set(step.scope)
        assert all(step.variable in scope and set(scope) <= {step.variable, *step.scope} for scope in scopes.taken)
        assert scopes.last is None or scopes.passed[-1] == scopes.last


def test_the_ends_of_a_ring_beyond_enumeration():
    graphs = unrelated_ring(variables=8, levels=2)
    values = complete(graphs)
    assert values[0][0] == JOINT.solve(graphs[0], Run("joint-dp")).bound
    assert values[-1][1] == JOINT.solve(graphs[1], Run("joint-dp")).bound
    assert len(values) > 20


@pytest.mark.sampled(1)
@pytest.mark.parametrize("criteria", [2, 3])
def test_rings_beyond_enumeration_as_by_epsilon_constraints(criteria):
    graphs = unrelated_ring(5, variables=5, levels=2, criteria=criteria, top=50 if criteria == 2 else 4)
    other = load_formulation("cp-sat").front(graphs, Run("cp-sat"))
    assert other.complete and complete(graphs) == holds(other, graphs)


def test_too_little_memory_for_the_labels_leaves_the_plans_of_weighted_sums():
    graphs = unrelated_ring(variables=8, levels=2)
    solution = labels(graphs, memory_bytes=20_000)
    assert (solution.complete, solution.native_status) == (False, "the labels exceed the memory limit")
    found, whole = holds(solution, graphs), complete(graphs)
    assert 2 <= len(found) < len(whole) and set(found) <= set(whole)
    assert 0 < solution.excess < 1 and reached(found, whole, solution.excess)
    assert not reached(found, whole, 0), "the others are none of these"


def test_stopped_before_it_begins_it_claims_nothing():
    solution = labels(unrelated_ring(variables=4), deadline=time.monotonic() - 1)
    assert (solution.points, solution.complete) == ((), False)


def test_a_ring_under_a_capacity_by_hand():
    # all values 0 cost (0, 6) and use 3; each 1 costs (2, -1) more, uses 1 less, and where two neighbours differ (1, 0)
    apart = [[0, 1], [1, 0]]
    ring = {(0, 1): apart, (1, 2): apart, (0, 2): apart}
    none = {pair: [[0, 0], [0, 0]] for pair in ring}
    for limit, front in ((3, [(0, 6), (4, 5), (6, 3)]), (2, [(4, 5), (6, 3)]), (0, [(6, 3)]), (-1, [])):
        capacity = Capacity("memory", limit, dict.fromkeys(range(3), (1, 0)))
        graphs = plain([[0, 2]] * 3, ring, [capacity]), plain([[2, 1]] * 3, none, [capacity])
        assert complete(graphs) == front == front_by_enumeration(graphs)


def with_pairs(seed, graphs):
    """Return criteria under a capacity more, that values and every second pair of values use."""
    rng, first = np.random.default_rng(seed), graphs[0]
    sizes = [variable.size for variable in first.variables]
    usages = {i: tuple(rng.integers(0, 20, size).tolist()) for i, size in enumerate(sizes)}
    pairs = {
        pair: TableEdge(rng.integers(0, 30, [sizes[x] for x in pair]).astype(object))
        for pair in [*first.edge_costs][::2]
    }
    if not pairs:
        return graphs
    capacity = Capacity("shared", int(rng.integers(10, 90)), usages, pairs)
    return [graph.replace(capacities=(*graph.capacities, capacity)) for graph in graphs]


@pytest.mark.parametrize("criteria", [2, 3])
@each("seed", range(50), quick=5)
def test_random_fronts_under_capacities(seed, criteria):
    graphs = random_criteria(
        seed, variables=3 + seed % 3, criteria=criteria, shape="cycles", capacities=1 + seed % 3, most_levels=1
    )
    assert complete(graphs) == front_by_enumeration(graphs)
    if seed % 2:
        graphs = with_pairs(seed, graphs)
        assert complete(graphs) == front_by_enumeration(graphs)


def test_that_check_catches_labels_that_are_compared_by_their_criteria_alone(monkeypatch):
    real = dominance.non_dominated
    monkeypatch.setattr(table, "non_dominated", lambda states, values: real(states, values[:2]))
    cases = [random_criteria(seed, variables=4, shape="cycles", capacities=1, most_levels=1) for seed in range(40)]
    assert any(
        labels(graphs).points and holds(labels(graphs), graphs) != front_by_enumeration(graphs) for graphs in cases
    )


@pytest.mark.parametrize("shape", ["chain", "forest", "cycles"])
@each("seed", range(40), quick=12)
def test_without_bounds_there_are_the_same_points_under_capacities(seed, shape):
    graphs = with_pairs(seed, random_criteria(seed, variables=4, shape=shape, most_levels=1, capacities=1 + seed % 2))
    if any(usage.limit < 0 for usage in usages_of(graphs[0])):
        return
    found = ClusterEnumeration.of(graphs, [], Run("joint-dp")).run()
    assert [values for values, _ in found] == front_by_enumeration(graphs)
    assert all(graphs[0].feasible(choices) for _, choices in found)


def test_more_states_than_memory_are_declined():
    graphs = [plain([[0] * 200] * 4, {pair: [[0] * 200] * 200 for pair in combinations(range(4), 2)})] * 2
    assert JOINT.accepts_front(graphs, Run("joint-dp", Limits(memory_bytes=6 * 10**8))) == (
        "its labels are by the values of several variables, up to 8,000,000 combinations, which need about 0.717 GiB "
        "and the memory limit is 0.559 GiB; try a higher --memory-limit, fewer levels, or cp-sat"
    )


@each("seed", range(40), quick=15)
def test_under_capacities_a_plan_is_known_before_any_label(seed):
    """Where prices of usages lead to one; mostly they do, also where costs and usages differ by magnitudes."""
    graphs = random_criteria(seed, variables=5, shape="cycles", most_levels=1, capacities=1, unit=[1, 2**40][seed % 2])
    usages, front = usages_of(graphs[0]), front_by_enumeration(graphs)
    if not usages or any(usage.limit < 0 for usage in usages):
        return
    known = KnownPlans(tuple(graphs), usages)
    assert known.explore(Run("joint-dp"), 4) is not None
    assert bool(known.plans) == bool(front)
    assert all(any(below(point, values) for point in front) for values in known.plans)


def below(first, second):
    return all(a <= b for a, b in zip(first, second, strict=True))
