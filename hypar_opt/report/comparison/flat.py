"""A comparison for machines: a row a cell, with all that is known of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.comparison.notes import bound, word
from hypar_opt.report.tables import DATA, Column, Entry, Table, json_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.comparing import Cell
    from hypar_opt.report.tables.table import Value

COLUMNS: Final = (
    Column("instance", "instance"),
    Column("accounting", "accounting"),
    Column("batch", "batch"),
    Column("levels", "levels"),
    Column("formulation", "formulation"),
    Column("status", "status"),
    Column("communication_bytes", "communication", "B"),
    Column("objective", "objective"),
    Column("bound", "bound"),
    Column("runtime_s", "time", "s"),
    Column("native_status", "native status"),
    Column("note", "note"),
    Column("seed", "seed"),
    Column("instance_sha256", "SHA-256 of the instance"),
    Column("versions", "versions", formats=("json",)),
)
"""Of the files for machines."""


def flat_table(cells: Sequence[Cell]) -> Table:
    """Return a row a cell, with all that is known of it; unknown is None, never a made-up number."""
    columns = tuple(replace(column, formats=tuple(f for f in column.formats if f in DATA)) for column in COLUMNS)
    return Table("comparison", "Comparison", columns, tuple(_row(cell) for cell in cells))


def rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return the same for JSON."""
    return json_rows(flat_table(cells))


def _row(cell: Cell) -> dict[str, Entry]:
    plan = cell.plan
    values: dict[str, Value] = {
        "instance": cell.instance,
        "accounting": cell.accounting,
        "batch": cell.batch,
        "levels": cell.levels,
        "formulation": cell.formulation,
        "status": word(plan),
        "communication_bytes": plan.communication_bytes if plan else None,
        "objective": plan.objective if plan else None,
        "bound": bound(plan) if plan else None,
        "runtime_s": round(plan.runtime_s, 4) if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "seed": plan.seed if plan else None,
        "instance_sha256": plan.instance_sha256 if plan else None,
        "versions": dict(plan.versions) if plan else None,
    }
    return {key: Entry(value) for key, value in values.items()}
