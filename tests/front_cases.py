"""Small random problems of two criteria and more, and their fronts by plain enumeration."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np

from hypar_opt.costgraph import (
    Capacity,
    CostGraph,
    Edge,
    EdgeTerm,
    Objective,
    TableEdge,
    TableUnary,
    UnaryTerm,
    Variable,
    WordEdge,
    Words,
    WordUnary,
)
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run

JOINT = load_formulation("joint-dp")
COST = Objective({"cost": Fraction(1)})


def plain(unary, edges=None, capacities=()):
    """Return a graph of tables: rows of costs by variable, and tables by pair."""
    variables = tuple(Variable(f"v{i}", len(costs)) for i, costs in enumerate(unary))
    own = tuple({"cost": TableUnary(np.array(costs, dtype=object))} for costs in unary)
    pairs = (Edge(*pair, {"cost": TableEdge(np.array(table, dtype=object))}) for pair, table in (edges or {}).items())
    return CostGraph(variables, own, tuple(pairs), COST, tuple(capacities))


def random_criteria(seed, *, variables=4, criteria=2, most_levels=2, shape="chain", capacities=0, unit=1, top=100):
    """Return one graph a criterion, over the same variables, pairs and capacities.

    `shape` is chain, forest, or cycles; about a third of the costs are tables, the others over words.
    """
    rng = random.Random(seed)
    levels = rng.randint(0, most_levels)
    found = [_variable(rng, i, levels) for i in range(variables)]
    pairs = _pairs(rng, variables, shape)
    limits = tuple(_capacity(rng, found, number) for number in range(capacities))
    own = rng.random() < 0.2  # the criteria that agree on everything

    def one():
        draw = random.Random(seed) if own else rng
        unary = tuple({"cost": _unary(draw, variable.words, unit, top)} for variable in found)
        edges = tuple(Edge(a, b, {"cost": _edge(draw, found[a].words, found[b].words, unit, top)}) for a, b in pairs)
        return CostGraph(tuple(found), unary, edges, COST, limits)

    return [one() for _ in range(criteria)]


def unrelated_chains(seed=0, *, variables=12, levels=3, criteria=2, unit=1, top=10**6):
    """Return criteria over a chain of words, all allowed, whose costs have nothing to do with one another."""
    rng = random.Random(seed)
    words = Words("dm", levels)
    found = tuple(Variable(f"v{i}", words.size, words) for i in range(variables))

    def one():
        unary = tuple({"cost": _unary(rng, words, unit, top)} for _ in found)
        pairs = [(i, i + 1) for i in range(variables - 1)]
        edges = tuple(Edge(*pair, {"cost": _edge(rng, words, words, unit, top)}) for pair in pairs)
        return CostGraph(found, unary, edges, COST)

    return [one() for _ in range(criteria)]


def front_by_enumeration(graphs):
    """Return the values of every allowed plan that no other dominates, ascending."""
    every = product(*(range(variable.size) for variable in graphs[0].variables))
    values = sorted({tuple(graph.value(x) for graph in graphs) for x in every if graphs[0].feasible(x)})
    found = []
    for value in values:
        if not any(all(a <= b for a, b in zip(other, value, strict=True)) for other in found):
            found.append(value)
    return found


def holds(solution, graphs):
    """Assert that every point's plan is allowed and costs what the point says; return the values."""
    for point in solution.points:
        assert graphs[0].feasible(point.choices)
        assert tuple(graph.value(point.choices) for graph in graphs) == point.values
    return [point.values for point in solution.points]


def labels(graphs, **limits):
    """Return the front that joint-dp enumerates, which it has to accept."""
    run = Run("joint-dp", Limits(**limits))
    assert JOINT.accepts_front(graphs, run) is None
    return JOINT.front(graphs, run)


def complete(graphs):
    """Return the values of the whole front by joint-dp, every point of it checked."""
    solution = labels(graphs)
    assert solution.complete
    return holds(solution, graphs)


def _pairs(rng, variables, shape):
    if shape == "forest":
        return [(i, rng.randrange(i)) for i in range(1, variables) if rng.random() < 0.85]
    chain = [(i, i + 1) for i in range(variables - 1)]
    more = [tuple(rng.sample(range(variables), 2)) for _ in range(2)] if shape == "cycles" and variables > 1 else []
    return chain + more


def _variable(rng, number, levels):
    alphabet = rng.choice(["dm", "dm", "dmo"])
    limits = rng.choice([None, None, tuple(rng.choice([None, 0, 1, levels]) for _ in alphabet)])
    words = Words(alphabet, levels, limits, None)
    return Variable(f"v{number}", words.size, words)


def _unary(rng, words, unit, top):
    if rng.random() < 0.3:
        return TableUnary(np.array([unit * rng.randrange(top) for _ in range(words.size)], dtype=object))
    share = tuple(unit * rng.randrange(top) for _ in words.alphabet)
    factors = (tuple(1 + (rng.random() < 0.5) for _ in words.alphabet),) * words.length
    return WordUnary(words, (UnaryTerm(share, factors, (1,) * words.length),))


def _edge(rng, first, second, unit, top):
    if rng.random() < 0.3:
        rows = [[unit * rng.randrange(top) for _ in range(second.size)] for _ in range(first.size)]
        return TableEdge(np.array(rows, dtype=object))
    return WordEdge(first, second, tuple(_term(rng, first, second, unit, top) for _ in range(rng.randint(1, 3))))


def _term(rng, first, second, unit, top):
    share = tuple(tuple(unit * rng.randrange(top) for _ in second.alphabet) for _ in first.alphabet)
    side = rng.randrange(2)
    factors = tuple(1 + (rng.random() < 0.5) for _ in (first, second)[side].alphabet)
    return EdgeTerm(share, side, (factors,) * first.length, tuple(rng.randrange(3) for _ in range(first.length)))


def _capacity(rng, variables, number):
    usages = {i: tuple(rng.randrange(-5, 50) for _ in range(one.size)) for i, one in enumerate(variables)}
    least = sum(min(usage) for usage in usages.values())
    return Capacity(f"capacity {number}", least + rng.randrange(-2, 80), usages)
