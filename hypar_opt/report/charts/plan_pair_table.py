"""Plans of one instance as tables: all of them by layer, and what two of them differ in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.plan_cells import PlanRows, left_out
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.charts.plan_pair_data import Plans
    from hypar_opt.reporting import Named

COLUMNS: Final = (
    Column("layer", "layer"),
    Column("plan", "plan"),
    Column("strategy", "strategy"),
    Column("intra", "intra-layer", "B"),
    Column("inter", "inter-layer before", "B"),
    Column("total", "total", "B"),
)


def plans_table(plans: Plans, name: str) -> Table:
    """Return the numbers, a row a layer and plan."""
    entries = []
    for row, layer in enumerate(plans.layers):
        for one, rows in zip(plans.all, plans.rows, strict=True):
            intra, inter = rows.intra(row), rows.inter(row)
            values = (layer, one.name, one.strategies[layer], intra, inter, intra + inter)
            entries.append(_entries(COLUMNS, values))
    notes = ("Bytes of one training step, exact; inter-layer bytes are those of the boundaries that a layer reads.",)
    return Table(name, "Plans by layer", COLUMNS, tuple(entries), (*notes, *left_out(plans.rows[0])))


def pair_table(first: Named, second: Named) -> Table:
    """Return the layers in which two plans differ, by strategy or by bytes, and the sums over all layers.

    Parameters
    ----------
    first, second
        Plans of one instance.
    """
    columns = (
        Column("layer", "layer"),
        Column("first", first.name),
        Column("second", second.name),
        Column("first_bytes", f"{first.name}, bytes", "B"),
        Column("second_bytes", f"{second.name}, bytes", "B"),
        Column("difference", "difference", "B"),
    )
    one, other = PlanRows(first), PlanRows(second)
    entries = []
    for row, layer in enumerate(first.problem.work.layers):
        words = first.strategies[layer.name], second.strategies[layer.name]
        costs = one.intra(row) + one.inter(row), other.intra(row) + other.inter(row)
        if words[0] != words[1] or costs[0] != costs[1]:
            entries.append(_entries(columns, (layer.name, *words, *costs, costs[1] - costs[0])))
    totals = first.breakdown.total, second.breakdown.total
    entries.append(_entries(columns, ("all layers", None, None, *totals, totals[1] - totals[0])))
    differing = f"{len(entries) - 1:,} of {len(first.problem.work.layers):,} layers differ by strategy or by bytes"
    notes = (f"{differing}; a layer's bytes are its own and those of the boundaries that it reads.",)
    return Table("pair", f"{first.name} and {second.name}", columns, tuple(entries), notes)


def _entries(columns: Sequence[Column], values: Sequence[Any]) -> dict[str, Entry]:
    return {column.key: Entry(value) for column, value in zip(columns, values, strict=True)}
