"""The numbers of a plan's grid as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.plan_cells import PlanRows, left_out
from hypar_opt.report.charts.plan_formulas import GENERAL
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.boxes import Bytes

COLUMNS: Final = (
    Column("layer", "layer"),
    Column("level", "level"),
    Column("choice", "choice"),
    Column("intra", "intra-layer", "B"),
    Column("feature", "F read", "B"),
    Column("error", "E sent back", "B"),
    Column("total", "total", "B"),
)


def plan_table(rows: PlanRows, name: str) -> Table:
    """Return the numbers of a plan's grid: a row for every layer and level, and one for each layer over all levels."""
    entries = []
    levels = rows.named.problem.instance.levels
    for row, layer in enumerate(rows.layers):
        own = rows.cells[row * levels : (row + 1) * levels]
        for cell in own:
            entries.append(_entry(layer.name, Entry(cell.level + 1), cell.choice, cell.intra, cell.feature, cell.error))
        word = rows.named.strategies[layer.name]
        sums = sum(cell.intra for cell in own), sum(cell.feature for cell in own), sum(cell.error for cell in own)
        entries.append(_entry(layer.name, Entry(None, text="all"), word, *sums))
    notes = ["Bytes of one training step, exact; F and E are those of the boundaries that the layer reads."]
    notes += [GENERAL, *left_out(rows)]
    return Table(name, f"Bytes of {rows.named.name} by layer and level", COLUMNS, tuple(entries), tuple(notes))


def _entry(layer: str, level: Entry, choice: str, intra: int, feature: Bytes, error: Bytes) -> dict[str, Entry]:
    total: int | Fraction = intra + feature + error
    values = (Entry(layer), level, Entry(choice), Entry(intra), Entry(feature), Entry(error), Entry(total))
    return {column.key: entry for column, entry in zip(COLUMNS, values, strict=True)}
