"""The kinds of fields that claims files are made of."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Self, TypeAlias

from pydantic import AfterValidator, Field, PlainValidator

from hypar_opt.instance.exact import decimal
from hypar_opt.instance.fields import refusal
from hypar_opt.instance.wording import shown

LONGEST_TEXT = 2000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_DECIMAL = re.compile(r"(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


class PrintedNumber(Decimal):
    """A number with its digits, 2.00 is not 2, which is shown as it is printed: 1.9e2 is not 1.9E+2."""

    text: str

    def __new__(cls, text: str) -> Self:
        """Return the number that a text spells."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def _printed(value: object) -> PrintedNumber:
    text = _written(value) if type(value) is int or isinstance(value, Decimal) else value
    if not isinstance(text, str) or not _DECIMAL.fullmatch(text):
        raise refusal(f'expected a number above 0 as printed, such as "0.681", got {shown(value)}')
    try:
        number = decimal(text)  # refuses what is out of range
    except ValueError as error:
        raise refusal(str(error)) from None
    if not number:
        raise refusal(f'expected a number above 0 as printed, such as "0.681", got {shown(value)}')
    return PrintedNumber(text)


def _written(number: int | Decimal) -> str:
    """Return how a number that stands in a file without quotes may be written there."""
    shifted = isinstance(number, Decimal) and int(number.as_tuple().exponent) > 0
    return str(number).replace("E+", "e") if shifted else format(number, "f" if isinstance(number, Decimal) else "d")


def _one_line(text: str) -> str:
    """Return a text without line breaks, which folding put there."""
    line = " ".join(text.split())
    if not line.isprintable():
        raise refusal(f"expected text without control characters, got {shown(line)}")
    if not line:
        raise refusal("expected text of at least 1 character, got none")
    return line


def _identifier(text: str) -> str:
    if not _ID.fullmatch(text):
        raise refusal(f"expected letters, digits, '.', '_' and '-', the first a letter or digit, got {shown(text)}")
    return text


Printed: TypeAlias = Annotated[PrintedNumber, PlainValidator(_printed)]
"""A number as a paper prints it."""
Text: TypeAlias = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_one_line)]
"""A sentence or two."""
Identifier: TypeAlias = Annotated[str, Field(max_length=100), AfterValidator(_identifier)]
"""What `--only` takes."""
