"""For every family of constraints: a tiny graph, a variable fixed so that it can hold, and one more so that it cannot.

A fixing is (kind, where, position, value): of x by variable and position, of flows by pair and arc.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from random_graphs import COST

from formulations.flow_model.polytope import Polytope
from hypar_opt.costgraph import Capacity, CostGraph, Edge, EdgeTerm, TableUnary, Variable, WordEdge, Words


class Case(NamedTuple):
    """One family, alone."""

    family: str
    graph: CostGraph
    holds: tuple
    breaks: tuple


def one_path():
    """Return two layers of two levels with given words: one path of two arcs."""
    words = Words("dm", 2, None, "dd"), Words("dm", 2, None, "mm")
    term = EdgeTerm(((0, 3), (2, 1)), 1, ((2, 1),) * 2, (1, 1))
    variables = tuple(Variable(f"v{i}", 4, word) for i, word in enumerate(words))
    return CostGraph(variables, ({}, {}), (Edge(0, 1, {"cost": WordEdge(*words, (term,))}),), COST)


def two_values():
    """Return one variable of two values, the second of which a capacity does not allow."""
    unary = ({"cost": TableUnary(np.array([7, 4], dtype=object))},)
    return CostGraph((Variable("v", 2),), unary, (), COST, (Capacity("memory", 3, {0: (1, 6)}),))


CASES = (
    Case("one_value", two_values(), ("x", 0, 0, 1), ("x", 0, 1, 1)),
    Case("source", one_path(), ("x", 0, 0, 1), ("flows", (0, 1), 0, 0)),
    Case("sink", one_path(), ("x", 1, 0, 1), ("flows", (0, 1), 1, 0)),
    Case("conservation", one_path(), ("flows", (0, 1), 0, 1), ("flows", (0, 1), 1, 0)),
    Case("capacity", two_values(), ("x", 0, 0, 1), ("x", 0, 1, 1)),
)


def built_alone(model, case):
    """Build a case's one family with a back-end's `model` module."""
    return model.build(Polytope.of(case.graph), [getattr(model, case.family)])


def target(built, fixing):
    """Return the solver's variable that a fixing means."""
    kind, where, position, _ = fixing
    return getattr(built, kind)[where][position]
