"""Costs beyond 63 bits: Python integers, exact."""

from __future__ import annotations

import numpy as np
import pytest
from cost.direct_formula import by_parts
from helpers import document, linear_chain, problem_of

HUGE = document(linear_chain(2**30 - 1, 2**30), [2**30], batch=2**40 - 1, levels=2)


@pytest.mark.parametrize("accounting", ["published", "as-evaluated", "receiver"])
def test_huge_costs_are_exact(accounting):
    problem = problem_of(HUGE, accounting=accounting)
    graph = problem.graph
    assert graph.dtype is object
    for choices in [(0, 0), (1, 2), (3, 3), (2, 0)]:
        strategies = problem.strategies(choices)
        layers, boundaries = by_parts(problem, strategies)
        expected = sum(map(sum, [*layers, *boundaries]))
        assert graph.value(choices) == expected > 2**63
        assert problem.bytes_of(strategies).total == expected
        own = [cost.dense(object)[choice] for cost, choice in zip(graph.unary_costs, choices, strict=True)]
        assert sum(own) + graph.edge_costs[0, 1].dense(object)[choices] == expected


def test_usual_costs_are_int64():
    assert problem_of(document(linear_chain(1000, 1000), [1000], batch=256, levels=4)).graph.dtype is np.int64
