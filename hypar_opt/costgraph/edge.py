"""What a cost of a pair of values answers, and such a cost as a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from hypar_opt.costgraph.factors import all_ones, largest, product_of, reduced
from hypar_opt.costgraph.unary import content_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.costgraph.unary import Array


@runtime_checkable
class EdgeCost(Protocol):
    """What a formulation may ask of a cost of two variables' values."""

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values of the first and of the second variable."""

    @property
    def upper(self) -> int:
        """A number that no pair's cost exceeds."""

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair."""

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs; shape `shape`."""

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs of all first values with one second value; shape (shape[0],)."""

    def among(self, first: Array, second: Array, dtype: Any) -> Array:
        """Return the costs of the pairs of some first and some second values; shape (len(first), len(second))."""
        found: Array = self.dense(dtype)[np.ix_(first, second)]
        return found

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first value of message + cost; shape (..., shape[1])."""
        values = self.dense(message.dtype)
        best: Array = message[..., 0, None] + values[0]
        for first in range(1, len(values)):
            best = np.minimum(best, message[..., first, None] + values[first])
        return best

    def argmin(self, message: Array, second: int) -> int:
        """Return the first value (the lowest of several) at which `minplus` is attained."""
        return int(np.argmin(message + self.column(second, message.dtype)))

    def transposed(self) -> EdgeCost:
        """Return the same cost with the two variables exchanged."""

    def content(self) -> Hashable:
        """Return what only costs have in common that are the same for all pairs; unless told the cost itself."""
        return id(self)


@dataclass(frozen=True, eq=False)
class TableEdge(EdgeCost):
    """Costs as a table; shape (first size, second size)."""

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values."""
        return self.values.shape[0], self.values.shape[1]

    @cached_property
    def upper(self) -> int:
        """The largest cost, or 0."""
        return max(0, int(self.values.max()))

    def value(self, first: int, second: int) -> int:
        """Return the cost of one pair."""
        return int(self.values[first, second])

    def dense(self, dtype: Any) -> Array:
        """Return the costs of all pairs."""
        return self.values.astype(dtype)

    def column(self, second: int, dtype: Any) -> Array:
        """Return the costs with one second value."""
        return self.values[:, second].astype(dtype)

    def transposed(self) -> TableEdge:
        """Return the cost with the variables exchanged."""
        return TableEdge(self.values.T)

    def content(self) -> Hashable:
        """Return the numbers."""
        return content_of(self.values)


@dataclass(frozen=True)
class EdgeTerm:
    """A part of a pair's cost: at level h, weights[h] x share_ab x the factors of the letters above.

    What every letter of a level has in common is moved from its factors to the weights below: the same term.

    Parameters
    ----------
    share
        Bytes of level 1, by the first variable's letter and the second's.
    side
        0 or 1: the variable whose letters above h count.
    factors
        By level and letter of that variable: what having it there multiplies every level below by. The last level's
        are not used.
    weights
        By level.
    """

    share: tuple[tuple[int, ...], ...]
    side: int
    factors: Factors
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        factors, weights = reduced(self.factors, self.weights)
        object.__setattr__(self, "factors", factors)
        object.__setattr__(self, "weights", weights)

    @cached_property
    def free(self) -> bool:
        """Whether the term looks at no letters above."""
        return all_ones(self.factors) or not any(map(any, self.share))

    @property
    def upper(self) -> int:
        """A number that no pair's term exceeds: every level's dearest letters below its largest factors."""
        return max(map(max, self.share)) * largest(self.factors, self.weights)

    def level(self, h: int, prefixes: tuple[Sequence[int], Sequence[int]]) -> Array:
        """Return the costs of the pairs of letters at level h (from 0); shape (k, k'), dtype object."""
        factor = self.weights[h] * product_of(self.factors[:h], prefixes[self.side])
        scaled: Array = np.array(self.share, dtype=object) * factor
        return scaled

    def total(self, words: tuple[Sequence[int], Sequence[int]]) -> int:
        """Return the term of one pair of words."""
        total, above = 0, 1
        for weight, level, pair in zip(self.weights, self.factors, zip(*words, strict=True), strict=True):
            total += weight * self.share[pair[0]][pair[1]] * above
            above *= level[pair[self.side]]
        return total

    def plus(self, other: EdgeTerm) -> EdgeTerm:
        """Return the sum with a term that differs in its shares only."""
        rows = zip(self.share, other.share, strict=True)
        share = tuple(tuple(a + b for a, b in zip(*pair, strict=True)) for pair in rows)
        return replace(self, share=share)

    def transposed(self) -> EdgeTerm:
        """Return the term with the variables exchanged."""
        return replace(self, share=tuple(zip(*self.share, strict=True)), side=1 - self.side)
