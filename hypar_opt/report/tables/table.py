"""What a table is, whatever it is written as."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal, TypeAlias

Value: TypeAlias = "int | Fraction | float | str | Mapping[str, Any] | tuple[str, ...] | None"
"""Exact where it can be; unknown is None, never a made-up number."""
Audience: TypeAlias = Literal["data", "people"]
"""Whom a format is for: machines get exact values, people what is shown of them."""
DATA: Final = ("data",)
PEOPLE: Final = ("people",)
OF_DATA: Final = ("csv", "json")
"""Formats that are for machines; all others are for people unless they say otherwise."""


@dataclass(frozen=True)
class Column:
    """One column.

    Parameters
    ----------
    key
        Its name in CSV and JSON, and in the rows.
    heading
        Its name where people read it.
    unit
        Of what is shown, after division by `scale`; nothing for text and counts.
    scale
        How many of the value's unit make one of the shown: 10**9 for bytes shown as GB.
    digits
        Significant digits shown; None for all of a text or a count.
    best
        Which of a column's numbers is the best, where one is.
    group
        What it says together with its neighbours of the same group: a heading above theirs.
    notes
        Footnotes of the whole column.
    code
        Whether it is something to be typed: a command, an identifier.
    width
        The share of a printed line that its texts are folded to; None for as wide as its longest.
    formats
        Which of them have it: audiences, or names of formats.
    align
        Its side in the terminal; None for right where it has numbers, else left.
    """

    key: str
    heading: str
    unit: str = ""
    scale: Fraction | int = 1
    digits: int | None = None
    best: Literal["least", "most"] | None = None
    group: str = ""
    notes: tuple[str, ...] = ()
    code: bool = False
    width: float | None = None
    formats: tuple[str, ...] = DATA + PEOPLE
    align: Literal["left", "right"] | None = None


@dataclass(frozen=True)
class Entry:
    """One cell.

    Parameters
    ----------
    value
        For machines.
    text
        For people, where the column's own way to show the value does not do.
    best
        Whether it is the best of those it is compared with.
    notes
        Footnotes: why it cannot be compared, what it rests on.
    mark
        A sign behind what is shown, which a note of the table explains: `*` for what is proven.
    comparable
        Whether it takes part when the best is looked for.
    """

    value: Value
    text: str | None = None
    best: bool = False
    notes: tuple[str, ...] = ()
    mark: str = ""
    comparable: bool = True


@dataclass(frozen=True)
class Table:
    """Columns, and rows with an entry for every column.

    Parameters
    ----------
    name
        Of its files; letters, digits and hyphens.
    title
        A line.
    columns
        In order.
    rows
        Entries by the columns' keys.
    notes
        What is said of the table as a whole.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Entry], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        keys = [column.key for column in self.columns]
        for position, row in enumerate(self.rows):
            if list(row) != keys:
                raise ValueError(f"row {position} of {self.name} has {', '.join(row)}, expected {', '.join(keys)}")

    def columns_of(self, wanted: str, audience: Audience | None = None) -> tuple[Column, ...]:
        """Return the columns that a format has; whom it is for follows from its name where that is not said."""
        named = {wanted, audience or ("data" if wanted in OF_DATA else "people")}
        return tuple(column for column in self.columns if named.intersection(column.formats))

    def is_numeric(self, column: Column) -> bool:
        """Return whether a column has numbers, shown as its description says, and nothing else but gaps."""
        known = [entry for entry in (row[column.key] for row in self.rows) if entry.value is not None]
        return bool(known) and all(isinstance(one.value, int | Fraction | float) and one.text is None for one in known)


def label(name: str) -> str:
    """Return a name as labels of tables can have it: letters, digits and hyphens."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "unnamed"


def entry_rows(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> tuple[dict[str, Entry], ...]:
    """Return rows by the columns' keys.

    Parameters
    ----------
    rows
        A value a column, in their order; an entry where there is more to say than a value.
    """
    return tuple(
        {one.key: value if isinstance(value, Entry) else Entry(value) for one, value in zip(columns, row, strict=True)}
        for row in rows
    )


def text_table(
    rows: Sequence[Mapping[str, str | int]], right: Container[str] | None = None, headings: Sequence[str] = ()
) -> Table:
    """Return a table of texts, as they are.

    Parameters
    ----------
    rows
        By heading; all have the same.
    right
        The headings of columns that stand on the right in the terminal; None for those whose first entry is a number.
    headings
        Where there may be no row.
    """
    first = rows[0] if rows else dict.fromkeys(headings, "")
    sides = {key: key in right if right is not None else isinstance(value, int) for key, value in first.items()}
    columns = tuple(Column(key, key, align="right" if side else "left") for key, side in sides.items())
    return Table("", "", columns, tuple({key: Entry(value) for key, value in row.items()} for row in rows))
