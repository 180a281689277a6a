"""How an entry is shown: exact rounding to significant digits, groups of three, units of a suitable size."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.tables.table import Column, Entry

MISSING: Final = "-"
SMALLEST, LARGEST = -5, 12
"""Powers of ten outside which numbers are written as 1.234e-07."""
FLOAT_DIGITS = 6
"""Shown of what is no exact number, where a column does not say."""
PREFIXES: Final = ((12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "µ"), (-9, "n"), (-12, "p"))


def shown(column: Column, entry: Entry) -> str:
    """Return what people read of an entry, without its mark and notes; `-` for what is unknown."""
    value = entry.value
    if entry.text is not None:
        return entry.text
    if value is None:
        return MISSING
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, float) and not isfinite(value):
        return MISSING
    digits = FLOAT_DIGITS if column.digits is None and isinstance(value, float) else column.digits
    return number(Fraction(value) / column.scale, digits)


def number(value: Fraction | int, digits: int | None = None) -> str:
    """Return a number in decimal: with so many significant digits, or all that it has.

    Trailing zeros are digits too, and are kept. What lies half-way goes to the even digit. A fraction that no decimal
    ends is written as one where all digits are asked for.
    """
    if digits is None:
        from hypar_opt.plan_file import in_full

        return in_full(value)
    if not value:
        return "0"
    sign, size = "-" if value < 0 else "", abs(Fraction(value))
    power = exponent(size)
    counted = round(size / Fraction(10) ** (power - digits + 1))
    if counted == 10**digits:  # 9.9996 with four digits
        power, counted = power + 1, counted // 10
    return sign + _written(counted, power, digits)


def _written(counted: int, power: int, digits: int) -> str:
    if not SMALLEST <= power < LARGEST:
        text = str(counted)
        return f"{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{power:+03d}"
    places = digits - 1 - power
    if places <= 0:
        return f"{counted * 10**-places:,}"
    return f"{counted // 10**places:,}.{counted % 10**places:0{places}d}"


def exponent(size: Fraction) -> int:
    """Return the power of ten of a positive number's first digit, exactly."""
    power = len(str(size.numerator)) - len(str(size.denominator))
    return power if Fraction(10) ** power <= size else power - 1


def scaled(values: Sequence[int | Fraction], unit: str) -> tuple[int | Fraction, str]:
    """Return how many of a unit make the one in which the middle of some values is shown, and that one's name.

    Bytes and the like come in whole ones, so nothing smaller is made of them: `B`, but `ms`.
    """
    sizes = sorted(abs(Fraction(value)) for value in values if value)
    if not sizes or not unit:
        return 1, unit
    power = exponent(sizes[len(sizes) // 2])
    fitting = [one for one in PREFIXES if one[0] >= 0] if unit == "B" else PREFIXES
    exact, prefix = next((one for one in fitting if one[0] <= power), fitting[-1])
    return (10**exact if exact >= 0 else Fraction(1, 10**-exact)), f"{prefix}{unit}"
