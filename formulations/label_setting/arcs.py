"""One boundary as layers of arcs: which label sets are shifted by how much, and merged where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph import Array, EdgeCost, EdgeTerm, WordEdge
from hypar_opt.costgraph.factors import products_by_level, times
from hypar_opt.costgraph.minplus import letter_costs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph.factors import Factors


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

    The states before level h are (products; prefix; letter; suffix), as in hypar_opt.costgraph.minplus: downwards
    the prefix is the second word's and the suffix the first's, upwards the other way round; products, of the factors
    of the first word's letters above, are there only where terms look at either word.

    Parameters
    ----------
    terms
        By criterion.
    k, k2, depth
        Letters of the first word, of the second, and the number of levels.
    upwards
        Whether the last level's letter is replaced first.
    kinds
        The factors of the terms whose letters above are counted.
    """

    terms: tuple[tuple[EdgeTerm, ...], ...]
    k: int
    k2: int
    depth: int
    upwards: bool
    kinds: tuple[Factors, ...]

    @staticmethod
    def of(edges: Sequence[WordEdge]) -> LevelArcs:
        """Find the order in which no criterion's term looks at a letter that is gone, or count those letters."""
        terms = tuple(tuple(term for term in edge.terms if any(term.weights)) for edge in edges)
        looks = [term for own in terms for term in own if not term.free]
        first = tuple(sorted({term.factors for term in looks if term.side == 0}))
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
        return ArcLayer(tails, heads[order], tuple(costs), len(self._products[h + 1]) * prefixes * self.k2 * suffixes)

    def _parts(self, h: int, prefixes: int, suffixes: int, dtype: Any) -> Iterator[tuple[Any, Any, list[Array]]]:
        """Yield tails, heads and costs of the arcs from one letter below one product."""
        shape = prefixes, self.k2, suffixes
        p, b, r = np.ogrid[:prefixes, : self.k2, :suffixes]
        every = [self._free_costs(terms, h, dtype) for terms in self.terms]
        for above, here in self._products[h].items():
            for a in range(self.k):
                below = times(above, [kind[h][a] for kind in self.kinds])
                there = self._products[h + 1][below if h + 1 < self.depth else ()]
                tails = np.broadcast_to(((here * prefixes + p) * self.k + a) * suffixes + r, shape)
                heads = ((there * prefixes + p) * self.k2 + b) * suffixes + r
                costs = [
                    np.broadcast_to((free[:, :, a] + self._counted(terms, h, a, above, dtype))[:, :, None], shape)
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

    @cached_property
    def _products(self) -> list[dict[tuple[int, ...], int]]:
        """Before every level and behind the last, where none matters: the products, each with its position."""
        found = products_by_level(self.kinds, self.depth)
        return [*({one: place for place, one in enumerate(sorted(some))} for some in found), {(): 0}]

    def _counted(self, terms: Sequence[EdgeTerm], h: int, a: int, above: Sequence[int], dtype: Any) -> Array:
        """Return what the counted terms add, by the second word's letter; shape (k',)."""
        factors = dict(zip(self.kinds, above, strict=True))
        known = [(term, factors[term.factors]) for term in terms if self._is_counted(term)]
        costs = [sum(term.weights[h] * term.share[a][b] * factor for term, factor in known) for b in range(self.k2)]
        return np.array(costs, dtype=dtype)

    def _is_counted(self, term: EdgeTerm) -> bool:
        return bool(self.kinds) and term.side == 0 and not term.free
