"""Sums of terms over all words of a domain, without a loop over words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.words import letter_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.unary import Array

SHORT = 2**10
"""Up to so many words Horner's scheme is used on the whole."""
FEW = 2**6
"""Up to so many values lists are faster than arrays."""
ROWS = 2**14
"""Numbers in a block, to stay in the cache."""


@dataclass(frozen=True, eq=False)
class TermPart:
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

    def cut(self, start: int, stop: int) -> TermPart:
        """Return the part of some levels."""
        return TermPart(self.shares[start:stop], self.growing)


def sum_over_words(parts: Sequence[TermPart], letters: int, levels: int, dtype: Any) -> Array:
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


def horner(part: TermPart, dtype: Any) -> Array:
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


def times(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    """Return the products of numbers, pair by pair."""
    return tuple(a * b for a, b in zip(left, right, strict=True))


def growth(growing: Sequence[bool], levels: int, dtype: Any) -> Array:
    """Return 2^(growing letters) of every word of so many levels; shape (k^levels,)."""
    return np.array([1], dtype=dtype) << letter_sums(np.array(growing, dtype=dtype), levels)
