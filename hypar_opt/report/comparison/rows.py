"""Which problems are compared: what their rows are called, and which of their columns are needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables import Column, Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.comparing import Cell

PROBLEM: Final = ("instance", "accounting", "batch", "levels")
"""The columns that say which problem a row is."""
OTHER: Final = ("accounting", "batch", "levels", "objective")
"""What a problem has beside its name."""
OTHER_ACCOUNTING: Final = "another accounting than the first row's: costs are comparable within a row only"


def first_cells(cells: Sequence[Cell]) -> list[Cell]:
    """Return the first cell of every row."""
    found: dict[int, Cell] = {}
    for cell in cells:
        found.setdefault(cell.row, cell)
    return list(found.values())


def labels(cells: Sequence[Cell], by: Sequence[str] = PROBLEM) -> list[str]:
    """Return a name for every row: the instance's; those that are the same by all this are told apart by position."""
    keys = [tuple(getattr(cell, name) for name in by) for cell in cells]
    twice = [keys.count(key) > 1 for key in keys]
    taken = {cell.instance for cell, again in zip(cells, twice, strict=True) if not again}
    found = []
    for cell, again in zip(cells, twice, strict=True):
        label = f"{cell.instance} #{cell.row + 1}" if again else cell.instance
        while again and label in taken:
            label += "'"  # that is the name of another
        taken.add(label)
        found.append(label)
    return found


def problem_columns(cells: Sequence[Cell]) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Return the columns in which rows differ, and a note of what is the same in all."""
    same = [name for name in OTHER if len({getattr(cell, name) for cell in cells}) == 1]
    columns = tuple(Column(name, name) for name in ("instance", *(one for one in OTHER if one not in same)))
    said = ", ".join(f"{name} {getattr(cells[0], name)}" for name in same if getattr(cells[0], name) is not None)
    return columns, (f"All rows: {said}",) if said else ()


def problem_entries(cell: Cell, label: str, columns: Sequence[Column], first: Cell) -> dict[str, Entry]:
    """Return what a row says of its problem; costs of another accounting than the first row's are another matter."""
    other = (OTHER_ACCOUNTING,) if cell.accounting != first.accounting else ()
    notes = {"accounting": other}
    found = {column.key: Entry(getattr(cell, column.key), notes=notes.get(column.key, ())) for column in columns}
    return found | {"instance": Entry(label)}
