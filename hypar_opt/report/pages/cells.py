"""What a table's markup says of a cell beside its text: classes, and what it is sorted by."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markupsafe import Markup

    from hypar_opt.report.tables import Displayed, Heading, Shown

LONG: Final = 60
"""Characters from which on a text gets a column's width, and breaks."""
LAST: Final = "1e999"
"""What sorts behind every number."""


def groups(table: Displayed) -> list[tuple[str, int]]:
    """Return the headings above the headings, each with how many columns it stands over; none where there is none."""
    found = [(name, len(list(headings))) for name, headings in groupby(table.headings, key=lambda one: one.group)]
    return found if any(name for name, _ in found) else []


def cell_attributes(heading: Heading, cell: Shown, rich: bool) -> Markup:
    """Return a cell's classes and, where it can be sorted and filtered, by what.

    What is unknown stands behind all numbers; marks and notes are not searched.
    """
    from markupsafe import Markup

    known = isinstance(cell.sort, float)
    marks = (("number", rich and (heading.numeric or known)), ("best", cell.best), ("long", len(cell.text) > LONG))
    classes = [name for name, holds in marks if holds]
    found = Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")
    if rich and (known or cell.sort is None):
        found += Markup(' data-order="{}"').format(repr(cell.sort) if known else LAST)
    if rich and (cell.notes or cell.best or cell.mark):
        found += Markup(' data-search="{}"').format(cell.text)
    return found


def sorts_by_number(table: Displayed, at: int) -> bool:
    """Return whether a column is sorted by numbers: all that is known in it is one."""
    known = [row[at].sort for row in table.rows if row[at].sort is not None]
    return bool(known) and all(isinstance(one, float) for one in known)


def number_columns(table: Displayed) -> str:
    """Return a class for every column of numbers: a class for every cell would be half of a page."""
    return " ".join(f"n{at + 1}" for at in range(len(table.headings)) if sorts_by_number(table, at))
