"""Verdicts on claims: what every way to show them is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.audit import Verdict
from hypar_opt.report.audits.columns import flat_table
from hypar_opt.report.tables import json_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.audit import Claims, Row


def row_document(row: Row) -> dict[str, Any]:
    """Return a row for machines."""
    return json_rows(flat_table([row]))[0]


def document(claims: Claims, rows: Sequence[Row]) -> dict[str, Any]:
    """Return all rows for machines, with what they are of and how many there are of each verdict."""
    return {
        "title": claims.title,
        "source": claims.source,
        "claims": len(claims.claims),
        "counts": {verdict.value: _count(rows, verdict) for verdict in Verdict},
        "rows": json_rows(flat_table(rows)),
    }


def summary(claims: Claims, rows: Sequence[Row]) -> str:
    """Return how many claims there are of each verdict."""
    parts = [f"{_count(rows, verdict)} {verdict}" for verdict in Verdict if _count(rows, verdict)]
    of = f" of {len(claims.claims)}" if len(rows) < len(claims.claims) else ""
    return f"{len(rows)}{of} claims: {', '.join(parts) or 'none judged'}"


def _count(rows: Sequence[Row], verdict: Verdict) -> int:
    return sum(row.verdict is verdict for row in rows)


def notes(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows that need words, those together of which the same is said."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.verdict is not Verdict.CONFIRMED or row.claim.spec.finding:
            key = row.verdict.value, row.judgement.why, row.claim.spec.finding or ""
            found.setdefault(key, []).append(row)
    return list(found.values())


def cells_of(row: Row) -> dict[str, str]:
    """Return what a table shows of a row."""
    return {
        "id": row.claim.id,
        "claim": row.claim.spec.text,
        "printed": row.claim.statement.says,
        "recomputed": row.judgement.recomputed,
        "verdict": row.verdict.value,
        "command": row.command,
    }
