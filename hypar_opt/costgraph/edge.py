"""Costs of a pair of values: a table, or a sum over the levels of two words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from hypar_opt.costgraph.minplus import minplus
from hypar_opt.costgraph.unary import Array, Part, sum_over_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.words import Words


@runtime_checkable
class EdgeCost(Protocol):
    """What a formulation may ask of a cost of two variables' values."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values of the first and of the second variable."""

    @property
    def upper(self) -> int:
        """A number that no pair's cost exceeds."""

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair."""

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs; shape `shape`."""

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs of all first values with one second value; shape (shape[0],)."""

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first value of message + cost; shape (..., shape[1])."""

    def argmin(self, message: Array, second: int) -> int:
        """Return the first value (the lowest of several) at which `minplus` is attained."""

    def transposed(self) -> EdgeCost:
        """Return the same cost with the two variables exchanged."""


@dataclass(frozen=True, eq=False)
class TableEdge:
    """Costs as a table; shape (first size, second size)."""

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values."""
        return self.values.shape[0], self.values.shape[1]

    @property
    def upper(self) -> int:
        """The largest cost, or 0."""
        return max(0, int(self.values.max()))

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair."""
        return int(self.values[first, second])

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs."""
        return self.values.astype(dtype)

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs with one second value."""
        return self.values[:, second].astype(dtype)

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first value of message + cost."""
        values = self.dense(message.dtype)
        best: Array = message[..., 0, None] + values[0]
        for first in range(1, len(values)):
            best = np.minimum(best, message[..., first, None] + values[first])
        return best

    def argmin(self, message: Array, second: int) -> int:
        """Return the first value at which `minplus` is attained."""
        return int(np.argmin(message + self.column(second, message.dtype)))

    def transposed(self) -> TableEdge:
        """Return the cost with the variables exchanged."""
        return TableEdge(self.values.T)


@dataclass(frozen=True)
class EdgeTerm:
    """A part of a pair's cost: at level h, weights[h] x share[a][b] x 2^(growing letters above h).

    Parameters
    ----------
    share
        Bytes of level 1, by the first variable's letter and the second's.
    side
        0 or 1: the variable whose letters above h count.
    growing
        By letter of that variable: whether having it above doubles the term.
    weights
        By level.
    """

    share: tuple[tuple[int, ...], ...]
    side: int
    growing: tuple[bool, ...]
    weights: tuple[int, ...]

    @property
    def free(self) -> bool:
        """Whether the term looks at no letters above."""
        return not any(self.growing) or not any(map(any, self.share))

    def level(self, h: int, prefixes: tuple[Sequence[int], Sequence[int]]) -> Array:
        """Return the costs of the pairs of letters at level h (from 0); shape (k, k'), dtype object."""
        factor = self.weights[h] << sum(self.growing[letter] for letter in prefixes[self.side][:h])
        scaled: Array = np.array(self.share, dtype=object) * factor
        return scaled

    def total(self, words: tuple[Sequence[int], Sequence[int]]) -> int:
        """Return the term of one pair of words."""
        total = grown = 0
        for weight, pair in zip(self.weights, zip(*words, strict=True), strict=True):
            total += weight * self.share[pair[0]][pair[1]] << grown
            grown += self.growing[pair[self.side]]
        return total

    def transposed(self) -> EdgeTerm:
        """Return the term with the variables exchanged."""
        return replace(self, share=tuple(zip(*self.share, strict=True)), side=1 - self.side)


@dataclass(frozen=True)
class WordEdge:
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
        return sum(
            max(map(max, term.share)) * weight << h for term in self.terms for h, weight in enumerate(term.weights)
        )

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

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first word of message + cost, level by level: O(H k^H)."""
        return minplus(self, message, workers)

    def argmin(self, message: Array, second: int) -> int:
        """Return the first word at which `minplus` is attained."""
        return int(np.argmin(message + self.column(second, message.dtype)))

    def transposed(self) -> WordEdge:
        """Return the cost with the variables exchanged."""
        return WordEdge(self.second, self.first, tuple(term.transposed() for term in self.terms))

    def scaled(self, weights: Sequence[int]) -> WordEdge:
        """Return the cost with every level's share multiplied by a weight."""
        terms = (
            replace(term, weights=tuple(a * b for a, b in zip(term.weights, weights, strict=True)))
            for term in self.terms
        )
        return WordEdge(self.first, self.second, tuple(terms))


def _dense_term(term: EdgeTerm, dtype: Any) -> Array:
    """V_h(a . s, b . q) = weight_h share[a][b] + (2 if the term grows, else 1) V_(h+1)(s, q)."""
    share = np.array(term.share, dtype=object)
    factor = np.array([2 if grows else 1 for grows in term.growing], dtype=dtype)
    factor = factor[:, None, None, None] if term.side == 0 else factor[None, None, :, None]
    values = np.zeros((1, 1), dtype=dtype)
    for weight in reversed(term.weights):
        level = (share * weight).astype(dtype)[:, None, :, None] + factor * values[None, :, None, :]
        values = level.reshape(level.shape[0] * level.shape[1], -1)
    return values


def _column_part(term: EdgeTerm, letters: Sequence[int]) -> Part:
    """One column: where the second word's letters count, every level's factor is a number."""
    factors = [
        weight << (sum(term.growing[letter] for letter in letters[:h]) if term.side == 1 else 0)
        for h, weight in enumerate(term.weights)
    ]
    shares = tuple(tuple(row[b] * factor for row in term.share) for b, factor in zip(letters, factors, strict=True))
    return Part(shares, term.growing if term.side == 0 else (False,) * len(term.share))
