"""Trees of one accelerator, shifted to all, where an array looks the same from each of them.

If chunk v takes the shift of a link whenever the first chunk takes that link, then every link of a direction carries
what all trees of the first chunk have of that direction. So it takes trees whose links are shared out among directions
as rates are: a mean of few trees, each of which takes as many links of one direction as it can, then of a second, and
so on. Which trees, and how much of each, is a linear programme with a row a direction and its opposite; what would make
it better is a spanning tree of least weight. Shares are recounted in fractions: only what meets the optimum is taken.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph

MOST_ROUNDS: Final = 64
"""In which trees are looked for."""
_FINEST: Final = 10**6
_LITTLE: Final = 1e-9
Hop: TypeAlias = tuple[int, int]
Outwards: TypeAlias = tuple[Hop, ...]
"""Links of a tree, each behind the one that gets to where it begins."""


class _Mixed(NamedTuple):
    """Shares of trees, and the price of a link of each kind at which no tree would make it better."""

    shares: Sequence[float]
    prices: Sequence[float]
    least: float


def shifted_trees(graph: CollectiveGraph, rates: Mapping[Hop, int], load: Fraction) -> dict[Outwards, Fraction] | None:
    """Return trees of the first accelerator with shares, so that all shifts together load no link more than is said.

    Parameters
    ----------
    load
        Of a link of rate 1, by one chunk of each accelerator.

    Returns
    -------
    None where no such trees were found.
    """
    kinds = _LinkKinds(graph, rates)
    trees = [kinds.tree([1.0] * len(kinds.rates))]
    for _ in range(MOST_ROUNDS):
        mixed = _mixed([kinds.use(tree) for tree in trees], kinds.rates)
        found = kinds.tree(mixed.prices)
        if np.dot(kinds.use(found), mixed.prices) >= mixed.least - _LITTLE:
            break
        trees.append(found)
    shares = [Fraction(share).limit_denominator(_FINEST) for share in mixed.shares]
    both: dict[Outwards, Fraction] = {}
    for tree, share in zip(trees, shares, strict=True):
        for one in (tree, kinds.turned(tree)) if share else ():
            both[one] = both.get(one, Fraction(0)) + share / 2 / sum(shares)
    return both if kinds.load(both) <= load else None


class _LinkKinds:
    """Links of an array by their directions; a direction and its opposite are one kind."""

    def __init__(self, graph: CollectiveGraph, rates: Mapping[Hop, int]) -> None:
        self.nodes = graph.accelerators
        inverse = [np.argsort(shift) for shift in graph.shifts]
        self.opposite = [int(one[0]) for one in inverse]
        self.direction = {
            (first, second): int(inverse[first][second]) for first in range(self.nodes) for second in graph.after[first]
        }
        self.rate = {end: rates[0, end] for end in graph.after[0]}
        ends = sorted({min(end, self.opposite[end]) for end in graph.after[0]})
        place = {end: number for number, end in enumerate(ends)}
        self.kind = {hop: place[min(end, self.opposite[end])] for hop, end in self.direction.items()}
        # a direction that is its own opposite has half as many links, each with both its ways
        self.rates = [self.rate[end] * (1 if self.opposite[end] == end else 2) for end in ends]

    def tree(self, prices: Sequence[float]) -> Outwards:
        """Return a spanning tree of least price, outwards from the first accelerator."""
        part = list(range(self.nodes))

        def top(node: int) -> int:
            while part[node] != node:
                part[node] = node = part[part[node]]
            return node

        around: dict[int, list[int]] = {}
        for hop in sorted(self.kind, key=lambda hop: (prices[self.kind[hop]], self.kind[hop], hop)):
            ends = top(hop[0]), top(hop[1])
            if ends[0] != ends[1]:
                part[ends[0]] = ends[1]
                for first, second in (hop, hop[::-1]):
                    around.setdefault(first, []).append(second)
        found: list[Hop] = []
        seen, waiting = {0}, [0]
        for node in waiting:
            for other in around[node]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
                    found.append((node, other))
        return tuple(found)

    def turned(self, tree: Outwards) -> Outwards:
        """Return a tree with every direction the other way; itself where the array is not the same then."""
        found = tuple((self.opposite[first], self.opposite[second]) for first, second in tree)
        return found if all(hop in self.kind for hop in found) else tree

    def use(self, tree: Outwards) -> list[int]:
        """Return how many links of each kind a tree has."""
        found = [0] * len(self.rates)
        for hop in tree:
            found[self.kind[hop]] += 1
        return found

    def load(self, trees: Mapping[Outwards, Fraction]) -> Fraction:
        """Return what the busiest direction carries, over its rate."""
        carried = dict.fromkeys(self.rate, Fraction(0))
        for tree, share in trees.items():
            count = dict.fromkeys(self.rate, 0)
            for hop in tree:
                count[self.direction[hop]] += 1
            for end, one in count.items():
                carried[end] += share * one
        return max(one / self.rate[end] for end, one in carried.items())


def _mixed(uses: Sequence[Sequence[int]], rates: Sequence[int]) -> _Mixed:
    """Return in which shares trees load the busiest kind least."""
    from scipy.optimize import linprog

    trees, kinds = len(uses), len(rates)
    rows = np.hstack((np.array(uses, dtype=float).T, -np.array(rates, dtype=float).reshape(kinds, 1)))
    goal = np.append(np.zeros(trees), 1.0)
    whole = np.append(np.ones(trees), 0.0).reshape(1, -1)
    found = linprog(goal, rows, np.zeros(kinds), whole, [1.0], method="highs-ds")
    return _Mixed(found.x[:trees], -found.ineqlin.marginals, float(found.fun))
