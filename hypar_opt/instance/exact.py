"""Numbers as they are written: integers and exact decimals, never binary floats."""

from __future__ import annotations

from decimal import Decimal

_MOST_CHARACTERS = 100
_MOST_DIGITS = 100


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
    ValueError
        If it is out of range; a tiny text such as 1e999999999 would make an integer of a gigabyte later.
    """
    _check_length(text)
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > _MOST_DIGITS:
        raise ValueError(f"a number beyond 1e{_MOST_DIGITS} or below 1e-{_MOST_DIGITS} is not allowed")
    return Decimal(text)


def _check_length(text: str) -> None:
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a number of more than {_MOST_CHARACTERS} characters is not allowed")
