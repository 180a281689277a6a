"""Exact numbers as text."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hypar_opt.util.surd import Surd, fraction_near

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def exact(value: int | Fraction | None) -> int | str | None:
    """Return an integer where the value is one, else the exact decimal (or fraction, or root) as text."""
    if value is None:
        return None
    if isinstance(value, Surd):
        return str(value)
    if value.denominator == 1:
        return value.numerator
    places = 0
    while (10**places) % value.denominator:
        places += 1
        if places > 40:
            return str(value)
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def in_full(count: int | Fraction | None) -> str:
    """Return a count with all its digits, in groups of three."""
    text = str(exact(count))
    if count is None:
        return "nothing"
    if isinstance(count, Surd):
        return text
    number, dot, rest = text.partition(".")
    sign = "-" if number == "-0" else ""  # which the integer 0 has not
    return f"{sign}{int(number):,}{dot}{rest}" if "/" not in text else text


SMALLEST, LARGEST = -5, 12
"""Powers of ten outside which numbers are written as 1.234e-07."""


def number(value: Fraction | int, digits: int | None = None) -> str:
    """Return a number in decimal: with so many significant digits, or all that it has.

    Trailing zeros are digits too, and are kept. What lies half-way goes to the even digit. A fraction that no decimal
    ends is written as one where all digits are asked for.
    """
    if digits is None:
        return in_full(value)
    value = fraction_near(value)
    if not value:
        return "0"
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    found = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    power = found.adjusted()
    if SMALLEST <= power < LARGEST:
        return f"{found:,.{max(digits - 1 - power, 0)}f}"
    return f"{found.scaleb(-power):.{digits - 1}f}e{power:+03d}"


def exponent(size: Fraction) -> int:
    """Return the power of ten of a positive number's first digit, exactly."""
    power = len(str(size.numerator)) - len(str(size.denominator))
    return power if Fraction(10) ** power <= size else power - 1


DIGITS: Final = 3
"""Significant digits of a percentage."""
LEAST: Final = Fraction(1, 10**5)
"""The least share that is written in digits."""


def decimal(value: Fraction | int, digits: int = DIGITS) -> str:
    """Return a number with so many significant digits, without zeros at the end."""
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(part: Fraction | float, digits: int = DIGITS) -> str:
    """Return a share in per cent: 0 and 100 only where it is that, never as a power of ten.

    Parameters
    ----------
    digits
        Significant digits, without zeros at the end.
    """
    size = abs(fraction_near(part))
    sign = "-" if part < 0 else ""
    if 0 < size < LEAST:
        return f"{sign}<{decimal(100 * LEAST, digits)} %"
    shown = decimal(100 * size, digits)
    if shown == "100" and size != 1:
        return f"{sign}>99.9 %" if size < 1 else f"{sign}>100 %"
    return f"{sign}{shown} %"


def above(cost: Fraction | int, bound: Fraction | int) -> str:
    """Return what stands between a cost and its bound: `12 % above`, from twice the bound on `2.5 times`."""
    cost, bound = fraction_near(cost), fraction_near(bound)
    if bound > 0:
        ratio = cost / bound
        return f"{percent(ratio - 1)} above" if ratio < 2 else f"{decimal(ratio)} times"
    more = (cost - bound) / -bound if bound else None
    return f"{percent(more)} above" if more is not None and more <= 1 else "above"


MOST_DIGITS: Final = 15
"""Digits up to which an amount that is not whole is written in full."""
ROUNDED: Final = 10
"""Significant digits of one that has more."""


def amount(value: int | Fraction | None, unit: str = "", digits: int = ROUNDED) -> str:
    """Return a number with its unit: in full where that is short or whole, else as `about 0.3333333333 s`.

    Parameters
    ----------
    digits
        Significant digits of one that is too long to be written in full.
    """
    text = in_full(value)
    if value is not None and not is_whole(value) and ("/" in text or sum(map(str.isdigit, text)) > MOST_DIGITS):
        text = f"about {decimal(value, digits)}"
    return f"{text} {unit}" if unit and value is not None else text


def is_whole(value: int | Fraction) -> bool:
    """Return whether a number is an integer."""
    return not isinstance(value, Surd) and value.denominator == 1


def amounts_apart(one: int | Fraction, other: int | Fraction, unit: str = "") -> tuple[str, str]:
    """Return two numbers with their unit, with so many digits that they differ if the numbers do."""
    digits = digits_apart((one, other), lambda value, most: amount(value, unit, most), ROUNDED)
    return amount(one, unit, digits), amount(other, unit, digits)


def digits_apart(
    values: Sequence[int | Fraction], shown: Callable[[int | Fraction, int], str], least: int = DIGITS
) -> int:
    """Return how many significant digits show that neighbours differ: the least number at which no two look alike.

    Parameters
    ----------
    values
        In the order in which they are read; of those that are equal one is looked at.
    shown
        What is read of a value with so many digits.
    least
        Digits that suffice where nothing looks alike.
    """
    pairs = [(one, other) for one, other in pairwise(values) if one != other]
    digits = least
    while any(shown(one, digits) == shown(other, digits) for one, other in pairs):
        digits += 1
    return digits


def counted(count: int, noun: str) -> str:
    """Return a number with what is counted: `1 link`, `2 links`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
