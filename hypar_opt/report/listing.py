"""Rows of facts on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table

from hypar_opt.report.console import fits
from hypar_opt.report.numbers import in_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

NARROWEST = 30
"""Columns that running text is given at the least."""


def show(console: Console, rows: Sequence[dict[str, Any]]) -> None:
    """Print rows; where the terminal is too narrow, without the columns to the right, and say so."""
    names = list(rows[0])
    hidden: list[str] = []
    while len(names) > 1 and not fits(console, _table(rows, names)):
        hidden.insert(0, names.pop())
    console.print(_table(rows, names))
    if hidden:
        console.print(f"(too narrow for: {', '.join(hidden)}; --json has all)")


def _table(rows: Sequence[dict[str, Any]], names: Sequence[str]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = {name: [_text(row[name]) for row in rows] for name in names}
    for name, cells in columns.items():
        text = name == "summary"
        table.add_column(
            name,
            justify="right" if isinstance(rows[0][name], int) else "left",
            no_wrap=not text,
            min_width=NARROWEST if text else max(map(len, (name, *cells))),
        )
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def _text(value: object) -> str:
    return in_count(value) if isinstance(value, int) else str(value)
