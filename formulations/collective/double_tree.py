"""The double binary tree (Sanders, Speck and Träff, Two-tree algorithms for full bandwidth broadcast, 2009).

Two binary trees, each for half of the chunks: who is within one is a leaf of the other, so that everyone sends and
takes in about the same. Sums go up a tree and then down it, chunk after chunk.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from formulations.collective.doubling import order_of
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from formulations.collective.shifted_paths import coloured
from formulations.collective.spreading import Spreading
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

Tree: TypeAlias = "Mapping[int, tuple[tuple[int, int], ...]]"
"""By accelerator, those that it is linked with, each with the turn of the link: 0 or 1."""


def in_order(low: int, high: int) -> list[tuple[int, int]]:
    """Return the edges of the binary tree whose nodes low to high are in order from left to right, odd ones leaves.

    At the top of any of its parts is the number that most powers of two divide.
    """
    top = _top(low, high)
    found: list[tuple[int, int]] = []
    for first, last in ((low, top - 1), (top + 1, high)):
        if first <= last:
            found += [(top, _top(first, last)), *in_order(first, last)]
    return found


def _top(low: int, high: int) -> int:
    return max(range(low, high + 1), key=lambda one: one & -one)


def two_trees(order: Sequence[int]) -> tuple[tuple[int, Tree], tuple[int, Tree]]:
    """Return two trees with their roots: the second is the first in a mirror, or of an odd number shifted by one.

    The first accelerator is above the tree of all others, so that these begin with a leaf. Who sends to two in one tree
    sends to none in the other, and everyone takes in from two: so two turns do, in which all send and take in once.
    """
    count = len(order)
    edges = [(0, _top(1, count - 1)), *in_order(1, count - 1)]
    second = order[::-1] if count % 2 == 0 else (*order[1:], order[0])
    both = [(nodes[above], nodes[below]) for nodes in (order, second) for above, below in edges]
    turns = coloured(both)
    return (
        (order[0], _linked(both[: len(edges)], turns[: len(edges)])),
        (second[0], _linked(both[len(edges) :], turns[len(edges) :])),
    )


def _linked(edges: Sequence[tuple[int, int]], turns: Sequence[int]) -> Tree:
    found: dict[int, list[tuple[int, int]]] = {}
    for (above, below), turn in zip(edges, turns, strict=True):
        found.setdefault(above, []).append((below, turn))
        found.setdefault(below, []).append((above, turn))
    return {node: tuple(others) for node, others in found.items()}


def flooded(graph: CollectiveGraph, trees: Sequence[tuple[int, Tree]], *, turned: bool = False) -> list[Move]:
    """Return the sends of a gathering along trees: chunks follow each other, two steps apart, a step a turn.

    Parameters
    ----------
    turned
        Whether the last chunk is the first to be sent.
    """
    sends = Spreading(graph)
    waves: dict[tuple[int, int], int] = {}
    chunks = range(len(graph.demands))
    for chunk in chunks[::-1] if turned else chunks:
        (source,), (_, tree) = graph.demands[chunk].sources, trees[chunk % 2]
        wave = waves.setdefault((source, chunk % 2), 0)
        waves[source, chunk % 2] += 1
        if source not in tree:  # it only passes on what others have
            continue
        there = {source: 0}
        waiting = deque([source])
        while waiting:
            node = waiting.popleft()
            for other, turn in tree[node]:
                if other not in there:
                    begin = there[node] + (there[node] + turn) % 2
                    there[other] = begin + 1
                    sends.send(chunk, node, other, 2 * wave + begin)
                    waiting.append(other)
    return sends.moves


@dataclass(frozen=True)
class DoubleBinaryTree:
    """Two trees, each of half of the chunks."""

    name: ClassVar[str] = "double-binary-tree"
    summary: ClassVar[str] = "two binary trees, each for half of the chunks (Sanders, Speck and Träff)"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=416)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls."""
        return for_all(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Send along both."""
        trees = two_trees(order_of(graph))
        owners = [trees[chunk % 2][0] for chunk in range(len(graph.demands))]
        moves = staged(
            graph,
            lambda gathering: flooded(gathering, trees),
            owners,
            lambda gathering: flooded(gathering, trees, turned=True),
        )
        return concluded(graph, run, moves, "two binary trees")


FORMULATION = DoubleBinaryTree()
