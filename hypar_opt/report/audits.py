"""Several audits side by side: how many claims of every file have which verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.claims import counts, document
from hypar_opt.report.console import terminal_table
from hypar_opt.report.tables import Column, Entry, Table, TableDocument, write_document
from hypar_opt.studies.claims import ClaimRow, Claims, ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    Audited = Sequence[tuple[Claims, Sequence[ClaimRow]]]
NAME: Final = "audits"
"""Of the files."""
ALL: Final = "all"
"""The last row."""


def audits_table(audited: Audited) -> Table:
    """Return a row a claims file, and one of all: how many claims were judged, and how many have which verdict.

    A verdict that no claim has is no column.
    """
    every = [row for _, rows in audited for row in rows]
    verdicts = [verdict for verdict, count in counts(every).items() if count]
    first = Column("claims_file", "claims file", code=True), Column("claims", "claims")
    columns = (*first, *(Column(verdict, verdict) for verdict in verdicts))
    named = [(claims.path.stem, rows) for claims, rows in audited]
    made = tuple(
        {"claims_file": Entry(name), "claims": Entry(len(rows))}
        | {verdict: Entry(counts(rows)[verdict]) for verdict in verdicts}
        for name, rows in [*named, (ALL, every)]
    )
    return Table(NAME, "Claims by source", columns, made)


def audits_document(audited: Audited, *, rows: bool = True) -> dict[str, Any]:
    """Return all audits for machines, with or without every claim's row."""
    files = [{"file": claims.path.stem, **document(claims, found)} for claims, found in audited]
    if not rows:
        files = [{key: value for key, value in one.items() if key != "rows"} for one in files]
    return {"files": files, "counts": counts([row for _, found in audited for row in found])}


def write_audits(audited: Audited, folder: Path) -> list[Path]:
    """Write audits.csv, .md, .tex and .json, each atomically; return their paths, none where there are no rows."""
    if not any(rows for _, rows in audited):
        return []
    table = audits_table(audited)
    return write_document(TableDocument(NAME, table, (table,), plain=audits_document(audited, rows=False)), folder)


def show_audits(console: Console, audited: Audited) -> None:
    """Print the table."""
    console.print(terminal_table(audits_table(audited)))


def verdicts_of(audited: Audited) -> set[ClaimVerdict]:
    """Return which verdicts there are."""
    return {row.verdict for _, rows in audited for row in rows}
