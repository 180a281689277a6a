"""Networks x arrays as tables for papers: seconds, and how many times the first array's they are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.comparing_arrays import ArrayCell, equal_link, equal_total
from hypar_opt.report.tables import Column, Entry, Table, best_in_rows, notes_lifted, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Scaled = Callable[[ArrayCell, ArrayCell], Fraction | None]

ASSUMPTIONS: Final[tuple[tuple[str, str, Scaled], ...]] = (
    ("link", "every link as fast as the first array's (in an H tree, a leaf's)", equal_link),
    ("total", "as much link bandwidth in all as the first array has", equal_total),
)
PROVEN: Final = "*: plan and placement are proven to be the best"
NO_SPEED: Final = "links that differ have no speed in common"
MEAN: Final = "geometric mean"


def firsts(cells: Sequence[ArrayCell]) -> dict[int, ArrayCell]:
    """Return every row's cell on the first array."""
    return {cell.row: cell for cell in reversed(cells) if cell.array == cells[0].array}


def paper_tables(cells: Sequence[ArrayCell]) -> list[Table]:
    """Return two tables for each assumption: times, and ratios with their geometric means."""
    found = []
    for name, title, seconds in ASSUMPTIONS:
        found += [_times(cells, name, title, seconds), _ratios(cells, name, title, seconds)]
    return found


def _times(cells: Sequence[ArrayCell], name: str, title: str, seconds: Scaled) -> Table:
    first = firsts(cells)
    values = [value for cell in cells if (value := seconds(cell, first[cell.row])) is not None]
    scale, unit = scaled(values, "s")
    column = Column("", "", unit, scale, 4, "least", group="time of communication")

    def entry(cell: ArrayCell) -> Entry:
        value = seconds(cell, first[cell.row])
        without = (NO_SPEED,) if value is None and cell.time is not None else ()
        mark = "*" if cell.proven and value is not None else ""
        return Entry(value, mark=mark, notes=(*_notes(cell), *without))

    notes = (PROVEN, "The best of each row is in bold")
    made = _grid(cells, column, entry)
    return best_in_rows(replace(made, name=f"arrays-{name}-time", title=f"Time of communication, {title}", notes=notes))


def _ratios(cells: Sequence[ArrayCell], name: str, title: str, seconds: Scaled) -> Table:
    first = firsts(cells)
    column = Column("", "", "", 1, 3, "least", group="times the first array's time")

    def entry(cell: ArrayCell) -> Entry:
        one = first[cell.row]
        value = seconds(cell, one)
        return Entry(value / one.time if value is not None and one.time else None, notes=_notes(cell))

    made = _grid(cells, column, entry)
    mean = {one.key: Entry(MEAN) if one.key == "instance" else _mean(made, one) for one in made.columns}
    notes = ("The best of each row is in bold", "The mean is left out where a network is missing")
    whole = replace(made, name=f"arrays-{name}-ratio", title=f"Time beside the first array's, {title}", notes=notes)
    return best_in_rows(replace(whole, rows=(*whole.rows, mean)))


def _mean(table: Table, column: Column) -> Entry:
    """Return the geometric mean, in floating point: a root is no exact number."""
    ratios = [row[column.key].value for row in table.rows]
    known = [float(value) for value in ratios if isinstance(value, Fraction | int)]
    return Entry(prod(known) ** (1 / len(known)) if known and len(known) == len(ratios) else None)


def _notes(cell: ArrayCell) -> tuple[str, ...]:
    plan = cell.plan
    if plan is None:
        return (cell.refusal,) if cell.refusal else ()
    before = () if cell.proven else (f"not proven: {plan.native_status or plan.status.value}",)
    return (*before, plan.note) if plan.note else before


def _grid(cells: Sequence[ArrayCell], column: Column, entry: Callable[[ArrayCell], Entry]) -> Table:
    arrays = list(dict.fromkeys(cell.array for cell in cells))
    found: dict[int, dict[str, ArrayCell]] = {}
    for cell in cells:
        found.setdefault(cell.row, {})[cell.array] = cell
    columns = (Column("instance", "instance"), *(replace(column, key=name, heading=name) for name in arrays))
    made = [
        {"instance": Entry(next(iter(row.values())).instance)}
        | {name: entry(row[name]) if name in row else Entry(None) for name in arrays}
        for row in found.values()
    ]
    return notes_lifted(Table("", "", columns, tuple(made)))
