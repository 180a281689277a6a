"""Costs of one word: a sum over its levels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hypar_opt.costgraph.factors import largest, product_of, reduced, times
from hypar_opt.costgraph.words import TermPart, Words, letter_sums, sum_over_words

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.costgraph.unary import Array


@dataclass(frozen=True)
class UnaryTerm:
    """A part of a word's cost: at level h, weights[h] x share[letter] x the factors of the letters above.

    What every letter of a level has in common is moved from its factors to the weights below: the same term.

    Parameters
    ----------
    share
        Bytes of level 1, by letter.
    factors
        By level and letter: what having it there multiplies every level below by (2 where it does not halve the
        tensor, as every level has twice as many groups as the one above). The last level's are not used.
    weights
        By level.
    """

    share: tuple[int, ...]
    factors: Factors
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        factors, weights = reduced(self.factors, self.weights)
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "weights", weights)

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0) below a prefix."""
        factor = self.weights[h] * product_of(self.factors[:h], prefix)
        return [factor * share for share in self.share]

    def total(self, word: Sequence[int]) -> int:
        """Return the term of one word."""
        total, above = 0, 1
        for weight, level, letter in zip(self.weights, self.factors, word, strict=True):
            total += weight * self.share[letter] * above
            above *= level[letter]
        return total

    @property
    def upper(self) -> int:
        """A number that no word's term exceeds: every level's dearest letter below its largest factors."""
        return max(self.share) * largest(self.factors, self.weights)


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
        """A number that no word's cost exceeds."""
        return sum(term.upper for term in self.terms) + (self.counted.upper if self.counted else 0)

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0), given the letters above.

        Of what is counted, by how much a letter raises the least that can still be had: over all levels that adds
        up to the whole, less what every word costs.
        """
        own = self.counted.level(prefix[:h]) if self.counted else [0] * len(self.words.alphabet)
        return [sum(column) for column in zip(own, *(term.level(h, prefix) for term in self.terms), strict=True)]

    def content(self) -> Hashable:
        """Return the cost itself."""
        return id(self)

    def value(self, index: int) -> int:
        """Return the cost of one word."""
        letters = self.words.letters(index)
        return sum(term.total(letters) for term in self.terms) + (self.counted.value(letters) if self.counted else 0)

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all words; shape (k^H,)."""
        parts = [
            TermPart.of(tuple(tuple(w * share for share in term.share) for w in term.weights), term.factors)
            for term in self.terms
        ]
        total = sum_over_words(parts, len(self.words.alphabet), self.words.length, dtype)
        return total + self.counted.dense(self.words, dtype) if self.counted else total

    def scaled(self, weights: Sequence[int], of_counted: int = 1) -> WordUnary:
        """Return the cost with every level's share, and what is counted, multiplied by a weight."""
        if {1}.issuperset((*weights, of_counted)):
            return self
        terms = (replace(term, weights=times(term.weights, weights)) for term in self.terms)
        return WordUnary(self.words, tuple(terms), self.counted.scaled(of_counted) if self.counted else None)

    def plus(self, other: WordUnary) -> WordUnary:
        """Return the sum with another cost of the same words."""
        both = self.counted.plus(other.counted) if self.counted and other.counted else self.counted or other.counted
        return WordUnary(self.words, (*self.terms, *other.terms), both)


Counts: TypeAlias = tuple[int, ...]
"""How often each letter of an alphabet occurs."""


@dataclass(frozen=True, eq=False)
class LetterCounts:
    """A cost for every way in which a word's letters can be shared out.

    Parameters
    ----------
    values
        By how often each letter occurs; of every way in which a word can be written.
    """

    values: Mapping[Counts, int]

    @cached_property
    def upper(self) -> int:
        """The largest cost, or 0."""
        return max(0, *self.values.values())

    def value(self, letters: Sequence[int]) -> int:
        """Return the cost of one word, given by its letters' positions."""
        return self.values[self._counts(letters)]

    def dense(self, words: Words, dtype: Any) -> Array:
        """Return the costs of all words; shape (k^H,)."""
        base = words.length + 1
        table = np.zeros(base ** len(words.alphabet), dtype=dtype)
        for counts, value in self.values.items():
            table[sum(count * base**letter for letter, count in enumerate(counts))] = value
        dense: Array = table[letter_sums(base ** np.arange(len(words.alphabet)), words.length)]
        return dense

    def level(self, prefix: Sequence[int]) -> list[int]:
        """Return by how much each letter behind a prefix raises the least cost that can still be had."""
        before = self._least(self._counts(prefix))
        return [self._least(self._counts((*prefix, letter))) - before for letter in range(self._letters)]

    def scaled(self, weight: int) -> LetterCounts:
        """Return the cost multiplied by a weight."""
        return LetterCounts({counts: weight * value for counts, value in self.values.items()})

    def plus(self, other: LetterCounts) -> LetterCounts:
        """Return the sum with another cost of the same words."""
        return LetterCounts({counts: value + other.values[counts] for counts, value in self.values.items()})

    @cached_property
    def _letters(self) -> int:
        return len(next(iter(self.values)))

    def _counts(self, letters: Sequence[int]) -> Counts:
        return tuple(sum(one == letter for one in letters) for letter in range(self._letters))

    def _least(self, counts: Counts) -> int:
        """Return the least cost of a word with at least so many of each letter, allowed or not."""
        return min(
            value
            for found, value in self.values.items()
            if all(have <= all_ for have, all_ in zip(counts, found, strict=True))
        )


def all_counts(letters: int, length: int) -> list[Counts]:
    """Return every way in which the letters of a word can be shared out.

    Parameters
    ----------
    letters
        Of the alphabet, at least one.
    length
        Of the word.
    """
    heads = product(range(length + 1), repeat=letters - 1)
    return [(*head, length - sum(head)) for head in heads if sum(head) <= length]
