"""A table as people see it, before anything is escaped: texts, what to sort by, and numbered footnotes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Final

from hypar_opt.report.numbers import number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.report.tables.table import Column, Entry, Table


MISSING: Final = "-"
FLOAT_DIGITS: Final = 6
"""DisplayedCell of what is no exact number, where a column does not say."""


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


@dataclass(frozen=True)
class Heading:
    """The head of a column.

    Parameters
    ----------
    text, unit, group
        As the column has them.
    notes
        Numbers of its footnotes.
    numeric
        Whether numbers stand below it.
    code
        Whether what stands below it is to be typed.
    """

    text: str
    unit: str
    group: str
    notes: tuple[int, ...]
    numeric: bool
    code: bool

    @property
    def in_full(self) -> str:
        """With the unit in brackets."""
        return f"{self.text} ({self.unit})" if self.unit else self.text


@dataclass(frozen=True)
class DisplayedCell:
    """A cell.

    Parameters
    ----------
    text
        Without its mark.
    mark
        A sign behind it, or nothing.
    sort
        What rows are sorted by: a number, or the text where there is none; None for what is unknown.
    best
        Whether it is the best of those it is compared with.
    notes
        Numbers of its footnotes.
    code
        Whether it is to be typed.
    """

    text: str
    mark: str
    sort: float | str | None
    best: bool
    notes: tuple[int, ...]
    code: bool


@dataclass(frozen=True)
class Displayed:
    """A table to be read.

    Parameters
    ----------
    headings
        A column each.
    rows
        A cell a column.
    footnotes
        The first is number 1.
    """

    headings: tuple[Heading, ...]
    rows: tuple[tuple[DisplayedCell, ...], ...]
    footnotes: tuple[str, ...]


def displayed(table: Table, wanted: str = "page") -> Displayed:
    """Return what a format shows of a table; notes that say the same have one number, in the order of reading."""
    columns = table.columns_of(wanted)
    numbers: dict[str, int] = {}
    headings = tuple(_heading(table, column, _numbered(column.notes, numbers)) for column in columns)
    rows = tuple(tuple(_cell(column, row[column.key], numbers) for column in columns) for row in table.rows)
    return Displayed(headings, rows, tuple(numbers))


def _heading(table: Table, column: Column, notes: tuple[int, ...]) -> Heading:
    return Heading(column.heading, column.unit, column.group, notes, table.is_numeric(column), column.code)


def _cell(column: Column, entry: Entry, numbers: dict[str, int]) -> DisplayedCell:
    text = shown(column, entry)
    code = column.code and entry.value is not None
    return DisplayedCell(text, entry.mark, _sort(entry, text), entry.best, _numbered(entry.notes, numbers), code)


def _numbered(notes: Iterable[str], numbers: dict[str, int]) -> tuple[int, ...]:
    """Return the notes' numbers, new ones for those that were not there yet."""
    return tuple(sorted({numbers.setdefault(note, len(numbers) + 1) for note in notes}))


def _sort(entry: Entry, text: str) -> float | str | None:
    if isinstance(entry.value, int | Fraction | float):
        return float(entry.value)
    return None if entry.value is None else text
