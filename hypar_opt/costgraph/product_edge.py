"""Costs of a pair of words that are products over their levels, not sums."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.edge import EdgeCost

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.unary import Array
    from hypar_opt.costgraph.words import Words


@dataclass(frozen=True)
class ProductTerm:
    """A part of a pair's cost: coefficient x product over levels of factors[a][b] / 2.

    Parameters
    ----------
    coefficient
        A multiple of 2^H, so that the term is whole.
    factors
        By the first variable's letter and the second's; the same at every level.
    """

    coefficient: int
    factors: tuple[tuple[int, ...], ...]

    def over(self, pairs: Sequence[tuple[int, int]]) -> int:
        """Return the term of the first levels: of so many pairs of letters."""
        value = self.coefficient
        for a, b in pairs:
            value *= self.factors[a][b]
        return value >> len(pairs)

    def transposed(self) -> ProductTerm:
        """Return the term with the variables exchanged."""
        return replace(self, factors=tuple(zip(*self.factors, strict=True)))


@dataclass(frozen=True)
class ProductEdge(EdgeCost):
    """The sum of products over the levels of two words of one length.

    No level is independent of the others, so there is no min-plus product but that of the dense table.
    The cost of the first h levels is the cost that an array of h levels would have.
    """

    first: Words
    second: Words
    terms: tuple[ProductTerm, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of words."""
        return self.first.size, self.second.size

    @property
    def upper(self) -> int:
        """A number that no pair's cost exceeds, and no term either."""
        most: Iterator[int] = (abs(t.coefficient) * max(map(max, t.factors)) ** self.first.length for t in self.terms)
        return sum(most) >> self.first.length

    def level(self, h: int, prefixes: tuple[Sequence[int], Sequence[int]]) -> Array:
        """Return what the pairs of letters at level h (from 0) add to the levels above; shape (k, k')."""
        above = list(zip(prefixes[0][:h], prefixes[1][:h], strict=True))
        before = self._over(above)
        rows = range(len(self.first.alphabet)), range(len(self.second.alphabet))
        return np.array([[self._over([*above, (a, b)]) - before for b in rows[1]] for a in rows[0]], dtype=object)

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair of words."""
        return self._over(list(zip(self.first.letters(first), self.second.letters(second), strict=True)))

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs of words."""
        total = np.zeros(self.shape, dtype=dtype)
        for term in self.terms:
            factors = [np.array(term.factors, dtype=dtype)] * self.first.length
            total += reduce(np.kron, factors, np.array([[term.coefficient >> self.first.length]], dtype=dtype))
        return total

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs of all first words with one second word; shape (k^H,)."""
        total = np.zeros(self.first.size, dtype=dtype)
        for term in self.terms:
            factors = [np.array(term.factors, dtype=dtype)[:, letter] for letter in self.second.letters(second)]
            total += reduce(np.kron, factors, np.array([term.coefficient >> self.first.length], dtype=dtype))
        return total

    def transposed(self) -> ProductEdge:
        """Return the cost with the variables exchanged."""
        return ProductEdge(self.second, self.first, tuple(term.transposed() for term in self.terms))

    def times(self, factor: int) -> ProductEdge:
        """Return the cost multiplied by a number."""
        terms = (replace(term, coefficient=term.coefficient * factor) for term in self.terms)
        return replace(self, terms=tuple(terms))

    def _over(self, pairs: Sequence[tuple[int, int]]) -> int:
        return sum(term.over(pairs) for term in self.terms)
