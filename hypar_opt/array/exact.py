"""Exact numbers of links: bandwidths, latencies and energies."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Final

from hypar_opt.array.wording import quoted
from hypar_opt.errors import MachineError

FURTHEST: Final = 100
"""Numbers are 0 or from 1e-100 to 1e100: as a fraction, 1e999999999 would fill the memory."""
MOST_DIGITS: Final = 400
"""Of a decimal."""


def exact_number(value: object, field: str, link: int) -> Fraction:
    """Return a link's number as a fraction.

    Raises
    ------
    MachineError
        If it is not exact, not finite, too small for its field, or out of all proportion.
    """
    expected = "a number above 0" if field == "bandwidth" else "a number of at least 0"
    if isinstance(value, bool) or not isinstance(value, int | Decimal | Fraction):
        hint = "; a float is not exact" if isinstance(value, float) else ""
        raise MachineError(f"expected {expected}, got {quoted(value)}{hint}", link=link, field=field)
    is_finite = not isinstance(value, Decimal) or value.is_finite()
    if not is_finite or value < 0 or (value == 0 and field == "bandwidth"):
        raise MachineError(f"expected {expected}, got {quoted(value)}", link=link, field=field)
    if value and not _is_near(value):
        span = f"1e-{FURTHEST} to 1e{FURTHEST}, of at most {MOST_DIGITS} digits"
        raise MachineError(f"expected 0 or a number from {span}, got {quoted(value)}", link=link, field=field)
    return Fraction(value) if value else Fraction(0)


def _is_near(value: Decimal | int | Fraction) -> bool:
    if isinstance(value, Decimal):
        return -FURTHEST <= value.adjusted() < FURTHEST and len(value.as_tuple().digits) <= MOST_DIGITS
    furthest = Fraction(10) ** FURTHEST
    return 1 / furthest <= value < furthest
