"""Costs of a word that depend on how often each letter occurs in it, and not on where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.unary import Array
    from hypar_opt.costgraph.words import Words

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
        where = np.zeros(1, dtype=np.int64)
        digits = base ** np.arange(len(words.alphabet), dtype=np.int64)
        for _ in range(words.length):
            where = (digits[:, None] + where[None, :]).reshape(-1)
        dense: Array = table[where]
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
