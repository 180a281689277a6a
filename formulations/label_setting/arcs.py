"""One boundary as layers of arcs: which label sets are shifted by how much, and merged where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import Array, EdgeCost, EdgeTerm, WordEdge
from hypar_opt.costgraph.minplus import letter_costs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ArcLayer:
    """A layer of arcs, sorted by their heads.

    Parameters
    ----------
    tails, heads
        States before and after; shape (arcs,).
    costs
        By criterion, what each arc adds; shape (arcs,).
    size
        Number of states after.
    """

    tails: NDArray[np.intp]
    heads: NDArray[np.intp]
    costs: tuple[Array, ...]
    size: int


def steps_of(edges: Sequence[EdgeCost], dtype: Any) -> Iterator[ArcLayer]:
    """Yield the layers between the values of two variables, given the pair's cost by each criterion.

    Every pair of values is the ends of one path, whose arcs cost what the pair costs: one layer a level where all
    costs are over words, else one layer with an arc a pair.
    """
    words = [edge for edge in edges if isinstance(edge, WordEdge) and edge.first.length]
    if len(words) < len(edges):
        yield _pairs([edge.dense(dtype) for edge in edges])
        return
    levels = LevelArcs.of(words)
    order = range(levels.depth)
    for h in reversed(order) if levels.upwards else order:
        yield levels.step(h, dtype)


def gathering(size: int, criteria: int) -> ArcLayer:
    """Return the layer that leads every one of `size` states to a single one, at no cost."""
    costs = tuple(np.zeros(size, dtype=np.int64) for _ in range(criteria))
    return ArcLayer(np.arange(size), np.zeros(size, dtype=np.intp), costs, 1)


def _pairs(tables: Sequence[Array]) -> ArcLayer:
    first, second = tables[0].shape
    tails, heads = np.tile(np.arange(first), second), np.repeat(np.arange(second), first)
    return ArcLayer(tails, heads, tuple(table.T.reshape(-1) for table in tables), second)


@dataclass(frozen=True)
class LevelArcs:
    """The replacement of one word by another, a letter at a time, for several criteria at once.

    The states before level h are (counts; prefix; letter; suffix), as in hypar_opt.costgraph.minplus: downwards the
    prefix is the second word's and the suffix the first's, upwards the other way round; counts, of the first
    word's letters above that make terms grow, are there only where terms look at either word.

    Parameters
    ----------
    terms
        By criterion.
    k, k2, depth
        Letters of the first word, of the second, and the number of levels.
    upwards
        Whether the last level's letter is replaced first.
    kinds
        By what letters grow: the terms whose growing letters are counted.
    """

    terms: tuple[tuple[EdgeTerm, ...], ...]
    k: int
    k2: int
    depth: int
    upwards: bool
    kinds: tuple[tuple[bool, ...], ...]

    @staticmethod
    def of(edges: Sequence[WordEdge]) -> LevelArcs:
        """Find the order in which no criterion's term looks at a letter that is gone, or count those letters."""
        terms = tuple(tuple(term for term in edge.terms if any(term.weights)) for edge in edges)
        looks = [term for own in terms for term in own if not term.free]
        first = tuple(sorted({term.growing for term in looks if term.side == 0}))
        both = bool(first) and any(term.side == 1 for term in looks)
        one, other = edges[0].first, edges[0].second
        return LevelArcs(
            terms, len(one.alphabet), len(other.alphabet), one.length, bool(first) and not both, first if both else ()
        )

    def step(self, h: int, dtype: Any) -> ArcLayer:
        """Return the layer that replaces the letter of level h (from 0)."""
        above, below = (self.k, self.k2) if self.upwards else (self.k2, self.k)
        prefixes, suffixes = above**h, below ** (self.depth - h - 1)
        parts = list(self._parts(h, prefixes, suffixes, dtype))
        heads = np.concatenate([part[1].reshape(-1) for part in parts])
        order = np.argsort(heads, kind="stable")
        tails = np.concatenate([part[0].reshape(-1) for part in parts])[order]
        costs = (np.concatenate([part[2][j].reshape(-1) for part in parts])[order] for j in range(len(self.terms)))
        counts = 1 if h + 1 == self.depth else (h + 2) ** len(self.kinds)
        return ArcLayer(tails, heads[order], tuple(costs), counts * prefixes * self.k2 * suffixes)

    def _parts(self, h: int, prefixes: int, suffixes: int, dtype: Any) -> Iterator[tuple[Any, Any, list[Array]]]:
        """Yield tails, heads and costs of the arcs from one letter at one count."""
        shape = prefixes, self.k2, suffixes
        p, b, r = np.ogrid[:prefixes, : self.k2, :suffixes]
        every = [self._free_costs(terms, h, dtype) for terms in self.terms]
        for here, counts in enumerate(product(range(h + 1), repeat=len(self.kinds))):
            for a in range(self.k):
                grown = [count + kind[a] for count, kind in zip(counts, self.kinds, strict=True)]
                there = (
                    0 if h + 1 == self.depth else reduce(lambda position, count: position * (h + 2) + count, grown, 0)
                )
                tails = np.broadcast_to(((here * prefixes + p) * self.k + a) * suffixes + r, shape)
                heads = ((there * prefixes + p) * self.k2 + b) * suffixes + r
                costs = [
                    np.broadcast_to((free[:, :, a] + self._counted(terms, h, a, counts, dtype))[:, :, None], shape)
                    for free, terms in zip(every, self.terms, strict=True)
                ]
                yield tails, heads, costs

    def _free_costs(self, terms: Sequence[EdgeTerm], h: int, dtype: Any) -> Array:
        """Return what level h costs by the terms that the prefix tells everything of; shape (prefixes, k', k)."""
        known = [term for term in terms if not self._is_counted(term)]
        costs = letter_costs(known, h, h, dtype, shape=(self.k, self.k2))
        found = np.empty(((self.k if self.upwards else self.k2) ** h, self.k2, self.k), dtype=dtype)
        for a, row in enumerate(costs):
            for b, cost in enumerate(row):
                found[:, b, a] = cost if isinstance(cost, int) else cost.reshape(-1)
        return found

    def _counted(self, terms: Sequence[EdgeTerm], h: int, a: int, counts: Sequence[int], dtype: Any) -> Array:
        """Return what the counted terms add, by the second word's letter; shape (k',)."""
        grown = dict(zip(self.kinds, counts, strict=True))
        known = [(term, grown[term.growing]) for term in terms if self._is_counted(term)]
        costs = [sum(term.weights[h] * term.share[a][b] << count for term, count in known) for b in range(self.k2)]
        return np.array(costs, dtype=dtype)

    def _is_counted(self, term: EdgeTerm) -> bool:
        return bool(self.kinds) and term.side == 0 and not term.free
