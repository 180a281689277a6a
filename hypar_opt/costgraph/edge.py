"""What a cost of a pair of values answers, and such a cost as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
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

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first value of message + cost; shape (..., shape[1])."""

    def argmin(self, message: Array, second: int) -> int:
        """Return the first value (the lowest of several) at which `minplus` is attained."""

    def transposed(self) -> EdgeCost:
        """Return the same cost with the two variables exchanged."""


@dataclass(frozen=True, eq=False)
class TableEdge:
    """Costs as a table; shape (first size, second size)."""

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of values."""
        return self.values.shape[0], self.values.shape[1]

    @property
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

    def minplus(self, message: Array, workers: int = 1) -> Array:
        """Return the minimum over the first value of message + cost."""
        return minplus_of_table(self.dense(message.dtype), message)

    def argmin(self, message: Array, second: int) -> int:
        """Return the first value at which `minplus` is attained."""
        return int(np.argmin(message + self.column(second, message.dtype)))

    def transposed(self) -> TableEdge:
        """Return the cost with the variables exchanged."""
        return TableEdge(self.values.T)


def minplus_of_table(values: Array, message: Array) -> Array:
    """Return the minimum over the first value of message + cost, a row of the table at a time."""
    best: Array = message[..., 0, None] + values[0]
    for first in range(1, len(values)):
        best = np.minimum(best, message[..., first, None] + values[first])
    return best
