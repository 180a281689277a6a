"""What templates ask of a table: which columns are numbers, what a cell is sorted by, its footnotes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

    from hypar_opt.report.tables import Column, Entry, Table

LONG = 60
"""Characters from which on a text gets a column's width, and breaks."""
LAST = "1e999"
"""What sorts behind every number."""


def numeric(table: Table) -> frozenset[str]:
    """Return the keys of the columns of numbers: all that is known of them is one, and something is."""
    return frozenset(column.key for column in table.columns if _of_numbers(table, column.key))


def _of_numbers(table: Table, key: str) -> bool:
    known = [row[key].value for row in table.rows if row[key].value is not None]
    return bool(known) and all(isinstance(value, int | float | Fraction) for value in known)


def footnotes(table: Table) -> list[str]:
    """Return the notes of all cells, each once, in the order in which they are met."""
    return list(dict.fromkeys(note for row in table.rows for one in row.values() for note in one.notes))


def cell_attributes(one: Entry, number: bool, rich: bool) -> Markup:
    """Return a cell's classes and, where it can be sorted, its number; what is unknown stands behind all numbers."""
    from markupsafe import Markup

    long = isinstance(one.value, str) and len(one.value) > LONG
    classes = [name for name, holds in (("number", number), ("best", one.best), ("long", long)) if holds]
    found = Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")
    if rich and number:
        found += Markup(' data-order="{}"').format(LAST if one.value is None else repr(float(one.value)))
    return found


def displayed(column: Column, one: Entry) -> str:
    """Return what people see of a cell: its own text, or its value in the column's unit and digits."""
    if one.text is not None:
        return one.text
    if one.value is None:
        return "–"
    if isinstance(one.value, str):
        return one.value
    if column.digits is None and column.scale == 1 and isinstance(one.value, int):
        return f"{one.value:,}"
    return f"{float(one.value) / float(column.scale):.{column.digits or 6}g}"
