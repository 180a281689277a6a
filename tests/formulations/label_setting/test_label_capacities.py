"""joint-dp under capacities, against brute force and cp-sat."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from front_cases import front_by_enumeration, plain, random_criteria, unrelated_chains
from helpers import each
from hypothesis import given
from hypothesis import strategies as st

from formulations.label_setting.capacities import CapacityPrices, cheapest
from formulations.label_setting.forest import Forest
from hypar_opt.costgraph import Capacity, TableUnary
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Limits, Run

JOINT, BRUTE, CP_SAT = (load_formulation(name) for name in ("joint-dp", "brute-force", "cp-sat"))
FLAT = {(0, 1): [[0, 0], [0, 0]]}


def solved(graph, listener=None, proof=None, start=None, **limits):
    run = Run("joint-dp", Limits(**limits), start=start, listener=listener, proof=proof)
    require(JOINT, graph, run)
    return JOINT.solve(graph, run)


def agrees(graph, other=BRUTE):
    """Assert the same claim as another formulation's."""
    solution, expected = solved(graph), other.solve(graph, Run(other.name))
    assert (solution.status, solution.bound) == (expected.status, expected.bound)
    if solution.choices is not None:
        assert graph.feasible(solution.choices)
        assert graph.value(solution.choices) == solution.bound
    return solution


def crowded(share, *, seed=3, capacities=1, **others):
    """Return a chain whose capacities leave a share of what the best plan uses beyond the least."""
    graph = unrelated_chains(seed, criteria=1, **others)[0]
    rng, limits = np.random.default_rng(seed), []
    free = JOINT.solve(graph, Run("joint-dp")).choices
    for number in range(capacities):
        usages = {i: tuple(rng.integers(0, 1000, variable.size).tolist()) for i, variable in enumerate(graph.variables)}
        least, used = sum(map(min, usages.values())), sum(usages[i][choice] for i, choice in enumerate(free))
        limits.append(Capacity(f"capacity {number}", least + int((used - least) * share), usages))
    return graph.replace(capacities=tuple(limits))


def test_two_variables_by_hand():
    # the sums 0, 3, 3, 6 use 4, 2, 2, 0
    capacity = Capacity("memory", 3, {0: (2, 0), 1: (2, 0)})
    solution = agrees(plain([[0, 3], [0, 3]], FLAT, [capacity]))
    assert (solution.bound, solution.native_status) == (3, "all labels seen")


def test_a_plan_that_fits_anyway_is_proven_without_labels():
    proofs = []
    capacity = Capacity("memory", 4, {0: (2, 0), 1: (2, 0)})
    solution = solved(plain([[0, 3], [0, 3]], FLAT, [capacity]), proof=proofs.append)
    assert (solution.choices, solution.native_status) == ((0, 0), "dynamic programme complete")
    assert len(proofs) == 1


def test_no_proof_is_handed_over_where_a_capacity_counts():
    proofs = []
    capacity = Capacity("memory", 3, {0: (2, 0), 1: (2, 0)})
    assert solved(plain([[0, 3], [0, 3]], FLAT, [capacity]), proof=proofs.append).status == "OPTIMAL"
    assert proofs == []


def test_least_usages_above_the_limit_are_infeasible():
    solution = agrees(plain([[0, 3], [0, 3]], FLAT, [Capacity("memory", 1, {0: (2, 1), 1: (2, 1)})]))
    assert (solution.status, solution.native_status) == ("INFEASIBLE", "the least usages exceed what is allowed")


def test_capacities_that_contradict_each_other_are_infeasible():
    most = Capacity("most", 1, {0: (2, 0), 1: (2, 0)})
    some = Capacity("some", -1, {0: (-2, 0), 1: (-2, 0)})
    solution = agrees(plain([[0, 3], [0, 3]], FLAT, [most, some]))
    assert (solution.status, solution.native_status) == ("INFEASIBLE", "no label is within what is allowed")


def test_usages_may_be_negative():
    agrees(plain([[0, 3], [0, 3]], FLAT, [Capacity("at least one second value", -1, {0: (0, -1), 1: (0, -1)})]))


def test_usages_come_as_costs_too():
    usages = {0: TableUnary(np.array([2, 0], dtype=object)), 1: TableUnary(np.array([2, 0], dtype=object))}
    assert agrees(plain([[0, 3], [0, 4]], FLAT, [Capacity("memory", 3, usages)])).choices == (1, 0)


@pytest.mark.parametrize("shape", ["chain", "forest"])
@each("seed", range(60), quick=20)
def test_random_graphs_have_the_optimum_of_trying_all(seed, shape):
    agrees(random_criteria(seed, variables=1 + seed % 5, criteria=1, capacities=1 + seed % 3, shape=shape)[0])


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("capacities", [1, 2])
def test_chains_beyond_enumeration_as_cp_sat(share, capacities):
    graph = crowded(share, capacities=capacities, variables=8)
    assert "labels_made" in agrees(graph, CP_SAT).statistics


@given(
    seed=st.integers(0, 10**6),
    capacities=st.integers(1, 3),
    unit=st.sampled_from([1, 2**40, 2**66]),
    shape=st.sampled_from(["chain", "forest"]),
)
def test_any_graph_has_the_optimum_of_trying_all(seed, capacities, unit, shape):
    agrees(random_criteria(seed, variables=4, criteria=1, capacities=capacities, unit=unit, shape=shape)[0])


def test_usages_beyond_64_bits():
    graph = crowded(0.5, variables=5, levels=1)
    (capacity,) = graph.capacities
    usages = {i: tuple(usage.value(x) << 70 for x in range(usage.size)) for i, usage in capacity.usages.items()}
    large = graph.replace(capacities=(Capacity("large", capacity.limit << 70, usages),))
    assert agrees(large).bound == agrees(graph).bound


def test_the_bound_of_prices_lies_below_every_plan_and_above_the_optimum_without_capacities():
    graph = crowded(0.5, variables=6, levels=1)
    prices = CapacityPrices(Forest.of([graph]), Incumbent.of(graph, Run("x")), Run("x"))
    prices.search()
    free = JOINT.solve(graph.replace(capacities=()), Run("joint-dp")).bound
    ((least,), *_) = front_by_enumeration([graph])
    assert free < prices.bound <= least <= prices.best.value


def test_labels_at_the_optimum_pass_the_cut_and_below_it_none_do():
    graph = crowded(0.5, variables=6, levels=1)
    prices = CapacityPrices(Forest.of([graph]), Incumbent.of(graph, Run("x")), Run("x"))
    prices.search()
    least = BRUTE.solve(graph, Run("b")).bound
    assert [graph.value(choices) for _, choices in _enumerated(prices, least)] == [least]
    assert all(values[0] > least - 1 for values, _ in _enumerated(prices, least - 1))


def _enumerated(prices, most):
    return prices.labels(prices.cut(most)).run()


def test_bounds_and_incumbents_are_told_and_close():
    events = []
    solution = solved(crowded(0.5, seed=4), listener=events.append)
    bounds = [event.value for event in events if event.kind == "bound"]
    incumbents = [event.value for event in events if event.kind == "incumbent"]
    assert bounds == sorted(bounds)
    assert bounds[-1] <= solution.bound == incumbents[-1]


def test_a_start_within_the_capacities_is_the_first_incumbent():
    graph = plain([[0, 3], [0, 3]], FLAT, [Capacity("memory", 3, {0: (2, 0), 1: (2, 0)})])
    events = []
    assert solved(graph, listener=events.append, start=(1, 1)).bound == 3
    assert next(event.value for event in events if event.kind == "incumbent") == 6


def test_stopped_it_claims_nothing():
    limits = Limits()
    limits.stop.set()
    solution = JOINT.solve(crowded(0.5), Run("joint-dp", limits))
    assert (solution.status, solution.choices, solution.bound) == ("NO_SOLUTION", None, None)


def test_too_little_memory_for_the_labels_leaves_a_plan_and_a_bound():
    graph = crowded(0.5)
    solution = cheapest(graph, Run("joint-dp", Limits(memory_bytes=500)))
    assert (solution.status, solution.native_status) == ("FEASIBLE", "the labels exceed the memory limit")
    assert solution.bound < solved(graph).bound <= graph.value(solution.choices)


def cycle(*capacities):
    table = [[0, 1], [1, 0]]
    return plain([[0, 5]] * 3, {(0, 1): table, (1, 2): table, (0, 2): table}, capacities)


def test_on_cycles_a_capacity_that_counts_is_declined_with_alternatives():
    graph = cycle(Capacity("memory", 2, dict.fromkeys(range(3), (1, 0))))
    assert JOINT.accepts(graph, Run("joint-dp")) == (
        "the plan that is best without capacities exceeds one, and under capacities only graphs without cycles are "
        "solved; try cp-sat or milp-highs"
    )
    solution = JOINT.solve(graph, Run("joint-dp"))
    assert (solution.status, solution.choices, solution.bound) == ("NO_SOLUTION", None, 0)


def test_on_cycles_a_capacity_that_is_slack_is_no_matter():
    assert agrees(cycle(Capacity("memory", 3, dict.fromkeys(range(3), (1, 0))))).choices == (0, 0, 0)


def test_a_weighting_of_the_objective_changes_nothing_but_the_unit():
    graph = crowded(0.5, variables=6)
    half = graph.replace(objective=type(graph.objective)({"cost": Fraction(7)}))
    assert solved(half).bound == 7 * solved(graph).bound
