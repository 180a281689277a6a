"""The grid of layers and levels of a plan on the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rich.text import Text

from hypar_opt.instance.choices import CHOICES
from hypar_opt.report.console import fits, terminal_table
from hypar_opt.report.plan_rows import NONE, SPACED
from hypar_opt.report.tables import Column, Entry, text_table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from hypar_opt.report.plan_rows import PlanGrid

Columns: TypeAlias = "dict[str, list[str]]"
"""By heading."""
STYLES = {one.letter: one.style for one in CHOICES.values()}
MOST_ROWS: Final = 200
WORDS: Final = ("levels", "second best")
NUMBERS: Final = ("intra", "inter before", "its regret")
"""Columns of letters, and those on the right."""


def show_grid(console: Console, grid: PlanGrid) -> None:
    """Print the rows of a plan's grid: all of them where every layer has its own."""
    shown = len(grid.rows) if grid.every_row else MOST_ROWS
    _show_columns(console, grid.columns(shown))
    rest = sum(map(len, grid.rows[shown:]))
    if rest > 0:
        console.print(f"... and {rest:,} more layers; write them to a file with -o")
    if grid.note:
        console.print(grid.note)


def _show_columns(console: Console, columns: Columns) -> None:
    """Print the grid; where the terminal is too narrow, without the columns that matter least, and say so."""
    hidden = []
    for name in DISPENSABLE:
        if fits(console, table_of(columns)):
            break
        if name in columns:
            hidden.append(name)
            del columns[name]
    console.print(table_of(columns))
    if hidden:
        console.print(f"(too narrow for: {', '.join(reversed(hidden))})")


def table_of(columns: Columns) -> Table:
    """Return a table whose numbers and short words are never folded or cut."""
    options: dict[str, dict[str, Any]] = {}
    for name, cells in columns.items():
        widest = max((len(cell) for cell in (name, *cells)), default=0)
        long = name in WORDS and widest > 2 * SPACED
        least = 2 * SPACED if long else widest
        options[name] = {"no_wrap": not long, "overflow": "fold", "min_width": least}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return terminal_table(text_table(rows, NUMBERS, tuple(columns)), cell=_coloured, options=options)


def _coloured(column: Column, entry: Entry) -> Text | str:
    """Return a cell; of words each letter has its colour."""
    text = str(entry.value)
    if column.key not in WORDS or text == NONE:
        return text
    return Text.assemble(*((part, STYLES.get(part[0], "")) for part in re.findall(r"\S\s?", text)))


DISPENSABLE = ("inter before", "intra", "kind", "its regret", "second best")
"""Columns in the order in which a narrow terminal loses them."""
