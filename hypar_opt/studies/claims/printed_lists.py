"""Numbers that a claim is computed from: printed ones, of which digits count, and counts, which are exact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

from pydantic import BeforeValidator, Field, PlainValidator

from hypar_opt.instance.fields import refusal
from hypar_opt.instance.text import shown
from hypar_opt.studies.claims.printed import PrintedNumber, as_printed

MOST_NUMBERS: Final = 1000
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_EXPECTED: Final = 'a number as printed, such as "0.681" or "-0.05"'


def _signed(value: object) -> PrintedNumber:
    """Take a number as printed: of either sign, or 0."""
    if isinstance(value, str) and value.startswith("-"):
        return PrintedNumber(f"-{as_printed(value.removeprefix('-'), _EXPECTED, value).text}")
    return as_printed(value, _EXPECTED, value)


def _as_list(value: object) -> object:
    """Take one number as a list of one."""
    return value if isinstance(value, list | tuple) else [value]


def _name(value: object) -> str:
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise refusal(f"expected a name of letters, digits and _, the first a letter, got {shown(value)}")
    return value


Signed: TypeAlias = Annotated[PrintedNumber, PlainValidator(_signed)]
"""A number as a source prints it, of either sign, or 0."""
Several: TypeAlias = Annotated[
    tuple[Signed, ...], Field(strict=False, min_length=1, max_length=MOST_NUMBERS), BeforeValidator(_as_list)
]
"""One such, or a list of them."""
Counts: TypeAlias = Annotated[
    tuple[int, ...], Field(strict=False, min_length=1, max_length=MOST_NUMBERS), BeforeValidator(_as_list)
]
"""The same of whole numbers that are exact, as a batch or a number of processes is."""
if TYPE_CHECKING:
    Variable: TypeAlias = str
else:
    Variable = Annotated[str, PlainValidator(_name)]
