"""Networks x arrays on the terminal: how long communication takes, for equal links and for equal bandwidth in all."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.report.across_arrays.paper import ASSUMPTIONS, firsts
from hypar_opt.report.comparison.notes import instead, mark, unbuildable_legend, unbuildable_mark
from hypar_opt.report.numbers import in_si

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pandas import DataFrame
    from rich.console import Console
    from rich.table import Table

    from hypar_opt.comparing_arrays import ArrayCell

LEGEND = (
    "seconds of communication of the best plan and placement, and how many times the first array's they are; "
    "* both are proven to be the best; + the placement alone is; - declined, or links that differ"
)


def grid(cells: Sequence[ArrayCell], scaled: Callable[[ArrayCell, ArrayCell], Fraction | None]) -> DataFrame:
    """Return instances x arrays as text, the geometric means of the ratios below."""
    import pandas as pd

    first = firsts(cells)
    arrays = list(dict.fromkeys(cell.array for cell in cells))
    found: dict[int, dict[str, str]] = {}
    ratios: dict[str, list[float]] = {array: [] for array in arrays}
    for cell in cells:
        one = first[cell.row]
        seconds = scaled(cell, one)
        if seconds is not None and one.time:
            ratios[cell.array].append(float(seconds / one.time))
        found.setdefault(cell.row, {})[cell.array] = _text(cell, seconds, one.time)
    names = {cell.row: cell.instance for cell in cells}
    rows = [{"instance": names[i]} | {array: row.get(array, "") for array in arrays} for i, row in found.items()]
    means = {array: _mean(numbers, len(found)) for array, numbers in ratios.items()}
    return pd.DataFrame([*rows, {"instance": "geometric mean"} | means])


def _text(cell: ArrayCell, seconds: Fraction | None, first: Fraction | None) -> str:
    if seconds is None:
        word = instead(cell.plan)
        return f"{word}{mark(cell.plan)}{unbuildable_mark(cell.plan)}" if word else "-"
    ratio = f" ({float(seconds / first):.3g})" if first else ""
    return f"{in_si(float(seconds), 's')}{mark(cell.plan)}{unbuildable_mark(cell.plan)}{ratio}"


def _mean(numbers: Sequence[float], expected: int) -> str:
    return f"({prod(numbers) ** (1 / len(numbers)):.3g})" if numbers and len(numbers) == expected else ""


def show(console: Console, cells: Sequence[ArrayCell]) -> None:
    """Print a table for each assumption."""
    if not cells:
        console.print("nothing was solved before the stop")
        return
    for _, title, scaled in ASSUMPTIONS:
        console.print(f"\n{title}:")
        console.print(_table(grid(cells, scaled)))
    console.print(LEGEND + unbuildable_legend(cell.plan for cell in cells))
    for line in dict.fromkeys(f"{cell.array}: {cell.refusal}" for cell in cells if cell.refusal):
        console.print(line)


def _table(frame: DataFrame) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in frame.columns:
        table.add_column(str(name), justify="left" if name == "instance" else "right")
    for values in frame.itertuples(index=False):
        table.add_row(*map(str, values))
    return table
