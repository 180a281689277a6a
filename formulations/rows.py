"""Rows of a programme for SciPy, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


class SparseRows:
    """Rows of a sparse matrix, with bounds of each."""

    def __init__(self) -> None:
        self.at: list[tuple[int, int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add(self, entries: Mapping[int, float], low: float, high: float) -> None:
        """Add a row: the sum of columns times entries is from low to high."""
        self.at += [(len(self.low), column, value) for column, value in entries.items()]
        self.low.append(low)
        self.high.append(high)

    def constraint(self, columns: int) -> Any:
        """Return them as a `scipy.optimize.LinearConstraint` of so many columns."""
        from scipy.optimize import LinearConstraint
        from scipy.sparse import csr_array

        at, places, values = zip(*self.at, strict=True)
        matrix = csr_array((values, (at, places)), shape=(len(self.low), columns))
        return LinearConstraint(matrix, self.low, self.high)
