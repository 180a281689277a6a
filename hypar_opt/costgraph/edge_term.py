"""A part of the cost of two words, level by level."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.unary import Array


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

    def plus(self, other: EdgeTerm) -> EdgeTerm:
        """Return the sum with a term that differs in its shares only."""
        rows = zip(self.share, other.share, strict=True)
        share = tuple(tuple(a + b for a, b in zip(*pair, strict=True)) for pair in rows)
        return replace(self, share=share)

    def transposed(self) -> EdgeTerm:
        """Return the term with the variables exchanged."""
        return replace(self, share=tuple(zip(*self.share, strict=True)), side=1 - self.side)
