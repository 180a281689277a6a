"""Numbers as papers print them, those read off axes, and how near to them is near enough."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Annotated, Self, TypeAlias

from pydantic import PlainValidator

from hypar_opt.instance.exact import decimal
from hypar_opt.instance.fields import refusal
from hypar_opt.instance.text import shown
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence


MORE_DIGITS = 2
"""That a recomputed number is shown with, beside those of the printed one."""
MOST_DIGITS = 12
"""Beside those of the printed one, for a number so near to a tie that fewer would seem to be on its other side."""
_DECIMAL = re.compile(r"(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SHARE = re.compile(r"([^%\s]+) ?%")
_EXPECTED = 'a number above 0 as printed, such as "0.681"'
_NEAR = "how near it has to be, such as 0.5 % or 0.02, more than nothing and at most 50 %"
WIDEST = Fraction(1, 2)
"""Of a number: what is further from it is not near."""


class PrintedNumber(Decimal):
    """A number with its digits, 2.00 is not 2, which is shown as it is printed: 1.9e2 is not 1.9E+2.

    Parameters
    ----------
    text
        As printed; with ~ before it where it was read off an axis.
    """

    text: str

    def __new__(cls, text: str) -> Self:
        """Return the number that a text spells."""
        number = super().__new__(cls, text.removeprefix("~"))
        number.text = text
        return number

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        """Keep the text where it is copied, or sent to another process: the number alone has no ~ and no spelling."""
        return type(self), (self.text,)

    @property
    def rough(self) -> bool:
        """Whether it was read off an axis, so that its digits say nothing."""
        return self.text.startswith("~")

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """All that may round to it: half a unit in its last place to either side, ends included."""
        half = Fraction(10) ** self._last_place / 2
        return Fraction(self) - half, Fraction(self) + half

    def agrees(self, number: Fraction) -> bool:
        """Return whether an exact number rounds to it; at a tie, either way of rounding is taken."""
        low, high = self.interval
        return low <= number <= high

    def beside(self, number: Fraction, holds: bool) -> str:
        """Return a number with more digits than this one: as many as show on which side of rounding it is.

        Parameters
        ----------
        number
            Exact, or a root to many digits.
        holds
            Whether it rounds to this: what is shown does so too, or does not.
        """
        least = max(0, -self._last_place)
        for places in range(least + MORE_DIGITS, least + MOST_DIGITS + 1):
            rounded = round(number, places)
            if self.agrees(rounded) is holds:
                return str(exact(rounded))
        low, high = self.interval
        return f"just below {exact(low)}" if number < Fraction(self) else f"just above {exact(high)}"

    @property
    def _last_place(self) -> int:
        exponent = self.as_tuple().exponent
        assert isinstance(exponent, int)  # a printed number is finite
        return exponent


def geometric_mean(numbers: Sequence[Fraction]) -> Fraction:
    """Return the geometric mean, exact of one number, else to 40 digits: to be shown, not to judge by."""
    if len(numbers) == 1:
        return numbers[0]
    with localcontext() as context:
        context.prec = 50
        product = prod(numbers, start=Fraction(1))
        if not product:
            return Fraction(0)
        logarithm = (Decimal(product.numerator).ln() - Decimal(product.denominator).ln()) / len(numbers)
        return Fraction(logarithm.exp())


@dataclass(frozen=True)
class Tolerance:
    """How far a number may be from the printed one.

    Parameters
    ----------
    amount
        Of the printed number, if it is relative; else as it is.
    relative
        Whether it is a share.
    text
        As it is shown.
    """

    amount: Fraction
    relative: bool
    text: str

    def interval(self, printed: Decimal) -> tuple[Fraction, Fraction]:
        """Return all that is near enough to a number, ends included."""
        centre = Fraction(printed)
        off = self.amount * centre if self.relative else self.amount
        return centre - off, centre + off

    def share(self, printed: Decimal) -> Fraction | None:
        """Return how much of a number it is; None of nothing."""
        if self.relative:
            return self.amount
        return self.amount / Fraction(printed) if printed else None

    def said(self, printed: Decimal) -> str:
        """Return it as it is shown beside a number, for which an amount may be more or less than it seems."""
        share = self.share(printed)
        return self.text if self.relative or share is None else f"{self.text}, {float(100 * share):.3g} % of it"


def as_printed(number: object, expected: str, value: object) -> PrintedNumber:
    """Return the number that a value, or the part of it that is one, spells, or refuse with what was expected."""
    text = _written(number) if type(number) is int or isinstance(number, Decimal) else number
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise refusal(f"expected {expected}, got {shown(value)}")
    try:
        decimal(text)  # refuses what is out of range
    except ValueError as error:
        raise refusal(str(error)) from None
    return PrintedNumber(text)


def _printed(value: object) -> PrintedNumber:
    return _above_0(value, value)


def _above_0(part: object, value: object) -> PrintedNumber:
    number = as_printed(part, _EXPECTED, value)
    if not number:
        raise refusal(f"expected {_EXPECTED}, got {shown(value)}")
    return number


def _figure(value: object) -> PrintedNumber:
    """Take a number as printed, or one with ~ before it that was read off an axis."""
    if isinstance(value, str) and value.startswith("~"):
        return PrintedNumber(f"~{_above_0(value.removeprefix('~'), value).text}")
    return _printed(value)


def _amount(value: object) -> PrintedNumber:
    """Take the same, and 0: an array of one accelerator exchanges nothing."""
    return PrintedNumber("0") if value == 0 and type(value) is int else _figure(value)


def _tolerance(value: object) -> Tolerance:
    share = _SHARE.fullmatch(value) if isinstance(value, str) else None
    number = as_printed(share[1] if share else value, _NEAR, value)
    amount = Fraction(number) / (100 if share else 1)
    if not amount or (share and amount > WIDEST):
        raise refusal(f"expected {_NEAR}, got {shown(value)}")
    return Tolerance(amount, share is not None, f"{number.text} %" if share else number.text)


def _written(number: int | Decimal) -> str:
    """Return how a number that stands in a file without quotes may be written there."""
    shifted = isinstance(number, Decimal) and int(number.as_tuple().exponent) > 0
    return str(number).replace("E+", "e") if shifted else format(number, "f" if isinstance(number, Decimal) else "d")


Printed: TypeAlias = Annotated[PrintedNumber, PlainValidator(_printed)]
"""A number as a paper prints it."""
Figure: TypeAlias = Annotated[PrintedNumber, PlainValidator(_figure)]
"""The same, or with ~ before it a number that was read off an axis."""
Amounted: TypeAlias = Annotated[PrintedNumber, PlainValidator(_amount)]
"""The same, or 0."""
Near: TypeAlias = Annotated[Tolerance, PlainValidator(_tolerance)]
"""How near to a printed number a recomputed one has to be."""


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
        return self.how_root(low, low if high is None else high, 1)

    def how_mean(self, numbers: Sequence[Fraction]) -> str | None:
        """Return the same of a geometric mean; exact, without a root."""
        product = prod(numbers, start=Fraction(1))
        return self.how_root(product, product, len(numbers))

    def how_root(self, low: Fraction, high: Fraction, degree: int) -> str | None:
        """Return the same of a root, where all that is known of what it is the root of is that it is between two."""

        def covers(interval: tuple[Fraction, Fraction]) -> bool:
            least, most = interval
            return max(least, Fraction(0)) ** degree <= high and low <= most**degree

        if not self.printed.rough and covers(self.printed.interval):
            return ROUNDS
        if self.within is not None and covers(self.within.interval(self.printed)):
            return f"within {self.within.said(self.printed)}"
        return None

    def shown(self, number: Fraction, how: str | None, unit: str = "") -> str:
        """Return a number in a few more digits than are printed, and how it agrees where that is not by rounding."""
        text = self.printed.beside(number, self.printed.agrees(number))
        return " ".join(filter(None, [text, unit, f"({how})" if how else ""]))

    def why_not(self, number: Fraction) -> str:
        """Return why a number does not agree."""
        if self.within is None:
            return "does not round to what is printed"
        off = number / Fraction(self.printed) - 1 if self.printed else number
        away = f"{abs(float(off)):.2%} {'above' if off > 0 else 'below'} it"
        what = "what was read off" if self.printed.rough else "what is printed, nor rounds to it"
        return f"not within {self.within.text} of {what}: {away}"
