"""Exact numbers as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


def exact(value: int | Fraction | None) -> int | str | None:
    """Return an integer where the value is one, else the exact decimal (or fraction) as text."""
    if value is None:
        return None
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
    number, dot, rest = text.partition(".")
    sign = "-" if number == "-0" else ""  # which the integer 0 has not
    return f"{sign}{int(number):,}{dot}{rest}" if "/" not in text else text
