"""Whether an exact number is the one that was printed."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.plan_file import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

MORE_DIGITS = 2
"""That a recomputed number is shown with, beside those of the printed one."""


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
    return max(low, Fraction(0)) ** len(numbers) <= product <= high ** len(numbers)


def shown(number: Fraction, printed: Decimal) -> str:
    """Return a number with more digits than the printed one: as many as show on which side of rounding it is."""
    places = max(0, -_exponent(printed)) + MORE_DIGITS
    while agrees(round(number, places), printed) is not agrees(number, printed):
        places += 1
    return str(exact(round(number, places)))


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
