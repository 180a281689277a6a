"""Whether an exact number is the one that was printed."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

MORE_DIGITS = 2
"""That a recomputed number is shown with, beside those of the printed one."""
MOST_DIGITS = 12
"""Beside those of the printed one, for a number so near to a tie that fewer would seem to be on its other side."""


def interval(printed: Decimal) -> tuple[Fraction, Fraction]:
    """Return all that may round to a printed number: half a unit in its last place to either side, ends included."""
    half = Fraction(10) ** _exponent(printed) / 2
    return Fraction(printed) - half, Fraction(printed) + half


def agrees(number: Fraction, printed: Decimal) -> bool:
    """Return whether a number rounds to the printed one; at a tie, either way of rounding is taken."""
    low, high = interval(printed)
    return low <= number <= high


def mean_agrees(numbers: Sequence[Fraction], printed: Decimal) -> bool:
    """Return whether the geometric mean of some numbers rounds to the printed one; exact, without a root."""
    low, high = interval(printed)
    product = prod(numbers, start=Fraction(1))
    return low ** len(numbers) <= product <= high ** len(numbers)


def shown(number: Fraction, printed: Decimal, holds: bool) -> str:
    """Return a number with more digits than the printed one: as many as show on which side of rounding it is.

    Parameters
    ----------
    number
        Exact, or a root to many digits.
    printed
        What it is held against.
    holds
        Whether it rounds to that: what is shown does so too, or does not.
    """
    least = max(0, -_exponent(printed))
    for places in range(least + MORE_DIGITS, least + MOST_DIGITS + 1):
        rounded = round(number, places)
        if agrees(rounded, printed) is holds:
            return str(exact(rounded))
    low, high = interval(printed)
    return f"just below {exact(low)}" if number < Fraction(printed) else f"just above {exact(high)}"


def mean(numbers: Sequence[Fraction]) -> Fraction:
    """Return the geometric mean, to 40 digits: to be shown, not to judge by."""
    with localcontext() as context:
        context.prec = 50
        product = prod(numbers, start=Fraction(1))
        if not product:
            return Fraction(0)
        logarithm = (Decimal(product.numerator).ln() - Decimal(product.denominator).ln()) / len(numbers)
        return Fraction(logarithm.exp())


def _exponent(printed: Decimal) -> int:
    exponent = printed.as_tuple().exponent
    assert isinstance(exponent, int)  # a printed number is finite
    return exponent
