"""Domains whose values are words: one letter a level, the root's first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hypar_opt.costgraph.unary import Array


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
        The only word allowed, if one is given.
    """

    alphabet: str
    length: int
    limits: tuple[int | None, ...] | None = None
    fixed: str | None = None

    @property
    def size(self) -> int:
        """Number of words, allowed or not: k^H."""
        return int(len(self.alphabet) ** self.length)

    @property
    def restricted(self) -> bool:
        """Whether some words may not be allowed."""
        return self.limits is not None or self.fixed is not None

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

    def allows(self, prefix: str) -> bool:
        """Return whether some allowed word begins so."""
        if self.fixed is not None and not self.fixed.startswith(prefix):
            return False
        return self._within_limits(self.fixed or prefix)

    def _within_limits(self, prefix: str) -> bool:
        """Count: no letter over its limit, and room left for the levels below."""
        if self.limits is None:
            return True
        used = Counter(prefix)
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
            only = np.zeros(self.size, dtype=np.bool_)
            only[self.index(self.fixed)] = True
            mask &= only
        return mask


def letter_sums(values: Array, length: int) -> Array:
    """Return for every word of a length the sum of its letters' values; shape (k^length,)."""
    sums = np.zeros(1, dtype=values.dtype)
    for _ in range(length):
        sums = np.add.outer(values, sums).reshape(-1)
    return sums
