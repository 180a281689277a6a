"""Numbers as they are written: integers and exact decimals, never binary floats."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, Final

from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact

INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
DECIMAL: Final = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
"""How numbers are written, in files and in options alike: what programs read differently (010, 1_000) is none."""
_MOST_CHARACTERS = 100
_MOST_DIGITS = 100
_LARGE = 10**15


def integer(text: str) -> int:
    """Return the integer that a text spells.

    Raises
    ------
    ValueError
        If it has too many digits.
    """
    _check_length(text)
    return int(text)


def decimal(text: str) -> Decimal:
    """Return the exact decimal that a text spells.

    Raises
    ------
    InvalidOperation
        If it is no number as files have them.
    ValueError
        If it is out of range; a tiny text such as 1e999999999 would make an integer of a gigabyte later.
    """
    _check_length(text)
    if not DECIMAL.fullmatch(text):
        raise InvalidOperation
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > _MOST_DIGITS:
        raise ValueError(f"a number beyond 1e{_MOST_DIGITS} or below 1e-{_MOST_DIGITS} is not allowed")
    return Decimal(text)


_RATIO = re.compile(r"[0-9]{1,200}/[0-9]{0,199}[1-9][0-9]{0,199}")


def rational(value: object) -> Fraction | None:
    """Return a number as files have it, or as it is written there, a decimal or a fraction; None for anything else.

    Raises
    ------
    InvalidOperation, ValueError, OverflowError
        If a text spells none, or one that is out of range.
    """
    if isinstance(value, str):
        return Fraction(value) if _RATIO.fullmatch(value) else Fraction(decimal(value))
    if isinstance(value, int | Decimal | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    return None


def fraction(number: Decimal | None) -> Fraction | None:
    """Return a decimal as a fraction, if there is one."""
    return None if number is None else Fraction(number)


def plain(value: Any) -> Any:
    """Return data as the standard JSON writer takes it: decimals as integers, or as floats that print the same.

    Raises
    ------
    ValueError
        If a decimal has more digits than a float can carry.
    """
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if not isinstance(value, Decimal):
        return value
    if not value.is_finite():
        raise ValueError(f"expected a finite number, got {value}")
    if value == int(value) and abs(value) < _LARGE:
        return int(value)
    if Decimal(repr(float(value))) != value:
        raise ValueError(f"expected a number of at most 15 digits, got {str(value)[:40]}")
    return float(value)


def as_in_files(value: Any) -> Any:
    """Return data of a Python program as files give them: integers, decimals for floats and fractions; NumPy's too."""
    if isinstance(value, Mapping):
        return {key: as_in_files(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_in_files(inner) for inner in value]
    return value if isinstance(value, bool | int | Decimal) else _exact_number(value)


def fields_of(document: object) -> Any:
    """Return the fields of an instance that a Python program gives, as files give them.

    Raises
    ------
    InputError
        If it is no mapping.
    """
    if not isinstance(document, Mapping):
        raise InputError(f"expected a mapping with an instance's fields, got a {type(document).__name__}")
    return as_in_files(document)


def _exact_number(value: Any) -> Any:
    """Return a number of another type as an integer or a decimal, where it is one; all else as it is."""
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Fraction):  # costs are such, and those that are decimals may be said again
        text = str(exact(value))
        return value if "/" in text else Decimal(text)
    return Decimal(str(value)) if isinstance(value, Real) and not isinstance(value, Rational) else value


def _check_length(text: str) -> None:
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a number of more than {_MOST_CHARACTERS} characters is not allowed")
