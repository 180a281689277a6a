"""Verdicts on claims as tables: every row in full for machines, what fits on paper and screen for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.audit import Verdict
from hypar_opt.instance.exact import plain
from hypar_opt.report.tables import DATA, PEOPLE, Column, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.audit import Row

ON_SCREEN: Final = ("markdown", "page")
"""Where there is room for a command and its evidence."""
COLUMNS: Final = (
    Column("id", "id", code=True, width=0.19),
    Column("source", "source", width=0.13),
    Column("claim", "claim", width=0.22),
    Column("kind", "kind", formats=DATA),
    Column("instances", "instances", formats=DATA),
    Column("overrides", "overrides", formats=DATA),
    Column("printed", "printed", width=0.16),
    Column("recomputed", "recomputed", width=0.17),
    Column("verdict", "verdict", width=0.13),
    Column("why", "why", formats=DATA),
    Column("evidence", "evidence", formats=(*DATA, *ON_SCREEN)),
    Column("command", "command", code=True, formats=(*DATA, *ON_SCREEN)),
    Column("finding", "finding", formats=DATA),
    Column("details", "details", formats=DATA),
)


def flat_table(rows: Sequence[Row]) -> Table:
    """Return a row a claim, with all that was found of it."""
    columns = tuple(replace(column, formats=DATA) for column in COLUMNS)
    return Table("audit", "Claims", columns, tuple(_row(row) for row in rows))


def audit_table(rows: Sequence[Row], title: str = "Claims") -> Table:
    """Return the same for people: why, and what is known of a deviation, as footnotes of the verdicts."""
    columns = tuple(column for column in COLUMNS if set(column.formats) & set(PEOPLE))
    keys = [column.key for column in columns]
    made = [{key: entry for key, entry in _row(row).items() if key in keys} for row in rows]
    for row, entries in zip(rows, made, strict=True):
        entries["verdict"] = Entry(row.verdict.value, notes=_notes(row))
    return Table("audit", title, columns, tuple(made))


def _row(row: Row) -> dict[str, Entry]:
    spec, found = row.claim.spec, row.judgement
    values = {
        "id": row.claim.id,
        "source": spec.source,
        "claim": spec.text,
        "kind": row.claim.kind,
        "instances": tuple(spec.names),
        "overrides": plain(spec.overrides.model_dump(exclude_none=True)),
        "printed": row.claim.statement.says,
        "recomputed": found.recomputed,
        "verdict": row.verdict.value,
        "why": found.why,
        "evidence": found.evidence,
        "command": row.command,
        "finding": spec.finding,
        "details": dict(found.details),
    }
    return {key: Entry(value) for key, value in values.items()}


def _notes(row: Row) -> tuple[str, ...]:
    """Return what stands behind a verdict that needs words, as one footnote."""
    if row.verdict is Verdict.CONFIRMED and not row.claim.spec.finding:
        return ()
    said = [part.rstrip(".") for part in (row.judgement.why, row.claim.spec.finding) if part]
    return ("; ".join(said),) if said else ()
