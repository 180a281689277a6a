"""accpar-dp: AccPar's search, level by level, of two types or three and on graphs with several paths.

Each level is decided given the levels above it, as `hypar-dp` does: exact for one level, greedy across levels. On a
chain a level is HyPar's Algorithm 1 with AccPar's types I, II, III for dp, mp, op. On a graph it is solved exactly, by
elimination. Where the instance's adds are as in the code that AccPar's first author released (`--as-released`), it is
that code's search, the plan of which need not be the level's best:

    c_l[t] = u_l[t] + min over s of (c_(l-1)[s] + e_l[s][t] + e_l[b(s)][t])

where the last summand is there for a layer l behind a block, and b(s) is the type that the block's first layer has on
the best path to s. The minimum begins with type I in front, without that summand; ties go to the first type.
With types I and II alone that code knows no blocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from formulations.hypar_dp import intra_costs, level_by_level, one_level, spelt, without_levels
from formulations.joint_dp.best import best_assignment
from hypar_opt.costgraph import (
    CostGraph,
    Edge,
    Objective,
    ProductEdge,
    TableEdge,
    TableUnary,
    Variable,
    WordEdge,
    Words,
)
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from formulations.hypar_dp import Prefix
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

TYPES = 3
"""Of AccPar; with fewer, its released code knows no blocks."""


@dataclass(frozen=True)
class AccParDP:
    """Level by level, each level by dynamic programming over the layers or by elimination."""

    name: ClassVar[str] = "accpar-dp"
    summary: ClassVar[str] = "AccPar's search, greedy across levels, on graphs too"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, needs_words=True, rank=12)

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept every network whose words have one length; with blocks as released, those of one path."""
        reason = without_levels(graph)
        if reason is not None:
            return reason
        wrong = _beside_path(graph) if blocks_of(graph) else None
        return wrong and f"{wrong}, and AccPar's released code knows but one path, with blocks on it; try joint-dp"

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Fix level 1, then level 2 given level 1, and so on."""
        levels = next((variable.words.length for variable in graph.variables if variable.words is not None), 0)
        exact = "each level is solved exactly" if levels <= 1 and not blocks_of(graph) else None
        return level_by_level(graph, run, partial(_level, graph, run), exact)


def _level(graph: CostGraph, run: Run, words: list[Words], h: int, prefixes: list[Prefix]) -> Sequence[int] | None:
    """Return each layer's letter at level h (from 0), or None where some layer has none left."""
    if blocks_of(graph):
        found = released_level(graph, words, h, prefixes)
        return None if found is None else found[1]
    if list(graph.edge_costs) == [(i, i + 1) for i in range(len(words) - 1)]:
        return one_level(graph, words, h, prefixes)
    return _eliminated(graph, words, h, prefixes, run)


def blocks_of(graph: CostGraph) -> Mapping[int, int]:
    """Return the first layer of the block that ends in front of a layer, by that layer; adds as released have one."""
    return {reader: firsts[0] for reader, firsts in _firsts(graph).items()}


def _firsts(graph: CostGraph) -> Mapping[int, Sequence[int]]:
    """Return by layer what is added in front of it or read beside the path, where something is added."""
    pairs = enumerate(variable.attributes.get("block") for variable in graph.variables)
    return {reader: tuple(map(int, text.split())) for reader, text in pairs if text is not None}


def _beside_path(graph: CostGraph) -> str | None:
    """Return what is not on one path, with one block at the most that ends in front of a layer; or None."""
    names, firsts = [variable.name for variable in graph.variables], _firsts(graph)
    for first, second in pairwise(range(len(names))):
        if (first, second) not in graph.edge_costs:
            return f"'{names[second]}' does not read '{names[first]}'"
    for reader, several in firsts.items():
        if len(several) > 1:
            return f"'{names[reader]}' reads more than one sum, or another layer beside one"
    for first, second in graph.edge_costs:
        if first + 1 != second and first not in firsts.get(second, ()):
            return f"'{names[second]}' reads '{names[first]}' beside '{names[second - 1]}'"
    return None


def released_level(
    graph: CostGraph, words: Sequence[Words], h: int, prefixes: Sequence[Prefix]
) -> tuple[int, list[int]] | None:
    """Return what AccPar's released code takes a level's least cost to be, and each layer's letter, or None.

    Parameters
    ----------
    words
        By layer.
    h
        The level, from 0.
    prefixes
        By layer, the letters of the levels above.
    """
    blocks, types = blocks_of(graph), max(len(word.alphabet) for word in words)
    cost: list[int | None] = []
    came: list[list[int]] = []
    for layer, word in enumerate(words):
        own = intra_costs(graph, layer, h, prefixes)
        start = spelt(word, prefixes[layer])
        allowed = [word.allows(start + letter) for letter in word.alphabet]
        if not layer:
            cost = [value if there else None for value, there in zip(own, allowed, strict=True)]
            came.append(list(range(len(own))))
            continue
        between = _between(graph, layer, h, prefixes)
        first = blocks.get(layer) if types == TYPES else None
        reached = [_best(cost, between, letter, first, layer, came) for letter in range(len(word.alphabet))]
        cost = [
            value + best[0] if there and best is not None else None
            for value, there, best in zip(own, allowed, reached, strict=True)
        ]
        came.append([0 if best is None else best[1] for best in reached])
    ends = [(value, letter) for letter, value in enumerate(cost) if value is not None]
    if not ends:
        return None
    least, letter = min(ends)
    letters = [letter]
    for back in reversed(came[1:]):
        letter = back[letter]
        letters.append(letter)
    return least, letters[::-1]


def _best(
    cost: Sequence[int | None],
    between: Array,
    letter: int,
    first: int | None,
    layer: int,
    came: Sequence[Sequence[int]],
) -> tuple[int, int] | None:
    """Return the least cost in front of a layer's letter and the letter before it, as that code finds them."""
    best = None if cost[0] is None else (cost[0] + int(between[0, letter]), 0)
    for before, value in enumerate(cost):
        if value is None:
            continue
        whole = value + int(between[before, letter])
        if first is not None:
            at = before
            for back in range(layer - 1, first, -1):
                at = came[back][at]
            whole += int(between[at, letter])
        if best is None or whole < best[0]:
            best = whole, before
    return best


def _between(graph: CostGraph, layer: int, h: int, prefixes: Sequence[Prefix]) -> Array:
    """Return the costs between a layer and the one before it, by their letters."""
    edge = graph.edge_costs[layer - 1, layer]
    assert isinstance(edge, WordEdge | ProductEdge)
    return edge.level(h, (prefixes[layer - 1], prefixes[layer]))


def _eliminated(
    graph: CostGraph, words: Sequence[Words], h: int, prefixes: Sequence[Prefix], run: Run
) -> Sequence[int] | None:
    """Return the best letters of a level of any graph."""
    open_letters = [
        [place for place, letter in enumerate(word.alphabet) if word.allows(spelt(word, prefix) + letter)]
        for word, prefix in zip(words, prefixes, strict=True)
    ]
    if not all(open_letters):
        return None
    unary = [
        {"level": TableUnary(np.array(intra_costs(graph, layer, h, prefixes), dtype=object)[letters])}
        for layer, letters in enumerate(open_letters)
    ]
    edges = []
    for (first, second), cost in graph.edge_costs.items():
        assert isinstance(cost, WordEdge | ProductEdge)
        values = cost.level(h, (prefixes[first], prefixes[second]))[np.ix_(open_letters[first], open_letters[second])]
        edges.append(Edge(first, second, {"level": TableEdge(values)}))
    variables = tuple(
        Variable(one.name, len(letters)) for one, letters in zip(graph.variables, open_letters, strict=True)
    )
    found = best_assignment(CostGraph(variables, tuple(unary), tuple(edges), Objective({"level": Fraction(1)})), run)
    return None if found is None else [own[one] for own, one in zip(open_letters, found.choices, strict=True)]


FORMULATION = AccParDP()
