"""Costs of one word: a sum over its levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hypar_opt.costgraph.word_sums import Part, sum_over_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.letter_counts import LetterCounts
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
    """The sum of terms over the levels of a word, and of a cost by how often each letter occurs.

    Parameters
    ----------
    words
        The domain.
    terms
        Over the levels.
    counted
        By letters, or None.
    """

    words: Words
    terms: tuple[UnaryTerm, ...]
    counted: LetterCounts | None = None

    @property
    def size(self) -> int:
        """Number of words."""
        return self.words.size

    @property
    def upper(self) -> int:
        """A number that no word's cost exceeds: every level's dearest letter, always growing."""
        own = sum(max(term.share) * weight << h for term in self.terms for h, weight in enumerate(term.weights))
        return own + (self.counted.upper if self.counted else 0)

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0), given the letters above.

        Of what is counted, by how much a letter raises the least that can still be had: over all levels that adds
        up to the whole, less what every word costs.
        """
        own = self.counted.level(prefix[:h]) if self.counted else [0] * len(self.words.alphabet)
        return [sum(column) for column in zip(own, *(term.level(h, prefix) for term in self.terms), strict=True)]

    def value(self, index: int) -> int:
        """Return the cost of one word."""
        letters = self.words.letters(index)
        return sum(term.total(letters) for term in self.terms) + (self.counted.value(letters) if self.counted else 0)

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all words; shape (k^H,)."""
        parts = [
            Part(tuple(tuple(w * share for share in term.share) for w in term.weights), term.growing)
            for term in self.terms
        ]
        total = sum_over_words(parts, len(self.words.alphabet), self.words.length, dtype)
        return total + self.counted.dense(self.words, dtype) if self.counted else total

    def scaled(self, weights: Sequence[int], of_counted: int = 1) -> WordUnary:
        """Return the cost with every level's share, and what is counted, multiplied by a weight."""
        terms = (replace(term, weights=_times(term.weights, weights)) for term in self.terms)
        return WordUnary(self.words, tuple(terms), self.counted.scaled(of_counted) if self.counted else None)

    def plus(self, other: WordUnary) -> WordUnary:
        """Return the sum with another cost of the same words."""
        both = self.counted.plus(other.counted) if self.counted and other.counted else self.counted or other.counted
        return WordUnary(self.words, (*self.terms, *other.terms), both)


def _times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a * b for a, b in zip(left, right, strict=True))
