"""Networks x arrays as tables for papers: seconds, and how many times the first array's they are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log, prod
from typing import TYPE_CHECKING, Final

from hypar_opt.comparing_arrays import ArrayCell, equal_link, equal_total
from hypar_opt.report.comparison.notes import instead, mark, notes, of_placement_alone
from hypar_opt.report.tables import Column, Entry, Table, best_in_rows, notes_lifted, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Scaled = Callable[[ArrayCell, ArrayCell], Fraction | None]

ASSUMPTIONS: Final[tuple[tuple[str, str, Scaled], ...]] = (
    ("link", "every link as fast as the first array's (in an H tree, a leaf's)", equal_link),
    ("total", "as much link bandwidth in all as the first array has", equal_total),
)
PROVEN: Final = "*: proven, of plan and placement together"
PLACED: Final = "+: proven of the placement alone, for strategies that may not be the best"
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
        if value is None and cell.time is not None:
            return Entry(None, notes=(*notes(cell), NO_SPEED))
        return Entry(value, instead(cell.plan), notes=notes(cell), mark=mark(cell.plan))

    placed = any(cell.plan is not None and of_placement_alone(cell.plan) for cell in cells)
    legend = (PROVEN, *((PLACED,) if placed else ()), "The best of each row is in bold")
    made = replace(_grid(cells, column, entry), name=f"arrays-{name}-time", title=f"Time of communication, {title}")
    return best_in_rows(replace(made, notes=legend))


def _ratios(cells: Sequence[ArrayCell], name: str, title: str, seconds: Scaled) -> Table:
    first = firsts(cells)
    column = Column("", "", "", 1, 3, "least", group="times the first array's time")

    def entry(cell: ArrayCell) -> Entry:
        one = first[cell.row]
        value = seconds(cell, one)
        ratio = value / one.time if value is not None and one.time else None
        return Entry(ratio, instead(cell.plan), notes=notes(cell))

    made = _grid(cells, column, entry)
    mean = {one.key: Entry(MEAN) if one.key == "instance" else _mean(made, one) for one in made.columns}
    legend = ("The best of each row is in bold", "The mean is left out where a network is missing")
    whole = replace(made, name=f"arrays-{name}-ratio", title=f"Time beside the first array's, {title}", notes=legend)
    return best_in_rows(replace(whole, rows=(*whole.rows, mean)))


def _mean(table: Table, column: Column) -> Entry:
    """Return the geometric mean: the root is no exact number, but equal products have equal ones."""
    ratios = [row[column.key].value for row in table.rows]
    known = [value for value in ratios if isinstance(value, Fraction | int)]
    if not known or len(known) < len(ratios):
        return Entry(None)
    whole = prod(map(Fraction, known), start=Fraction(1))
    return Entry(exp((log(whole.numerator) - log(whole.denominator)) / len(known)) if whole else Fraction(0))


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
