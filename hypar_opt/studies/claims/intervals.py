"""Numbers known to within their rounding: exact intervals, with the number that the digits spell inside."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.claims.printed import PrintedNumber

MOST_EXPONENT: Final = 64
MOST_BITS: Final = 1 << 16
"""Of a numerator or denominator: powers of powers would fill the memory."""


@dataclass(frozen=True)
class NumberInterval:
    """A number of which only so much is known (Moore, 1966).

    What is computed of several contains all that can come out, each of them anywhere in its own interval. A number that
    occurs twice is taken as two, so that an interval may be wider than it has to be, and is never too narrow.

    Parameters
    ----------
    low, high
        The ends, both included.
    at
        The number where every digit is taken as it stands.
    """

    low: Fraction
    at: Fraction
    high: Fraction

    @classmethod
    def exactly(cls, number: Fraction | int) -> Self:
        """Return a number that is known."""
        value = Fraction(number)
        return cls(value, value, value)

    @classmethod
    def printed(cls, number: PrintedNumber) -> Self:
        """Return all that may round to a printed number."""
        low, high = number.interval
        return cls(low, Fraction(number), high)

    @property
    def is_exact(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def __add__(self, other: NumberInterval) -> NumberInterval:
        """Return the sum."""
        return NumberInterval(self.low + other.low, self.at + other.at, self.high + other.high)

    def __neg__(self) -> NumberInterval:
        """Return it with the other sign."""
        return NumberInterval(-self.high, -self.at, -self.low)

    def __sub__(self, other: NumberInterval) -> NumberInterval:
        """Return the difference."""
        return self + -other

    def __mul__(self, other: NumberInterval) -> NumberInterval:
        """Return the product."""
        return _spanned([a * b for a in (self.low, self.high) for b in (other.low, other.high)], self.at * other.at)

    def __truediv__(self, other: NumberInterval) -> NumberInterval:
        """Return the quotient.

        Raises
        ------
        ValueError
            If 0 rounds to the divisor.
        """
        if other.low <= 0 <= other.high:
            raise ValueError("divides by what may be 0")
        return self * NumberInterval(1 / other.high, 1 / other.at, 1 / other.low)

    def __pow__(self, exponent: NumberInterval) -> NumberInterval:
        """Return a power.

        Raises
        ------
        ValueError
            If the exponent is no integer from 0 to 64, or the result has too many digits.
        """
        if not exponent.is_exact or exponent.at.denominator > 1 or not 0 <= exponent.at <= MOST_EXPONENT:
            raise ValueError(f"expected an exponent from 0 to {MOST_EXPONENT}")
        power = int(exponent.at)
        if max(_bits(self.low), _bits(self.high)) * power > MOST_BITS:
            raise ValueError("has too many digits")
        ends = [self.low**power, self.high**power]
        if self.low < 0 < self.high and power and power % 2 == 0:
            ends.append(Fraction(0))
        return _spanned(ends, self.at**power)


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def _spanned(ends: Sequence[Fraction], at: Fraction) -> NumberInterval:
    low, high = min(ends), max(ends)
    if max(_bits(low), _bits(high)) > MOST_BITS:
        raise ValueError("has too many digits")
    return NumberInterval(low, at, high)
