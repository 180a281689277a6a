"""Graphs whose costs over words have factors of every size, another at every level."""

from __future__ import annotations

import random
from dataclasses import replace

from hypar_opt.costgraph import WordEdge, WordUnary


def with_factors(graph, seed):
    """Return a graph with factors from 0 to 7, drawn for every level and letter, in all its costs over words."""
    rng = random.Random(seed)

    def drawn(costs):
        return {name: _drawn(cost, rng) for name, cost in costs.items()}

    return graph.replace(
        unary=tuple(map(drawn, graph.unary)),
        edges=tuple(replace(edge, costs=drawn(edge.costs)) for edge in graph.edges),
        capacities=tuple(
            replace(one, usages=drawn(one.usages), pairs=drawn(one.pairs)) if one.pairs else one
            for one in graph.capacities
        ),
    )


def _drawn(cost, rng):
    if not isinstance(cost, WordUnary | WordEdge):
        return cost
    words = (cost.words,) * 2 if isinstance(cost, WordUnary) else (cost.first, cost.second)
    # two kinds for each side, so that some terms look at the same factors and some at others
    kinds = [[_factors(rng, one) for _ in range(2)] for one in words]
    terms = (replace(term, factors=rng.choice(kinds[getattr(term, "side", 0)])) for term in cost.terms)
    return replace(cost, terms=tuple(terms))


def _factors(rng, words):
    return tuple(tuple(rng.randrange(8) for _ in words.alphabet) for _ in range(words.length))
