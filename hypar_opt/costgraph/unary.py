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


@dataclass(frozen=True, eq=False)
class Part:
    """A term's shares by level and letter, and which letters make it grow.

    Parameters
    ----------
    shares
        For each level, by letter.
    growing
        By letter.
    """

    shares: tuple[tuple[int, ...], ...]
    growing: tuple[bool, ...]

    def cut(self, start: int, stop: int) -> Part:
        """Return the part of some levels."""
        return Part(self.shares[start:stop], self.growing)


def sum_over_words(parts: Sequence[Part], letters: int, levels: int, dtype: Any) -> Array:
    """Sum terms over all words; shape (k^levels,).

    A word is an upper half t and a lower half b, so that a term is V(t . b) = U(t) + 2^(growing in t) W(b):
    a sum of outer products, which is filled block by block.
    """
    if letters**levels <= SHORT:
        found = [horner(part, dtype) for part in parts]
        return sum(found[1:], start=found[0]) if found else np.zeros(letters**levels, dtype=dtype)
    top = levels // 2
    upper = sum_over_words([part.cut(0, top) for part in parts], letters, top, dtype)
    still = [horner(part.cut(top, levels), dtype) for part in parts if not any(part.growing)]
    base = sum(still, start=np.zeros(letters ** (levels - top), dtype=dtype))
    grown = [part for part in parts if any(part.growing)]
    lower = [horner(part.cut(top, levels), dtype) for part in grown]
    factors = [growth(part.growing, top, dtype) for part in grown]
    total = np.empty((len(upper), len(base)), dtype=dtype)
    rows = max(1, ROWS // len(base))
    for start in range(0, len(upper), rows):
        block = total[start : start + rows]
        np.add(upper[start : start + rows, None], base, out=block)
        for low, factor in zip(lower, factors, strict=True):
            block += factor[start : start + rows, None] * low
    return total.reshape(-1)


SHORT = 2**10
"""Up to so many words Horner's scheme is used on the whole."""
FEW = 2**6
"""Up to so many values lists are faster than arrays."""
ROWS = 2**14
"""Numbers in a block, to stay in the cache."""


def horner(part: Part, dtype: Any) -> Array:
    """Sum one term over all words by Horner's scheme, from the last level up.

    V_h(a . rest) = share_h[a] + (2 if a grows else 1) x V_(h+1)(rest); k^H values in O(k^H) time.
    """
    few = [0]
    shares = list(part.shares)
    while shares and len(few) < FEW:
        pairs = list(zip(shares.pop(), part.growing, strict=True))
        few = [(value << grows) + one for one, grows in pairs for value in few]
    values = np.array(few, dtype=dtype)
    for share in reversed(shares):
        pairs = list(zip(share, part.growing, strict=True))
        values = np.concatenate([(values << 1 if grows else values) + one for one, grows in pairs])
    return values


def growth(growing: Sequence[bool], levels: int, dtype: Any) -> Array:
    """Return 2^(growing letters) of every word of so many levels; shape (k^levels,)."""
    values = np.ones(1, dtype=dtype)
    for _ in range(levels):
        values = np.concatenate([values << 1 if grows else values for grows in growing])
    return values


def _times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a * b for a, b in zip(left, right, strict=True))
