"""What a table is, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Value: TypeAlias = "int | Fraction | float | str | None"
"""Exact where it can be; unknown is None, never a made-up number."""


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
    """

    key: str
    heading: str
    unit: str = ""
    scale: Fraction | int = 1
    digits: int | None = None
    best: Literal["least", "most"] | None = None


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
    """

    value: Value
    text: str | None = None
    best: bool = False
    notes: tuple[str, ...] = ()


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
