"""The CostGraph: what it checks, how it adds up, and when it needs Python integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from hypar_opt.costgraph import (
    Capacity,
    CostGraph,
    Edge,
    EdgeTerm,
    Objective,
    TableEdge,
    TableUnary,
    Variable,
    WordEdge,
    Words,
)
from hypar_opt.costgraph.objective import merged

COST = Objective({"cost": Fraction(1)})


def tables(unary, edges, **fields):
    """A graph of tables; `edges` has (first, second, rows)."""
    variables = tuple(Variable(f"x{i}", len(values)) for i, values in enumerate(unary))
    own = tuple({"cost": TableUnary(np.array(values, dtype=object))} for values in unary)
    pairs = tuple(Edge(a, b, {"cost": TableEdge(np.array(rows, dtype=object))}) for a, b, rows in edges)
    return CostGraph(variables, own, pairs, COST, **fields)


def test_a_value_is_the_sum_of_own_and_pair_costs():
    graph = tables([[1, 2], [10, 20, 30]], [(0, 1, [[100, 200, 300], [400, 500, 600]])])
    expected = {(0, 0): 111, (0, 1): 221, (0, 2): 331, (1, 0): 412, (1, 1): 522, (1, 2): 632}
    assert {choices: graph.value(choices) for choices in expected} == expected


def test_parallel_edges_add_up_in_either_direction():
    graph = tables([[0, 0], [0, 0, 0]], [(0, 1, [[1, 2, 3], [4, 5, 6]]), (1, 0, [[10, 40], [20, 50], [30, 60]])])
    assert list(graph.edge_costs) == [(0, 1)]
    assert graph.edge_costs[0, 1].dense(object).tolist() == [[11, 22, 33], [44, 55, 66]]
    assert [graph.value(choices) for choices in product(range(2), range(3))] == [11, 22, 33, 44, 55, 66]


def test_parallel_edges_over_words_stay_over_words():
    words = Words("dm", 2), Words("mo", 2)
    one = WordEdge(*words, (EdgeTerm(((1, 2), (3, 4)), 0, ((2, 1),) * 2, (1, 1)),))
    back = WordEdge(*reversed(words), (EdgeTerm(((5, 6), (7, 8)), 1, ((2, 1),) * 2, (1, 1)),))
    graph = CostGraph(
        (Variable("a", 4, words[0]), Variable("b", 4, words[1])),
        ({}, {}),
        (Edge(0, 1, {"cost": one}), Edge(1, 0, {"cost": back})),
        COST,
    )
    total = graph.edge_costs[0, 1]
    assert isinstance(total, WordEdge)
    assert total.dense(object).tolist() == (one.dense(object) + back.dense(object).T).tolist()


def test_neighbours_and_chains():
    chain = tables([[0]] * 3, [(0, 1, [[1]]), (2, 1, [[1]])])
    star = tables([[0]] * 3, [(0, 1, [[1]]), (0, 2, [[1]])])
    apart = tables([[0]] * 3, [(0, 1, [[1]])])
    assert chain.neighbours == (frozenset({1}), frozenset({0, 2}), frozenset({1}))
    assert [graph.is_chain for graph in (chain, star, apart)] == [True, False, False]


def test_a_capacity_bounds_what_the_chosen_values_use():
    capacity = Capacity("memory", 5, {0: (1, 4), 2: (0, 2)})
    graph = tables([[0, 0]] * 3, [], capacities=(capacity,))
    assert capacity.used((1, 0, 1)) == 6
    allowed = [choices for choices in product(range(2), repeat=3) if graph.feasible(choices)]
    assert allowed == [choices for choices in product(range(2), repeat=3) if not (choices[0] and choices[2])]


def test_a_mask_is_part_of_feasibility():
    words = Words("dm", 2, (1, None))
    graph = CostGraph((Variable("a", 4, words),), ({},), (), COST)
    assert [graph.feasible((i,)) for i in range(4)] == [False, True, True, True]


def test_forbidden_is_more_than_any_assignment_costs():
    graph = tables([[1, 9], [3, 4]], [(0, 1, [[5, 0], [0, 7]])])
    assert graph.forbidden > max(graph.value(choices) for choices in product(range(2), repeat=2))


@pytest.mark.parametrize(("most", "dtype"), [(2**61, np.int64), (2**61 + 1, object), (2**63, object)])
def test_python_integers_where_a_sum_could_reach_63_bits(most, dtype):
    graph = tables([[0, most - 2]], [])
    assert graph.dtype is dtype


def test_replace_checks_anew():
    graph = tables([[1, 2], [3, 4]], [])
    with pytest.raises(ValueError, match=r"edges\[0\] joins variable 1 with itself"):
        graph.replace(edges=(Edge(1, 1, {}),))


def test_what_does_not_fit_is_named():
    one, own = Variable("a", 2), {"cost": TableUnary(np.array([1, 2]))}
    with pytest.raises(ValueError, match="1 unary costs for 2 variables"):
        CostGraph((one, one), (own,), (), COST)
    with pytest.raises(ValueError, match="the costs of 'a' do not match its 2 values"):
        CostGraph((one,), ({"cost": TableUnary(np.array([1, 2, 3]))},), (), COST)
    with pytest.raises(ValueError, match=r"the costs of edges\[0\] do not have the shape \(2, 2\)"):
        CostGraph((one, one), (own, own), (Edge(0, 1, {"cost": TableEdge(np.zeros((2, 3)))}),), COST)
    with pytest.raises(ValueError, match="'a' has 3 values, its words are 4"):
        Variable("a", 3, Words("dm", 2))


@pytest.mark.parametrize(
    "variable",
    [2, -1],
)
def test_an_edge_to_nowhere_is_refused(variable):
    graph = tables([[1, 2], [3, 4]], [])
    with pytest.raises((ValueError, IndexError)):
        graph.replace(edges=(Edge(0, variable, {"cost": TableEdge(np.zeros((2, 2)))}),))


def test_terms_that_look_at_the_same_letters_are_merged_and_sum_to_the_same():
    words, ones = Words("dm", 3), (1, 1, 1)
    free = EdgeTerm(((0, 1), (2, 3)), 0, ((1, 1),) * 3, ones)
    other_side = EdgeTerm(((5, 0), (0, 7)), 1, ((1, 1),) * 3, ones)
    grows = EdgeTerm(((1, 1), (0, 4)), 1, ((2, 1),) * 3, ones)
    weighted = EdgeTerm(((1, 0), (0, 0)), 0, ((1, 1),) * 3, (1, 2, 3))
    later = EdgeTerm(((3, 0), (0, 0)), 1, ((2, 1), (7, 10), (1, 1)), ones)
    terms = (free, other_side, grows, grows, weighted, later)
    found = merged(terms)
    assert len(found) == 4
    plain, fewer = WordEdge(words, words, terms), WordEdge(words, words, found)
    assert plain.dense(object).tolist() == fewer.dense(object).tolist()
