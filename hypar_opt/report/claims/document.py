"""Verdicts on claims: what every way to show them is made of, and their files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.exact import plain
from hypar_opt.report.tables import DATA, Column, Entry, Table, TableDocument, json_rows, write_document
from hypar_opt.studies.claims import ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.report.tables import Table
    from hypar_opt.studies.claims import ClaimRow, Claims

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


def flat_table(rows: Sequence[ClaimRow]) -> Table:
    """Return a row a claim, with all that was found of it."""
    columns = tuple(replace(column, formats=DATA) for column in COLUMNS)
    return Table("audit", "Claims", columns, tuple(_row(row) for row in rows))


def audit_table(rows: Sequence[ClaimRow], title: str = "Claims") -> Table:
    """Return the same for people: why, and what is known of a deviation, as footnotes of the verdicts."""
    columns = tuple(column for column in COLUMNS if column.formats != DATA)
    keys = [column.key for column in columns]
    made = [{key: entry for key, entry in _row(row).items() if key in keys} for row in rows]
    for row, entries in zip(rows, made, strict=True):
        entries["verdict"] = Entry(row.verdict.value, notes=_notes(row))
    return Table("audit", title, columns, tuple(made))


def _row(row: ClaimRow) -> dict[str, Entry]:
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


def _notes(row: ClaimRow) -> tuple[str, ...]:
    """Return what stands behind a verdict that needs words, as one footnote."""
    if row.verdict is ClaimVerdict.CONFIRMED and not row.claim.spec.finding:
        return ()
    said = [part.rstrip(".") for part in (row.judgement.why, row.claim.spec.finding) if part]
    return ("; ".join(said),) if said else ()


def row_document(row: ClaimRow) -> dict[str, Any]:
    """Return a row for machines."""
    return json_rows(flat_table([row]))[0]


def document(claims: Claims, rows: Sequence[ClaimRow]) -> dict[str, Any]:
    """Return all rows for machines, with what they are of and how many there are of each verdict."""
    return {
        "title": claims.title,
        "source": claims.source,
        "claims": len(claims.claims),
        "counts": {verdict.value: _count(rows, verdict) for verdict in ClaimVerdict},
        "rows": json_rows(flat_table(rows)),
    }


def summary(claims: Claims, rows: Sequence[ClaimRow]) -> str:
    """Return how many claims there are of each verdict."""
    parts = [f"{_count(rows, verdict)} {verdict}" for verdict in ClaimVerdict if _count(rows, verdict)]
    of = f" of {len(claims.claims)}" if len(rows) < len(claims.claims) else ""
    return f"{len(rows)}{of} claims: {', '.join(parts) or 'none judged'}"


def _count(rows: Sequence[ClaimRow], verdict: ClaimVerdict) -> int:
    return sum(row.verdict is verdict for row in rows)


def notes(rows: Sequence[ClaimRow]) -> list[list[ClaimRow]]:
    """Return the rows that need words, those together of which the same is said."""
    found: dict[tuple[str, str, str], list[ClaimRow]] = {}
    for row in rows:
        if row.verdict is not ClaimVerdict.CONFIRMED or row.claim.spec.finding:
            key = row.verdict.value, row.judgement.why, row.claim.spec.finding or ""
            found.setdefault(key, []).append(row)
    return list(found.values())


def cells_of(row: ClaimRow) -> dict[str, str]:
    """Return what a table shows of a row."""
    return {
        "id": row.claim.id,
        "claim": row.claim.spec.text,
        "printed": row.claim.statement.says,
        "recomputed": row.judgement.recomputed,
        "verdict": row.verdict.value,
        "command": row.command,
    }


def write_files(claims: Claims, rows: Sequence[ClaimRow], folder: Path) -> list[Path]:
    """Write audit.csv, .md, .tex and .json, each atomically; return their paths, none where there are no rows."""
    if not rows:
        return []
    plain = document(claims, rows)
    return write_document(TableDocument("audit", flat_table(rows), (paper_table(claims, rows),), plain=plain), folder)


def paper_table(claims: Claims, rows: Sequence[ClaimRow]) -> Table:
    """Return the table with what it is of, and how many there are of each verdict."""
    from dataclasses import replace

    notes = tuple(note for note in (claims.source, summary(claims, rows)) if note)
    return replace(audit_table(rows, claims.title), notes=notes)
