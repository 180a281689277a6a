"""A printed number, and what agrees with it: what rounds to it, or what is as near as the claim says."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.audit import rounding

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.audit.printed import PrintedNumber, Tolerance

ROUNDS = ""
"""How a number agrees that rounds to the printed one: as is, without a word."""


@dataclass(frozen=True)
class Expected:
    """What is printed.

    Parameters
    ----------
    printed
        The number; its digits count, unless it was read off an axis.
    within
        How near a number that does not round to it has to be; None where it has to round to it.
    """

    printed: PrintedNumber
    within: Tolerance | None = None

    def how(self, low: Fraction, high: Fraction | None = None) -> str | None:
        """Return how a number agrees: `ROUNDS`, or within what; None if it does not.

        Parameters
        ----------
        low
            The number.
        high
            The other end, where all that is known is that it is between two.
        """
        top = low if high is None else high
        return self._first(lambda least, most: least <= top and low <= most)

    def how_mean(self, numbers: Sequence[Fraction]) -> str | None:
        """Return the same of a geometric mean; exact, without a root."""
        product = prod(numbers, start=Fraction(1))
        return self.how_root(product, product, len(numbers))

    def how_root(self, low: Fraction, high: Fraction, degree: int) -> str | None:
        """Return the same of a root, where all that is known of what it is the root of is that it is between two."""
        return self._first(lambda least, most: max(least, Fraction(0)) ** degree <= high and low <= most**degree)

    def _first(self, covers: Callable[[Fraction, Fraction], bool]) -> str | None:
        if not self.printed.rough and covers(*rounding.interval(self.printed)):
            return ROUNDS
        if self.within is not None and covers(*self.within.interval(self.printed)):
            return f"within {self.within.said(self.printed)}"
        return None

    def shown(self, number: Fraction, how: str | None, unit: str = "") -> str:
        """Return a number in a few more digits than are printed, and how it agrees where that is not by rounding."""
        text = rounding.shown(number, self.printed, rounding.agrees(number, self.printed))
        return " ".join(filter(None, [text, unit, f"({how})" if how else ""]))

    def why_not(self, number: Fraction) -> str:
        """Return why a number does not agree."""
        if self.within is None:
            return "does not round to what is printed"
        off = number / Fraction(self.printed) - 1 if self.printed else number
        away = f"{abs(float(off)):.2%} {'above' if off > 0 else 'below'} it"
        what = "what was read off" if self.printed.rough else "what is printed, nor rounds to it"
        return f"not within {self.within.text} of {what}: {away}"
