"""Small random CostGraphs, over words and over tables, with masks, cycles and capacities."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

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

COST = Objective({"cost": Fraction(1)})


def random_graph(seed, *, variables=5, most_levels=2, capacities=False, unit=24, more=None):
    """Return a graph whose edges are a chain and a few more; every cost is a multiple of `unit`.

    `more` is how many more edges, up to three where it is None; parallel ones add up.
    """
    rng = random.Random(seed)
    levels = rng.randint(1, most_levels)
    found = [_variable(rng, i, levels) for i in range(variables)]
    unary = [{"cost": _unary(rng, one.words, unit)} for one in found]
    pairs = [(i, i + 1) for i in range(variables - 1)]
    pairs += [tuple(rng.sample(range(variables), 2)) for _ in range(rng.randrange(4) if more is None else more)]
    edges = [Edge(a, b, {"cost": _edge(rng, found[a].words, found[b].words, unit)}) for a, b in pairs]
    limits = [_capacity(rng, found, n) for n in range(rng.randint(1, 2))] if capacities else []
    return CostGraph(tuple(found), tuple(unary), tuple(edges), COST, tuple(limits))


def coupled_graph(seed, *, unit=24, most=1, **others):
    """Return a graph with capacities that pairs of values use: what some assignment uses, or a little less."""
    graph, rng = random_graph(seed, unit=unit, **others), random.Random(seed + 1)
    words, limits = [one.words for one in graph.variables], []
    for number in range(rng.randint(1, 2)):
        usages = {i: _unary(rng, one, most) for i, one in enumerate(words) if rng.random() < 0.6}
        pairs = {(a, b): _edge(rng, words[a], words[b], most) for a, b in graph.edge_costs if rng.random() < 0.8}
        some = Capacity(f"capacity {number}", 0, usages, 1, pairs)
        used = min(some.used([rng.randrange(one.size) for one in graph.variables]) for _ in range(3))
        limits.append(replace(some, limit=used - rng.choice([0, 0, 1, 9 * most])))
    return graph.replace(capacities=tuple(limits))


def complete_graph(variables=16, values=5, seed=0):
    """Return random tables between all pairs: its linear programme is far from integral, its proof takes minutes."""
    rng = random.Random(seed)

    def numbers(*shape):
        return np.array([rng.randrange(10**6) for _ in range(int(np.prod(shape)))], dtype=object).reshape(shape)

    pairs = [(i, j) for i in range(variables) for j in range(i + 1, variables)]
    return CostGraph(
        tuple(Variable(f"v{i}", values) for i in range(variables)),
        tuple({"cost": TableUnary(numbers(values))} for _ in range(variables)),
        tuple(Edge(i, j, {"cost": TableEdge(numbers(values, values))}) for i, j in pairs),
        COST,
    )


def as_tables(graph):
    """Return the graph with every cost as a table of all values or pairs."""
    unary = tuple({"cost": TableUnary(cost.dense(object))} for cost in graph.unary_costs)
    edges = tuple(Edge(a, b, {"cost": TableEdge(cost.dense(object))}) for (a, b), cost in graph.edge_costs.items())
    return graph.replace(unary=unary, edges=edges, objective=COST)


def _variable(rng, number, levels):
    alphabet = rng.choice(["dm", "dm", "dmo"])
    limits = rng.choice([None, None, tuple(rng.choice([None, 0, 1, levels]) for _ in alphabet)])
    words = Words(alphabet, levels, limits, None)
    if rng.random() < 0.1:
        words = Words(alphabet, levels, None, "".join(rng.choice(alphabet) for _ in range(levels)))
    return Variable(f"v{number}", words.size, words)


def _unary(rng, words, unit):
    if rng.random() < 0.3:
        return TableUnary(np.array([unit * rng.randrange(100) for _ in range(words.size)], dtype=object))
    share = tuple(unit * rng.randrange(100) for _ in words.alphabet)
    factors = (tuple(1 + (rng.random() < 0.5) for _ in words.alphabet),) * words.length
    return WordUnary(words, (UnaryTerm(share, factors, (1,) * words.length),))


def _edge(rng, first, second, unit):
    if rng.random() < 0.3:
        rows = [[unit * rng.randrange(100) for _ in range(second.size)] for _ in range(first.size)]
        return TableEdge(np.array(rows, dtype=object))
    return WordEdge(first, second, tuple(_term(rng, first, second, unit) for _ in range(rng.randint(1, 3))))


def _term(rng, first, second, unit):
    share = tuple(tuple(unit * rng.randrange(100) for _ in second.alphabet) for _ in first.alphabet)
    side = rng.randrange(2)
    # a letter counts or not by itself, so that all terms that look at one word count the same letters
    counts = rng.random() < 0.8
    factors = tuple(1 + (counts and letter in "dm"[side]) for letter in (first, second)[side].alphabet)
    return EdgeTerm(share, side, (factors,) * first.length, tuple(rng.randrange(3) for _ in range(first.length)))


def _capacity(rng, variables, number):
    usages = {i: tuple(rng.randrange(50) for _ in range(one.size)) for i, one in enumerate(variables)}
    least = sum(min(usage) for usage in usages.values())
    return Capacity(f"capacity {number}", least + rng.randrange(-2, 60), usages)
