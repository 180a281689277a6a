"""Costs of one word: a sum over its levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypar_opt.costgraph.word_sums import Part, sum_over_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.unary import Array
    from hypar_opt.costgraph.words import Words


@dataclass(frozen=True)
class UnaryTerm:
    """A part of a word's cost: at level h, weights[h] x share[letter] x 2^(growing letters above h).

    Parameters
    ----------
    share
        Bytes of level 1, by letter.
    growing
        By letter: whether having it above doubles the term (it does not halve the tensor, and
        every level has twice as many groups as the one above).
    weights
        By level.
    """

    share: tuple[int, ...]
    growing: tuple[bool, ...]
    weights: tuple[int, ...]

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0) below a prefix."""
        factor = self.weights[h] << sum(self.growing[letter] for letter in prefix[:h])
        return [factor * share for share in self.share]

    def total(self, word: Sequence[int]) -> int:
        """Return the term of one word."""
        total = grown = 0
        for weight, letter in zip(self.weights, word, strict=True):
            total += weight * self.share[letter] << grown
            grown += self.growing[letter]
        return total


@dataclass(frozen=True)
class WordUnary:
    """The sum of terms over the levels of a word."""

    words: Words
    terms: tuple[UnaryTerm, ...]

    @property
    def size(self) -> int:
        """Number of words."""
        return self.words.size

    @property
    def upper(self) -> int:
        """A number that no word's cost exceeds: every level's dearest letter, always growing."""
        return sum(max(term.share) * weight << h for term in self.terms for h, weight in enumerate(term.weights))

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0), given the letters above."""
        zero = [0] * len(self.words.alphabet)
        return [sum(column) for column in zip(zero, *(term.level(h, prefix) for term in self.terms), strict=True)]

    def value(self, index: int) -> int:
        """Return the cost of one word."""
        letters = self.words.letters(index)
        return sum(term.total(letters) for term in self.terms)

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all words; shape (k^H,)."""
        parts = [
            Part(tuple(tuple(w * share for share in term.share) for w in term.weights), term.growing)
            for term in self.terms
        ]
        return sum_over_words(parts, len(self.words.alphabet), self.words.length, dtype)

    def scaled(self, weights: Sequence[int]) -> WordUnary:
        """Return the cost with every level's share multiplied by a weight."""
        terms = (replace(term, weights=_times(term.weights, weights)) for term in self.terms)
        return WordUnary(self.words, tuple(terms))


def _times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a * b for a, b in zip(left, right, strict=True))
