"""What a cost of one variable's value answers, and such a cost as a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

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

    def content(self) -> Hashable:
        """Return what only costs have in common that are the same for all values."""


def content_of(values: Array) -> Hashable:
    """Return what only tables of the same numbers, shape and type have in common."""
    plain = values.tobytes() if values.dtype == np.int64 else tuple(values.reshape(-1).tolist())
    return values.shape, plain


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

    def content(self) -> Hashable:
        """Return the numbers."""
        return content_of(self.values)
