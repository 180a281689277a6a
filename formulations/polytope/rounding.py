"""Between a floating-point solver and exact integers: plans, bounds, and how far both are to be trusted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP = 0.4
"""The absolute gap asked for: scaled costs are integers, so that below 1/2 a plan is the best."""
TOLERANCE = 1e-9
"""The tolerance asked for: how far a constraint may be from being kept."""
INTEGRALITY = 1e-7
"""How far a value may be from an integer. With 1e-9 HiGHS takes what is whole, but for its own rounding, for broken."""
ABSOLUTE, RELATIVE = 1e-3, 1e-9
"""By how much a solver's bound may be too high."""
MOST = 2**27
"""The largest scaled cost that solvers are told: bounds up to it are off by less than the gap leaves of 1."""
MAX_SEED = 2**31 - 1
NOTE = (
    f"proven in floating point, in costs up to {MOST:,}: gap below {GAP}, values integral within {INTEGRALITY:g}, "
    f"bound trusted to {RELATIVE:g} of it"
)


def chosen(x: Sequence[Sequence[float]]) -> list[int] | None:
    """Return the position of the 1 in every row, or None if some row is not one-hot."""
    positions = [max(range(len(row)), key=row.__getitem__) for row in x]
    integral = all(row[i] > 0.99 for row, i in zip(x, positions, strict=True))
    return positions if integral else None


def safe_bound(bound: float) -> int | None:
    """Return the least integer that costs, being integers, cannot fall below; None without a bound."""
    return math.ceil(bound - _margin(bound)) if math.isfinite(bound) else None


def _margin(bound: float) -> float:
    return ABSOLUTE + RELATIVE * abs(bound)
