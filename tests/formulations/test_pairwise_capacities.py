"""Capacities that pairs of values use: every formulation that takes them against brute force, each part alone."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic

import numpy as np
import pytest
from helpers import each
from random_graphs import coupled_graph

from formulations.flow_model.covers import ROOM
from formulations.flow_model.polytope import Polytope
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.formulation.registry import formulations, load_formulation, require
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.util.errors import Refusal

EXACT = ("joint-dp", "cp-sat", "milp-highs", "milp-cbc")


def solved(name, graph):
    run, formulation = Run(name), load_formulation(name)
    require(formulation, graph, run)
    return formulation.solve(graph, run)


@pytest.mark.parametrize("name", EXACT)
@each("seed", range(60), quick=20)
def test_it_agrees_with_brute_force(name, seed):
    # joint-dp takes graphs without cycles; numbers beyond what solvers are given as they are, in every other graph
    graph = coupled_graph(seed, variables=4, more=0 if name == "joint-dp" else None, most=[1, 2**40 + 1][seed % 2])
    solution, brute = solved(name, graph), solved("brute-force", graph)
    assert (solution.status, solution.bound) == (brute.status, brute.bound)
    assert solution.choices is None or (
        graph.feasible(solution.choices) and graph.value(solution.choices) == solution.bound
    )


def test_some_of_those_graphs_are_infeasible_and_some_bind():
    found = [coupled_graph(seed, variables=4, more=0) for seed in range(20)]
    ends = [solved("brute-force", graph) for graph in found]
    free = [solved("brute-force", graph.replace(capacities=())) for graph in found]
    assert {end.status for end in ends} == {Status.OPTIMAL, Status.INFEASIBLE}
    assert (
        sum(end.status is Status.OPTIMAL and end.bound > other.bound for end, other in zip(ends, free, strict=True)) > 3
    )


@pytest.mark.parametrize("name", ["joint-dp", "cp-sat"])
@each("seed", range(100, 130), quick=10)
def test_fronts_are_within_them(name, seed):
    graph = coupled_graph(seed, variables=4, more=0)
    other = coupled_graph(seed, variables=4, more=0, unit=7).replace(capacities=graph.capacities)
    graphs = [graph, other.replace(variables=graph.variables)]
    run = Run(name)
    found, brute = (load_formulation(one).front(graphs, run) for one in (name, "brute-force"))
    assert found.complete and [point.values for point in found.points] == [point.values for point in brute.points]


def pair(limit, uses, costs=((0, 5), (3, 9))):
    """Return two variables of two values; what they use together is a table."""
    usage = {(0, 1): TableEdge(np.array(uses, dtype=object))}
    edge = Edge(0, 1, {"cost": TableEdge(np.array(costs, dtype=object))})
    nothing = {"cost": TableUnary(np.zeros(2, dtype=object))}
    variables = (Variable("a", 2), Variable("b", 2))
    capacity = Capacity("time", limit, {}, 1, usage)
    return CostGraph(variables, (nothing, nothing), (edge,), Objective({"cost": Fraction(1)}), (capacity,))


@pytest.mark.parametrize("name", ["brute-force", *EXACT])
@pytest.mark.parametrize(("limit", "best"), [(10, 0), (7, 3), (6, 5), (4, 9), (3, None)])
def test_two_variables_by_hand(name, limit, best):
    # the pairs that cost 0, 3, 5, 9 use 10, 7, 6, 4
    solution = solved(name, pair(limit, [[10, 6], [7, 4]]))
    assert solution.bound == best and (best is None) == (solution.status is Status.INFEASIBLE)


@pytest.mark.parametrize("name", ["milp-highs", "milp-cbc", "cp-sat"])
def test_one_unit_beyond_a_limit_of_fifteen_digits_is_beyond_it(name):
    limit = 10**15
    for more, best in ((0, 0), (1, 3)):
        assert solved(name, pair(limit, [[limit + more, limit], [limit, 0]])).bound == best


def test_a_cover_of_pairs_cuts_off_what_it_is_made_of_and_nothing_allowed():
    for seed in range(30):
        graph = coupled_graph(seed, variables=4)
        polytope = Polytope.of(graph)
        sizes = [len(values) for values in polytope.values]
        for positions in np.ndindex(*sizes):
            row = next((one for one in polytope.rows if one.used(positions) > one.limit), None)
            if row is None or not row.arcs:
                continue
            cover = row.cover(positions)
            assert cover.used(positions) > cover.limit
            others = (other for other in np.ndindex(*sizes) if row.used(other) <= row.limit)
            assert all(cover.used(other) <= cover.limit for other in others)
            break


def test_a_row_says_what_a_capacity_does():
    for seed in range(20):
        graph = coupled_graph(seed, variables=4, most=2**40 + 1)
        polytope = Polytope.of(graph)
        for positions in list(np.ndindex(*(len(values) for values in polytope.values)))[::7]:
            choices = polytope.choices(positions)
            within = [capacity.used(choices) <= capacity.limit for capacity in graph.capacities]
            assert [row.used(positions) <= row.limit for row in polytope.rows] == within
        assert all(row.relaxed().limit <= ROOM for row in polytope.rows)


def test_who_does_not_know_of_them_is_not_asked():
    graph, unaware = (
        pair(7, [[10, 6], [7, 4]]),
        {name for name, able in formulations().items() if not able.pairwise_capacities},
    )
    assert {"hypar-dp", "lagrangian", "portfolio"} <= unaware
    with pytest.raises(Refusal, match="hypar-dp"):
        solved("hypar-dp", graph)


def test_a_capacity_joins_what_an_edge_joins():
    with pytest.raises(ValueError, match=r"the capacity 'time' joins variables \(0, 1\), and no edge does"):
        pair(7, [[10, 6], [7, 4]]).replace(edges=())


def test_tables_have_no_room_for_them():
    with pytest.raises(ValueError, match="a capacity is used by pairs of values"):
        _ = pair(7, [[10, 6], [7, 4]]).tables


def test_presolve_of_a_solver_does_not_keep_a_small_programme_from_ending():
    """HiGHS 1.14 does not end here with its presolve on."""
    variables, unary = (Variable("a", 4), Variable("p", 2)), ([2688, 2688, 2688, 5376], [2100, 4200])
    table = TableEdge(np.array([[0, 10125], [5325, 10125], [5325, 10125], [0, 0]]))
    uses = TableEdge(np.array([[0, 216], [192, 216], [192, 216], [0, 0]]))
    zeros = {place: TableUnary(np.zeros(variable.size, dtype=np.int64)) for place, variable in enumerate(variables)}
    graph = CostGraph(
        variables,
        tuple({"cost": TableUnary(np.array(own))} for own in unary),
        (Edge(0, 1, {"cost": table}),),
        Objective({"cost": Fraction(1)}),
        (Capacity("bound", 2, zeros, 1, {(0, 1): uses}),),
    )
    solution = load_formulation("milp-highs").solve(graph, Run("milp-highs", Limits(deadline=monotonic() + 20)))
    assert (solution.status, solution.bound) == (Status.OPTIMAL, 2688 + 2100)
