"""Costs of a pair of words: a sum over their levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.edge import EdgeCost, EdgeTerm
from hypar_opt.costgraph.factors import cut_off, product_of, times
from hypar_opt.costgraph.minplus import minplus
from hypar_opt.costgraph.words import TermPart, Words, sum_over_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.unary import Array


@dataclass(frozen=True)
class WordEdge(EdgeCost):
    """The sum of terms over the levels of two words of one length."""

    first: Words
    second: Words
    terms: tuple[EdgeTerm, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of words."""
        return self.first.size, self.second.size

    @property
    def upper(self) -> int:
        """A number that no pair's cost exceeds."""
        return sum(term.upper for term in self.terms)

    def level(self, h: int, prefixes: tuple[Sequence[int], Sequence[int]]) -> Array:
        """Return the costs of the pairs of letters at level h (from 0); shape (k, k'), dtype object."""
        total = np.zeros((len(self.first.alphabet), len(self.second.alphabet)), dtype=object)
        for term in self.terms:
            total = total + term.level(h, prefixes)
        return total

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair of words."""
        letters = self.first.letters(first), self.second.letters(second)
        return sum(term.total(letters) for term in self.terms)

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs of words, by Horner's scheme from the last level up."""
        total = np.zeros(self.shape, dtype=dtype)
        for term in self.terms:
            total += _dense_term(term, dtype)
        return total

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs of all first words with one second word; shape (k^H,)."""
        letters = self.second.letters(second)
        parts = [_column_part(term, letters) for term in self.terms]
        return sum_over_words(parts, len(self.first.alphabet), self.first.length, dtype)

    def among(self, first: Array, second: Array, dtype: Any) -> Array:
        """Return the costs of the pairs of some words, level by level; shape (len(first), len(second))."""
        digits = self.first.digits(first), self.second.digits(second)
        total = np.zeros((len(first), len(second)), dtype=dtype)
        for term in self.terms:
            factor = np.ones(len(digits[term.side]), dtype=dtype)
            last = max((h for h, weight in enumerate(term.weights) if weight), default=-1)
            for h in range(last + 1):
                if term.weights[h]:
                    share = (np.array(term.share, dtype=object) * term.weights[h]).astype(dtype)
                    pairs = share[digits[0][:, h]][:, digits[1][:, h]]
                    total += pairs * (factor[:, None] if term.side == 0 else factor)
                factor = (
                    factor * np.array(term.factors[h], dtype=dtype)[digits[term.side][:, h]] if h < last else factor
                )
        return total

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first word of message + cost, level by level: O(H k^H)."""
        return minplus(self.terms, self.first, self.second, message, workers)

    def transposed(self) -> WordEdge:
        """Return the cost with the variables exchanged."""
        return WordEdge(self.second, self.first, tuple(term.transposed() for term in self.terms))

    def scaled(self, weights: Sequence[int]) -> WordEdge:
        """Return the cost with every level's share multiplied by a weight."""
        if {1}.issuperset(weights):
            return self
        terms = (replace(term, weights=times(term.weights, weights)) for term in self.terms)
        return WordEdge(self.first, self.second, tuple(terms))


def _dense_term(term: EdgeTerm, dtype: Any) -> Array:
    """V_h(a . s, b . q) = weight_h share[a][b] + (factor_h of a or b) V_(h+1)(s, q)."""
    share = np.array(term.share, dtype=object)
    values = np.zeros((1, 1), dtype=dtype)
    costs = term.weights if any(map(any, term.share)) else ()
    for weight, factors in zip(reversed(term.weights), reversed(cut_off(term.factors, costs)), strict=True):
        factor = np.array(factors, dtype=dtype)
        factor = factor[:, None, None, None] if term.side == 0 else factor[None, None, :, None]
        level = (share * weight).astype(dtype)[:, None, :, None] + factor * values[None, :, None, :]
        values = level.reshape(level.shape[0] * level.shape[1], -1)
    return values


def _column_part(term: EdgeTerm, letters: Sequence[int]) -> TermPart:
    """One column: where the second word's letters count, every level's factor is a number."""
    numbers = [
        weight * (product_of(term.factors[:h], letters) if term.side == 1 else 1)
        for h, weight in enumerate(term.weights)
    ]
    shares = tuple(tuple(row[b] * number for row in term.share) for b, number in zip(letters, numbers, strict=True))
    return TermPart.of(shares, term.factors if term.side == 0 else ((1,) * len(term.share),) * len(shares))
