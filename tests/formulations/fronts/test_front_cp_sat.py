"""Fronts by epsilon-constraints in CP-SAT, against brute force and labels."""

from __future__ import annotations

import time

import pytest
from front_cases import front_by_enumeration, holds, plain, random_criteria, unrelated_chains
from helpers import each

from formulations.fronts.model import packed
from hypar_opt.costgraph import Capacity
from hypar_opt.formulation.protocol import Fronts
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run, Stopped

CP_SAT, JOINT, BRUTE = (load_formulation(name) for name in ("cp-sat", "joint-dp", "brute-force"))


def complete(graphs):
    run = Run("cp-sat")
    assert CP_SAT.accepts_front(graphs, run) is None
    solution = CP_SAT.front(graphs, run)
    assert solution.complete
    return holds(solution, graphs)


def test_cp_sat_enumerates_fronts():
    assert isinstance(CP_SAT, Fronts)


def test_one_variable_by_hand():
    # (2, 6) is dominated in the second criterion alone
    graphs = plain([[1, 2, 5, 2]]), plain([[5, 2, 1, 6]])
    solution = CP_SAT.front(graphs, Run("cp-sat"))
    assert [(point.values, point.choices) for point in solution.points] == [
        ((1, 5), (0,)),
        ((2, 2), (1,)),
        ((5, 1), (2,)),
    ]
    assert solution.native_status == "the front is complete"


def test_points_that_no_weighted_sum_finds():
    assert complete((plain([[0, 4, 5, 5]]), plain([[5, 4, 1, 3]]))) == [(0, 5), (4, 4), (5, 1)]


def test_no_variables():
    graph = plain([])
    assert complete([graph, graph]) == [(0, 0)]


def test_no_room_for_the_least_usages_is_a_complete_front_without_points():
    graph = plain([[1, 2]], capacities=[Capacity("memory", 0, {0: (1, 2)})])
    solution = CP_SAT.front([graph, graph], Run("cp-sat"))
    assert (solution.points, solution.complete) == ((), True)


@pytest.mark.parametrize("criteria", [2, 3])
@pytest.mark.parametrize("shape", ["chain", "forest", "cycles"])
@each("seed", range(8), quick=3)
def test_random_fronts(seed, shape, criteria):
    graphs = random_criteria(seed, variables=1 + seed % 4, criteria=criteria, shape=shape, capacities=seed % 2, top=20)
    assert complete(graphs) == front_by_enumeration(graphs)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("criteria", [2, 3])
def test_chains_beyond_enumeration_as_by_labels(criteria):
    graphs = unrelated_chains(5, variables=6, levels=2, criteria=criteria, top=50 if criteria == 2 else 6)
    found = holds(JOINT.front(graphs, Run("joint-dp")), graphs)
    assert complete(graphs) == found
    assert len(found) > 5


def test_costs_with_a_large_common_divisor():
    small, large = (unrelated_chains(2, variables=3, levels=1, unit=unit) for unit in (1, 2**70))
    assert complete(large) == [tuple(value << 70 for value in point) for point in complete(small)]


@each("seed", range(20))
def test_one_network_carries_every_criterion(seed):
    graphs = random_criteria(seed, variables=2, criteria=3)
    polytope, criteria = packed(graphs)
    for start, end, total in paths(polytope.networks[0, 1], [one.arcs[0, 1] for one in criteria]):
        pair = tuple(graph.edge_costs[0, 1].value(start, end) for graph in graphs)
        assert tuple(one.unit * cost for one, cost in zip(criteria, total, strict=True)) == pair


def paths(network, costs):
    """Return the ends of every path, and what its arcs cost by each criterion."""
    at = {start: [(start, (0,) * len(costs))] for start in range(network.first)}
    for (tail, head, _), *own in zip(network.arcs, *costs, strict=True):
        at.setdefault(head, []).extend(
            (start, tuple(map(sum, zip(total, own, strict=True)))) for start, total in at[tail]
        )
    ends = range(network.first, network.first + network.second)
    return [(start, node - network.first, total) for node in ends for start, total in at.get(node, ())]


def test_stopped_it_has_points_of_the_front_and_does_not_claim_all():
    graphs = unrelated_chains(1, variables=10, levels=2, criteria=3)
    whole = set(holds(JOINT.front(graphs, Run("joint-dp")), graphs))
    solution = CP_SAT.front(graphs, Run("cp-sat", Limits(deadline=time.monotonic() + 1.0)))
    assert (solution.complete, solution.native_status) == (False, "stopped before the last point")
    found = holds(solution, graphs)
    assert set(found) < whole
    assert solution.excess is None or all(within(found, value, solution.excess) for value in whole)


def within(found, value, excess):
    return any(all(a <= (1 + excess) * b for a, b in zip(one, value, strict=True)) for one in found)


@each("seed", range(13))
def test_weighted_sums_go_before_every_search(seed, monkeypatch):
    """Where there is no time for searches, each point is one of the front, and what is proven holds."""
    graphs = random_criteria(seed, variables=4, criteria=2 + seed % 2, shape="cycles", capacities=seed % 2)
    whole = front_by_enumeration(graphs)
    monkeypatch.setattr("formulations.fronts.asking.least_sum", stopped)
    solution = CP_SAT.front(graphs, Run("cp-sat"))
    found = holds(solution, graphs)
    assert solution.complete == (not whole) and set(found) <= set(whole)
    assert all(within(found, value, solution.excess) for value in whole)


def stopped(*_):
    raise Stopped


def test_without_memory_for_tables_there_are_no_sums_and_the_front_is_the_same():
    graphs = unrelated_chains(5, variables=4, levels=2, top=50)
    small = CP_SAT.front(graphs, Run("cp-sat", Limits(memory_bytes=1)))
    assert small.complete and small.excess == 0
    assert holds(small, graphs) == complete(graphs)


def test_without_sums_nothing_is_proven_of_what_is_not_found(monkeypatch):
    monkeypatch.setattr("formulations.fronts.asking.least_sum", stopped)
    solution = CP_SAT.front(unrelated_chains(5, variables=4, levels=2), Run("cp-sat", Limits(memory_bytes=1)))
    assert (solution.points, solution.complete, solution.excess) == ((), False, None)


def test_stopped_before_it_begins_it_has_none():
    limits = Limits()
    limits.stop.set()
    solution = CP_SAT.front(unrelated_chains(1), Run("cp-sat", limits))
    assert (solution.points, solution.complete) == ((), False)


def test_too_many_criteria_are_declined():
    assert CP_SAT.accepts_front([plain([[1, 2]])] * 4, Run("cp-sat")) == ("4 criteria, its limit is 3; try joint-dp")


def test_criteria_beyond_64_bits_are_declined():
    wide, narrow = plain([[0, 2**61 + 1], [0, 1]]), plain([[0, 1], [1, 0]])
    assert CP_SAT.accepts_front([wide, narrow], Run("cp-sat")) == (
        "the criteria, divided by their common divisors, do not fit 64 bits; try joint-dp"
    )


def test_too_many_arcs_are_declined():
    graphs = unrelated_chains(1, variables=40, levels=7)
    assert "arcs, its limit is 200,000; try joint-dp" in CP_SAT.accepts_front(graphs, Run("cp-sat"))
