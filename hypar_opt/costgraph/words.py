"""Domains whose values are words: one letter a level, the root's first; and sums over all of them without a loop."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hypar_opt.costgraph.factors import all_ones, cut_off, products

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.costgraph.unary import Array

SHORT = 2**10
"""Up to so many words Horner's scheme is used on the whole."""
FEW = 2**6
"""Up to so many values lists are faster than arrays."""
ROWS = 2**14
"""Numbers in a block, to stay in the cache."""
OPEN: Final = "."
"""In the place of a letter that is not given."""


class Pattern(NamedTuple):
    """What a word may be, where its letters are read as digits.

    Parameters
    ----------
    digits
        Of every letter of the alphabet, below `BASE`.
    numbers
        Those that words may make, the root's digit first.
    """

    digits: tuple[int, ...]
    numbers: frozenset[int]


BASE: Final = 3
"""Of the numbers that letters make."""


@dataclass(frozen=True)
class Words:
    """All words of one length over an alphabet, in lexicographic order of the letters' positions.

    Parameters
    ----------
    alphabet
        The letters; the first is the one that ties go to.
    length
        Number of levels H.
    limits
        How often each letter may occur in a word; None where it may always.
    fixed
        What is given, if anything is: a letter a level, or `.` where any may be.
    without
        A word that is not allowed besides.
    letters_at
        By level, the letters that may be there; None where all may be at every level.
    patterns
        What words have to be besides: of each a digit of every letter, and the numbers that the digits may make, one a
        level, the root's first, in base `BASE`.
    """

    alphabet: str
    length: int
    limits: tuple[int | None, ...] | None = None
    fixed: str | None = None
    without: str | None = None
    letters_at: tuple[str, ...] | None = None
    patterns: tuple[Pattern, ...] | None = None

    @property
    def size(self) -> int:
        """Number of words, allowed or not: k^H."""
        return int(len(self.alphabet) ** self.length)

    @property
    def restricted(self) -> bool:
        """Whether some words may not be allowed."""
        rules = (self.limits, self.fixed, self.without, self.letters_at, self.patterns)
        return any(rule is not None for rule in rules)

    def index(self, word: str) -> int:
        """Return the position of a word."""
        index = 0
        for letter in word:
            index = index * len(self.alphabet) + self.alphabet.index(letter)
        return index

    def word(self, index: int) -> str:
        """Return the word at a position."""
        return "".join(self.alphabet[position] for position in self.letters(index))

    def letters(self, index: int) -> tuple[int, ...]:
        """Return the positions in the alphabet of a word's letters, root first."""
        letters = []
        for _ in range(self.length):
            index, letter = divmod(index, len(self.alphabet))
            letters.append(letter)
        return tuple(reversed(letters))

    def digits(self, indices: Array) -> Array:
        """Return the positions in the alphabet of the letters of words, root first; shape (len(indices), H)."""
        base = len(self.alphabet) ** np.arange(self.length - 1, -1, -1)
        found: Array = np.asarray(indices)[:, None] // base % len(self.alphabet)
        return found

    def allows(self, prefix: str) -> bool:
        """Return whether some allowed word begins so."""
        if self.without is not None or self.patterns is not None:
            below = len(self.alphabet) ** (self.length - len(prefix))
            first = replace(self, length=len(prefix)).index(prefix) * below
            return bool(self.mask[first : first + below].any())
        fixed = OPEN * self.length if self.fixed is None else self.fixed
        if any(given not in (letter, OPEN) for letter, given in zip(prefix, fixed, strict=False)):
            return False
        if not all(self._may_be(letter, level) for level, letter in enumerate(prefix)):
            return False
        open_below = range(len(prefix), self.length)
        if not all(any(self._may_be(letter, h) for letter in self._given(fixed[h])) for h in open_below):
            return False
        if self.limits is None:
            return True
        prefix += fixed[len(prefix) :].replace(OPEN, "")
        used = Counter(prefix)  # no letter over its limit, and room left for the levels that are open below
        room = [
            self.length if limit is None else limit - used[letter]
            for letter, limit in zip(self.alphabet, self.limits, strict=True)
        ]
        return min(room) >= 0 and sum(room) >= self.length - len(prefix)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """Which words are allowed; shape (k^H,)."""
        mask = np.ones(self.size, dtype=np.bool_)
        for letter, limit in enumerate(self.limits or ()):
            if limit is not None:
                mask &= letter_sums(np.eye(len(self.alphabet), dtype=np.int8)[letter], self.length) <= limit
        if self.fixed is not None:
            only = np.ones(1, dtype=np.bool_)
            for given in self.fixed:
                here = [given in (letter, OPEN) for letter in self.alphabet]
                only = np.logical_and.outer(only, here).reshape(-1)
            mask &= only
        if self.letters_at is not None:
            only = np.ones(1, dtype=np.bool_)
            for there in self.letters_at:
                only = np.logical_and.outer(only, [letter in there for letter in self.alphabet]).reshape(-1)
            mask &= only
        if self.without is not None:
            mask[self.index(self.without)] = False
        for pattern in self.patterns or ():
            numbers = np.zeros(1, dtype=np.int64)
            for level in range(self.length):
                digits = np.array(pattern.digits, dtype=np.int64) * BASE**level
                numbers = np.add.outer(digits, numbers).reshape(-1)
            mask &= np.isin(numbers, list(pattern.numbers))
        return mask

    def _may_be(self, letter: str, level: int) -> bool:
        return self.letters_at is None or letter in self.letters_at[level]

    def _given(self, letter: str) -> str:
        """Return the letters that are left by what is given at a level."""
        return self.alphabet if letter == OPEN else letter

    def filled(self, letter: str) -> str:
        """Return the word that has a letter at every level that is not given."""
        return (OPEN * self.length if self.fixed is None else self.fixed).replace(OPEN, letter)


def letter_sums(values: Array, length: int) -> Array:
    """Return for every word of a length the sum of its letters' values; shape (k^length,)."""
    sums = np.zeros(1, dtype=values.dtype)
    for _ in range(length):
        sums = np.add.outer(values, sums).reshape(-1)
    return sums


@dataclass(frozen=True, eq=False)
class TermPart:
    """A term's shares by level and letter, and what the letters multiply those of the levels below by.

    Parameters
    ----------
    shares
        For each level, by letter.
    factors
        Of every level; the last one's multiply nothing.
    """

    shares: tuple[tuple[int, ...], ...]
    factors: Factors

    @staticmethod
    def of(shares: Factors, factors: Factors) -> TermPart:
        """Return a part without the factors that multiply no share."""
        return TermPart(shares, cut_off(factors, [any(share) for share in shares]))

    def cut(self, start: int, stop: int) -> TermPart:
        """Return the part of some levels."""
        return TermPart(self.shares[start:stop], self.factors[start:stop])


def sum_over_words(parts: Sequence[TermPart], letters: int, levels: int, dtype: Any) -> Array:
    """Sum terms over all words; shape (k^levels,).

    A word is an upper half t and a lower half b, so that a term is V(t . b) = U(t) + (product of t's factors) W(b):
    a sum of outer products, which is filled block by block.
    """
    if letters**levels <= SHORT:
        found = [horner(part, dtype) for part in parts]
        return sum(found[1:], start=found[0]) if found else np.zeros(letters**levels, dtype=dtype)
    top = levels // 2
    upper = sum_over_words([part.cut(0, top) for part in parts], letters, top, dtype)
    still = [horner(part.cut(top, levels), dtype) for part in parts if all_ones(part.factors[:top])]
    base = sum(still, start=np.zeros(letters ** (levels - top), dtype=dtype))
    grown = [part for part in parts if not all_ones(part.factors[:top])]
    lower = [horner(part.cut(top, levels), dtype) for part in grown]
    factors = [products(part.factors[:top], dtype) for part in grown]
    total = np.empty((len(upper), len(base)), dtype=dtype)
    rows = max(1, ROWS // len(base))
    for start in range(0, len(upper), rows):
        block = total[start : start + rows]
        np.add(upper[start : start + rows, None], base, out=block)
        for low, factor in zip(lower, factors, strict=True):
            block += factor[start : start + rows, None] * low
    return total.reshape(-1)


def horner(part: TermPart, dtype: Any) -> Array:
    """Sum one term over all words by Horner's scheme, from the last level up.

    V_h(a . rest) = share_h[a] + factor_h[a] x V_(h+1)(rest); k^H values in O(k^H) time.
    """
    few = [0]
    levels = [list(zip(*level, strict=True)) for level in zip(part.shares, part.factors, strict=True)]
    while levels and len(few) < FEW:
        few = [value * factor + one for one, factor in levels.pop() for value in few]
    values = np.array(few, dtype=dtype)
    for pairs in reversed(levels):
        values = np.concatenate([(values if factor == 1 else values * factor) + one for one, factor in pairs])
    return values
