"""Costs that are products over the levels of two words, against the definition."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest
from helpers import document, linear_chain, problem_of
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.costgraph import ProductEdge, ProductTerm, Words
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.solver.solve import solve


@st.composite
def products(draw):
    first, second = draw(st.sampled_from(["d", "dm", "dmo"])), draw(st.sampled_from(["d", "dm", "dmo"]))
    levels = draw(st.integers(0, 3))
    table = st.tuples(*[st.tuples(*[st.integers(0, 4)] * len(second))] * len(first))
    numbers = st.integers(-(2**20), 2**20).map(lambda n: n << levels)
    terms = draw(st.lists(st.builds(ProductTerm, numbers, table), min_size=1, max_size=3))
    return ProductEdge(Words(first, levels), Words(second, levels), tuple(terms))


def definition(cost, first, second):
    pairs = list(zip(cost.first.letters(first), cost.second.letters(second), strict=True))
    terms = (term.coefficient * prod(term.factors[a][b] for a, b in pairs) for term in cost.terms)
    return sum(terms) >> len(pairs)


def table_of(cost):
    return [[definition(cost, i, j) for j in range(cost.shape[1])] for i in range(cost.shape[0])]


@given(products())
def test_value_dense_columns_and_levels_agree_with_the_definition(cost):
    expected = table_of(cost)
    assert [[cost.value(i, j) for j in range(cost.shape[1])] for i in range(cost.shape[0])] == expected
    assert cost.dense(np.int64).tolist() == cost.dense(object).tolist() == expected
    columns = [cost.column(j, np.int64).tolist() for j in range(cost.shape[1])]
    assert [list(row) for row in zip(*columns, strict=True)] == expected
    empty = sum(term.coefficient for term in cost.terms)
    for i in range(cost.shape[0]):
        for j in range(cost.shape[1]):
            s, q = cost.first.letters(i), cost.second.letters(j)
            levels = [int(cost.level(h, (s[:h], q[:h]))[s[h], q[h]]) for h in range(len(s))]
            assert empty + sum(levels) == expected[i][j]


@given(products())
def test_neither_a_cost_nor_a_term_exceeds_upper(cost):
    each = [ProductEdge(cost.first, cost.second, (term,)) for term in cost.terms]
    assert max(abs(x) for one in (cost, *each) for row in table_of(one) for x in row) <= cost.upper


@given(products(), st.integers(0, 2**32), st.integers(0, 5))
def test_products_arguments_exchanges_and_multiples(cost, seed, factor):
    message = np.random.default_rng(seed).integers(0, 2**30, size=(2, cost.shape[0]))
    table = np.array(table_of(cost), dtype=object)
    least = (message.astype(object)[:, :, None] + table).min(axis=1)
    assert cost.minplus(message).tolist() == least.tolist()
    assert [cost.argmin(message[0], j) for j in range(cost.shape[1])] == [
        int(np.argmin(message[0] + table[:, j])) for j in range(cost.shape[1])
    ]
    assert cost.transposed().dense(object).tolist() == table.T.tolist()
    assert cost.transposed().transposed() == cost
    assert cost.times(factor).dense(object).tolist() == (table * factor).tolist()


@pytest.mark.parametrize("weight", [0.1, 3, 0.375])
def test_leaf_exact_is_weighed_as_the_bytes_are(weight):
    whole = document(
        linear_chain(4, 2, 3), [5], batch=3, levels=2, accounting="leaf-exact", objective={"communication": weight}
    )
    problem = problem_of(whole)
    for name in ("joint-dp", "brute-force", "cp-sat", "milp-highs"):
        plan = solve(problem, name)
        assert plan.status == "OPTIMAL"
        assert plan.objective == problem.objective.weights["communication"] * plan.communication_bytes
    for choices in ((0, 1, 2), (3, 0, 1)):
        breakdown = problem.bytes_of(problem.strategies(choices))
        assert problem.graph.value(choices) == problem.objective_of(breakdown) * problem.graph.objective.denominator


def test_the_memory_of_a_dense_table_counts():
    problem = problem_of(document(linear_chain(4, 4), [4], levels=6, accounting="leaf-exact"))
    table = 64 * 64 * 8
    refused = load_formulation("joint-dp").accepts(problem.graph, Run("joint-dp", Limits(memory_bytes=table)))
    assert refused is not None
