"""Sums in tables of rounded numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.displayed import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.tables.table import Column, Entry

DIGITS: Final = 4
"""Of bytes that people read in a table."""
ROUNDED: Final = f"Sums are of exact bytes: rounded to {DIGITS} digits, the numbers need not add up to the digit"
"""What is said of a table in which those that are shown do not."""


def sums_note(columns: Sequence[Column], rows: Sequence[Mapping[str, Entry]]) -> tuple[str, ...]:
    """Return a note unless the numbers as they are shown sum to the last row, and each row's to the last column.

    Parameters
    ----------
    columns
        Those of numbers.
    rows
        With what all come to in the last one.
    """
    texts = [[shown(column, row[column.key]) for column in columns] for row in rows]
    numbers = [[Fraction(text.replace(",", "")) for text in row] for row in texts]
    lines = [*numbers, *([row[at] for row in numbers] for at in range(len(columns)))]
    return () if all(sum(parts) == whole for *parts, whole in lines if parts) else (ROUNDED,)
