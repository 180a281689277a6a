"""Costs of one variable's value: a table, or a sum over the levels of a word."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph.words import Words

Array: TypeAlias = "NDArray[Any]"
"""Exact integers: int64 where a bound proves that they fit, else Python integers (dtype object)."""


@runtime_checkable
class UnaryCost(Protocol):
    """What a formulation may ask of a cost of one variable's value."""

    @property
    def size(self) -> int:
        """Number of values."""

    @property
    def upper(self) -> int:
        """A number that no value's cost exceeds."""

    def value(self, index: int) -> int:
        """Return the cost of one value."""

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all values; shape (size,)."""


@dataclass(frozen=True, eq=False)
class TableUnary:
    """Costs as a table; shape (size,)."""

    values: Array

    @property
    def size(self) -> int:
        """Number of values."""
        return len(self.values)

    @cached_property
    def upper(self) -> int:
        """The largest cost, or 0."""
        return max(0, *(int(value) for value in self.values))

    def value(self, index: int) -> int:
        """Return the cost of one value."""
        return int(self.values[index])

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all values; shape (size,)."""
        return self.values.astype(dtype)


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
        return sum(
            max(term.share) * weight << h for term in self.terms for h, weight in enumerate(term.weights)
        )

    def level(self, h: int, prefix: Sequence[int]) -> list[int]:
        """Return the costs of the letters at level h (from 0), given the letters above."""
        zero = [0] * len(self.words.alphabet)
        return [
            sum(column) for column in zip(zero, *(term.level(h, prefix) for term in self.terms), strict=True)
        ]

    def value(self, index: int) -> int:
        """Return the cost of one word."""
        letters = self.words.letters(index)
        return sum(self.level(h, letters)[letter] for h, letter in enumerate(letters))

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all words; shape (k^H,)."""
        total = np.zeros(self.size, dtype=dtype)
        for term in self.terms:
            shares = [np.array([w * share for share in term.share], dtype=dtype) for w in term.weights]
            total += horner(shares, term.growing, dtype)
        return total

    def scaled(self, weights: Sequence[int]) -> WordUnary:
        """Return the cost with every level's share multiplied by a weight."""
        terms = (replace(term, weights=_times(term.weights, weights)) for term in self.terms)
        return WordUnary(self.words, tuple(terms))


def horner(shares: Sequence[Array], growing: Sequence[bool], dtype: Any) -> Array:
    """Sum a term over all words by Horner's scheme, from the last level up.

    V_h(a . rest) = share_h[a] + (2 if a grows else 1) x V_(h+1)(rest); k^H values in O(k^H) time.

    Parameters
    ----------
    shares
        For each level, by letter.
    growing
        By letter.
    """
    values = np.zeros(1, dtype=dtype)
    for share in reversed(shares):
        values = np.concatenate(
            [(values << 1 if grows else values) + one for one, grows in zip(share, growing, strict=True)]
        )
    return values


def _times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a * b for a, b in zip(left, right, strict=True))
