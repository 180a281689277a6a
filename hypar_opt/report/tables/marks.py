"""What is marked in a table: the best, and what is said of a whole column."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.displayed import shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from hypar_opt.report.tables.table import Column, Entry, Table

UNSEEN: Final = "not the best: differs in digits that are not shown"


def best_in_rows(table: Table) -> Table:
    """Mark the best of each row, among its columns that have a best."""
    columns = [column for column in table.columns if column.best]
    rows = []
    for row in table.rows:
        marked = _marked(columns, [row[column.key] for column in columns])
        new = {column.key: entry for column, entry in zip(columns, marked, strict=True)}
        rows.append({key: new.get(key, entry) for key, entry in row.items()})
    return replace(table, rows=tuple(rows))


def best_in_columns(table: Table) -> Table:
    """Mark the best of each column that has a best."""
    found = {
        column.key: _marked([column] * len(table.rows), [row[column.key] for row in table.rows])
        for column in table.columns
        if column.best
    }
    rows = [
        {key: found[key][position] if key in found else entry for key, entry in row.items()}
        for position, row in enumerate(table.rows)
    ]
    return replace(table, rows=tuple(rows))


def _marked(columns: Sequence[Column], entries: Sequence[Entry]) -> list[Entry]:
    """Mark the least, or most, of at least two that can be compared, by their exact values, and all that equal it.

    Whatever looks the same and is not gets a note.
    """
    pairs = list(zip(columns, entries, strict=True))
    values = [_comparable(entry) for entry in entries]
    found = [value for value in values if value is not None]
    if len(found) < 2:
        return list(entries)
    best = _best(found, columns[0].best)
    texts = {shown(*pair) for pair, value in zip(pairs, values, strict=True) if value == best}
    return [_with_mark(pair, value, best, texts) for pair, value in zip(pairs, values, strict=True)]


def _best(values: Sequence[Fraction], which: Literal["least", "most"] | None) -> Fraction:
    return max(values) if which == "most" else min(values)


def _with_mark(pair: tuple[Column, Entry], value: Fraction | None, best: Fraction, texts: set[str]) -> Entry:
    entry = pair[1]
    if value is None:
        return entry
    if value == best:
        return replace(entry, best=True)
    return replace(entry, notes=(*entry.notes, UNSEEN)) if shown(*pair) in texts else entry


def _comparable(entry: Entry) -> Fraction | None:
    if not entry.comparable or not isinstance(entry.value, int | Fraction | float):
        return None
    return Fraction(entry.value) if isfinite(entry.value) else None


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
