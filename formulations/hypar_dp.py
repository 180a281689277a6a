"""hypar-dp: the paper's Algorithms 1 and 2.

Algorithm 1, one level of a chain, the letters that the levels above chose being given:

    com_l[b] = intra_l[b] + min over a of (com_(l-1)[a] + inter_(l-1,l)[a][b])

with ties to the first letter of the alphabet (dp). Algorithm 2 applies it at level 1, then at level 2
given level 1, and so on: O(L H k^2), exact for one level, greedy across levels.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from hypar_opt.costgraph import CostGraph, ProductEdge, WordEdge, Words, WordUnary
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.formulation.run import Run

Prefix: TypeAlias = tuple[int, ...]
"""The positions of the letters chosen so far, root first."""
Decide: TypeAlias = "Callable[[list[Words], int, list[Prefix]], Sequence[int] | None]"
"""Decides one level."""


@dataclass(frozen=True)
class HyParDP:
    """Level by level, each level by dynamic programming over the layers."""

    name: ClassVar[str] = "hypar-dp"
    summary: ClassVar[str] = "the paper's Algorithms 1 and 2, greedy across levels"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        needs_words=True,
        chains_only=True,
        rank=10,
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept every chain of weighted layers whose words have one length."""
        joins = [v.name for v in graph.variables if v.attributes.get("kind") in ("add", "concat")]
        if joins:
            return f"'{joins[0]}' is a join, and the paper's algorithms know none; try joint-dp or cp-sat"
        return without_levels(graph)

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Fix level 1, then level 2 given level 1, and so on (Algorithm 2)."""
        levels = next((variable.words.length for variable in graph.variables if variable.words is not None), 0)
        exact = "Algorithm 1 is exact for one level" if levels <= 1 else None
        return level_by_level(graph, run, partial(one_level, graph), exact)


def without_levels(graph: CostGraph) -> str | None:
    """Return why words of a graph have no levels in common, or their costs none; None where they have."""
    lengths = {variable.words.length for variable in graph.variables if variable.words is not None}
    if len(lengths) > 1:
        return f"its layers have words of different lengths {sorted(lengths)}"
    if not all(isinstance(cost, WordUnary) for cost in graph.unary_costs):
        return "it decides level by level, and what a layer costs is no sum over levels; try joint-dp or cp-sat"
    return None


def level_by_level(graph: CostGraph, run: Run, decide: Decide, exact: str | None) -> Solution:
    """Return what deciding one level after the other finds.

    Parameters
    ----------
    decide
        From the words, a level (from 0) and the letters of the levels above to each layer's letter there, or to None
        where some layer has none left.
    exact
        Why the plan is the best of all, if it is.
    """
    words = [variable.words for variable in graph.variables if variable.words is not None]
    prefixes: list[Prefix] = [()] * len(words)
    levels = words[0].length if words else 0
    for h in range(levels):
        if run.limits.over:
            return Solution(Status.NO_SOLUTION, native_status=f"stopped at level {h + 1} of {levels}")
        letters = decide(words, h, prefixes)
        if letters is None:
            return _dead_end(h)
        prefixes = [(*prefix, letter) for prefix, letter in zip(prefixes, letters, strict=True)]
    if not all(word.allows(spelt(word, prefix)) for word, prefix in zip(words, prefixes, strict=True)):
        return _dead_end(levels)
    choices = tuple(w.index(spelt(w, prefix)) for w, prefix in zip(words, prefixes, strict=True))
    value = graph.value(choices)
    run.incumbent(value, choices)
    if exact is not None:
        return Solution(Status.OPTIMAL, choices, value, exact)
    return Solution(Status.FEASIBLE, choices, None, "greedy across levels")


def one_level(graph: CostGraph, words: list[Words], h: int, prefixes: list[Prefix]) -> list[int] | None:
    """Return each layer's best letter at level h (from 0), or None where some layer has none left.

    Algorithm 1: forward over the layers with the first of equal letters kept, then back.
    """
    cost: list[int | None] = []
    came: list[list[int]] = []
    for layer, word in enumerate(words):
        own = intra_costs(graph, layer, h, prefixes)
        reached = _reach(graph, layer, h, prefixes, cost) if layer else [(0, 0)] * len(word.alphabet)
        above = spelt(word, prefixes[layer])
        cost = [
            best[0] + intra if best is not None and word.allows(above + letter) else None
            for best, intra, letter in zip(reached, own, word.alphabet, strict=True)
        ]
        came.append([best[1] if best is not None else 0 for best in reached])
        if all(value is None for value in cost):
            return None
    letter = min((value, letter) for letter, value in enumerate(cost) if value is not None)[1]
    letters = [letter]
    for back in reversed(came[1:]):
        letter = back[letter]
        letters.append(letter)
    return letters[::-1]


def intra_costs(graph: CostGraph, layer: int, h: int, prefixes: Sequence[Prefix]) -> list[int]:
    """Return what a layer's letters cost by themselves at level h (from 0), given those of the levels above."""
    cost = graph.unary_costs[layer]
    assert isinstance(cost, WordUnary)
    return cost.level(h, prefixes[layer])


def _reach(
    graph: CostGraph, layer: int, h: int, prefixes: list[Prefix], cost: list[int | None]
) -> list[tuple[int, int] | None]:
    """For each letter of a layer: the cheapest way there from the layer before, and its letter."""
    edge = graph.edge_costs[layer - 1, layer]
    assert isinstance(edge, WordEdge | ProductEdge)
    inter = edge.level(h, (prefixes[layer - 1], prefixes[layer]))
    ways = [
        [(value + int(inter[a][b]), a) for a, value in enumerate(cost) if value is not None]
        for b in range(inter.shape[1])
    ]
    return [min(way, default=None) for way in ways]


def spelt(words: Words, prefix: Prefix) -> str:
    """Return letters as text."""
    return "".join(words.alphabet[letter] for letter in prefix)


def _dead_end(h: int) -> Solution:
    note = f"the greedy search found no allowed strategy at level {h + 1}; an exact formulation may find one"
    return Solution(Status.NO_SOLUTION, native_status="greedy search ended without a plan", note=note)


FORMULATION = HyParDP()
