"""Between a floating-point solver and exact integers: plans, bounds, and how exact the latter are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 0.4
"""The absolute gap asked for: scaled costs are integers, so that below 1/2 a plan is the best."""
ABSOLUTE, RELATIVE = 1e-3, 1e-9
"""By how much a solver's bound may be too high."""
MAX_SPAN_MPS = 10**12
"""The same for MPS files as PuLP writes them, with 13 digits."""
MAX_SPAN = 2**50
"""The largest scaled cost that doubles, with three bits to spare, tell from its neighbours."""


def chosen(x: Sequence[Sequence[float]]) -> list[int] | None:
    """Return the position of the 1 in every row, or None if some row is not one-hot."""
    positions = [max(range(len(row)), key=row.__getitem__) for row in x]
    integral = all(row[i] > 0.99 for row, i in zip(x, positions, strict=True))
    return positions if integral else None


def margin(bound: float) -> float:
    """Return by how much a bound may be too high."""
    return ABSOLUTE + RELATIVE * abs(bound)


def safe_bound(bound: float) -> int | None:
    """Return the least integer that costs, being integers, cannot fall below; None without a bound."""
    return math.ceil(bound - margin(bound)) if math.isfinite(bound) else None


def slack_of(bound: int | None) -> int:
    """Return how far a proven plan may lie above `safe_bound`, for its margin alone."""
    return 0 if bound is None else math.floor(GAP + 2 * margin(bound))
