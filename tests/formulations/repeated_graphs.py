"""Small random CostGraphs of blocks that are alike, of some that only look so, and with variables beside them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np

from hypar_opt.costgraph import CostGraph, Edge, Objective, Repeats, TableEdge, TableUnary, Variable

COST = Objective({"cost": Fraction(1)})


def repeated_graph(seed, *, times=None, length=None, most=9, sizes=(1, 2, 2, 3), odd=0.3):
    """Return a graph whose hint names all its blocks; with a chance of `odd` one of them has costs of its own.

    Before and behind the blocks are other variables, some joined with each other or with every block.
    """
    rng = random.Random(seed)
    times, length = times or rng.randint(2, 12), length or rng.randint(1, 3)
    before, behind = rng.randint(0, 2), rng.randint(0, 2)
    first, count = before, before + times * length + behind
    inner = [rng.choice(sizes) for _ in range(length)]
    found = [rng.choice(sizes) for _ in range(before)] + inner * times + [rng.choice(sizes) for _ in range(behind)]
    large = rng.choice([1, 1, 1, 2**55])  # all costs together are more than 64 bits hold

    def numbers(*shape):
        drawn = [rng.randint(0, most) * large for _ in range(int(np.prod(shape)))]
        return np.array(drawn, dtype=rng.choice([np.int64, object])).reshape(shape)

    unary = [{"cost": TableUnary(numbers(size))} for size in found]
    edges: list[Edge] = []

    def join(a, b, table=None):
        values = numbers(found[a], found[b]) if table is None else table
        edges.append(Edge(a, b, {"cost": TableEdge(values)}))

    kept = [(numbers(inner[i]), i) for i in range(length)]
    within = [(i, j) for i in range(length) for j in range(i + 1, length) if rng.random() < 0.7]
    across = [(i, j) for i in range(length) for j in range(length) if rng.random() < 0.5] or [(length - 1, 0)]
    beside = [*range(before), *range(count - behind, count)]
    every = [(x, i) for x in beside for i in range(length) if rng.random() < 0.15]
    tables = {pair: numbers(inner[pair[0]], inner[pair[1]]) for pair in within}
    steps = {pair: numbers(inner[pair[0]], inner[pair[1]]) for pair in across}
    held = {(x, i): numbers(found[x], inner[i]) for x, i in every}
    for n in range(times):
        start = first + n * length
        for values, i in kept:
            unary[start + i] = {"cost": TableUnary(values.copy() if rng.random() < 0.5 else values)}
        for (i, j), table in tables.items():
            join(start + i, start + j, table)
        for (x, i), table in held.items():
            join(x, start + i, table)
        if n + 1 < times:
            for (i, j), table in steps.items():
                join(start + i, start + length + j, table.copy() if rng.random() < 0.5 else table)
    for a, b in pairwise(beside):
        if rng.random() < 0.6:
            join(a, b)
    if before:
        join(before - 1, first + rng.randrange(length))
    if behind:
        join(first + times * length - 1 - rng.randrange(length), count - behind)
    if rng.random() < odd:
        one = rng.randrange(first, first + times * length)
        unary[one] = {"cost": TableUnary(numbers(found[one]))}
    return CostGraph(
        tuple(Variable(f"v{i}", size) for i, size in enumerate(found)),
        tuple(unary),
        tuple(edges),
        COST,
        repeats=(Repeats(first, length, times),),
    )
