"""A table as people see it, before anything is escaped: texts, marks of the best, what to sort by, footnotes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Final

from hypar_opt.report.numbers import number
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from hypar_opt.report.tables.table import Column, Entry, Table


MISSING: Final = "-"
FLOAT_DIGITS: Final = 6
"""DisplayedCell of what is no exact number, where a column does not say."""


def shown(column: Column, entry: Entry) -> str:
    """Return what people read of an entry, without its mark and notes; `-` for what is unknown."""
    value = entry.value
    if entry.text is not None:
        return entry.text
    if value is None or (isinstance(value, float) and not isfinite(value)):
        return MISSING
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value)
    if isinstance(value, tuple):
        return ", ".join(value)
    digits = FLOAT_DIGITS if column.digits is None and isinstance(value, float) else column.digits
    return number(exact_number(value) / column.scale, digits)


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
    headings = tuple(
        Heading(one.heading, one.unit, one.group, _numbered(one.notes, numbers), table.is_numeric(one), one.code)
        for one in columns
    )
    rows = tuple(tuple(_cell(column, row[column.key], numbers) for column in columns) for row in table.rows)
    return Displayed(headings, rows, tuple(numbers))


def _cell(column: Column, entry: Entry, numbers: dict[str, int]) -> DisplayedCell:
    text, value = shown(column, entry), entry.value
    sort = float(value) if isinstance(value, int | Fraction | float) else None if value is None else text
    code = column.code and value is not None
    return DisplayedCell(text, entry.mark, sort, entry.best, _numbered(entry.notes, numbers), code)


def _numbered(notes: Iterable[str], numbers: dict[str, int]) -> tuple[int, ...]:
    """Return the notes' numbers, new ones for those that were not there yet."""
    return tuple(sorted({numbers.setdefault(note, len(numbers) + 1) for note in notes}))


UNSEEN: Final = "not the best: differs in digits that are not shown"


def best_in_rows(table: Table) -> Table:
    """Mark the best of each row, among its columns that have a best."""
    columns = [column for column in table.columns if column.best]
    keys = [column.key for column in columns]
    marked = (_marked(columns, [row[key] for key in keys]) for row in table.rows)
    rows = [{**row, **dict(zip(keys, new, strict=True))} for row, new in zip(table.rows, marked, strict=True)]
    return replace(table, rows=tuple(rows))


def best_in_columns(table: Table) -> Table:
    """Mark the best of each column that has a best."""
    rows = [dict(row) for row in table.rows]
    for column in table.columns:
        marked = _marked([column] * len(rows), [row[column.key] for row in rows]) if column.best else ()
        for row, entry in zip(rows, marked, strict=False):
            row[column.key] = entry
    return replace(table, rows=tuple(rows))


def _marked(columns: Sequence[Column], entries: Sequence[Entry]) -> list[Entry]:
    """Mark the least, or most, of at least two that can be compared, by their exact values, and all that equal it.

    Whatever looks the same and is not gets a note.
    """
    values = [_comparable(entry) for entry in entries]
    found = [value for value in values if value is not None]
    if len(found) < 2:
        return list(entries)
    best = max(found) if columns[0].best == "most" else min(found)
    texts = [shown(column, entry) for column, entry in zip(columns, entries, strict=True)]
    of_best = {text for text, value in zip(texts, values, strict=True) if value == best}

    def marked(entry: Entry, value: Fraction | None, text: str) -> Entry:
        if value == best:
            return replace(entry, best=True)
        unseen = value is not None and text in of_best
        return replace(entry, notes=(*entry.notes, UNSEEN)) if unseen else entry

    return list(map(marked, entries, values, texts))


def _comparable(entry: Entry) -> Fraction | None:
    if not entry.comparable or not isinstance(entry.value, int | Fraction | float):
        return None
    return exact_number(entry.value) if isfinite(entry.value) else None


def notes_lifted(table: Table) -> Table:
    """Move what is said of every entry of a column to the column itself; what is not there has nothing to say it of."""
    columns, rows = list(table.columns), [dict(row) for row in table.rows]
    for position, column in enumerate(columns):
        entries = [entry for entry in (row[column.key] for row in rows) if (entry.value, entry.text) != (None, None)]
        common = [note for note in (entries[0].notes if entries else ()) if all(note in e.notes for e in entries)]
        columns[position] = replace(column, notes=(*column.notes, *common))
        for row in rows:
            entry = row[column.key]
            row[column.key] = replace(entry, notes=tuple(note for note in entry.notes if note not in common))
    return replace(table, columns=tuple(columns), rows=tuple(rows))
