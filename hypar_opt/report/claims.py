"""Verdicts on claims: as tables, on the terminal, for machines and as files."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.exact import plain
from hypar_opt.report.console import terminal_table
from hypar_opt.report.tables import DATA, Column, Entry, Table, TableDocument, json_rows, text_table, write_document
from hypar_opt.studies.claims import ClaimRow, Claims, ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text


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
    said = [part.rstrip(".") for part in (row.judgement.why, row.claim.spec.finding) if part]
    return ("; ".join(said),) if said and needs_words(row) else ()


def needs_words(row: ClaimRow) -> bool:
    """Return whether there is more to say of a claim than that it holds."""
    return row.verdict is not ClaimVerdict.CONFIRMED or bool(row.claim.spec.finding)


def row_document(row: ClaimRow) -> dict[str, Any]:
    """Return a row for machines."""
    return json_rows(flat_table([row]))[0]


def document(claims: Claims, rows: Sequence[ClaimRow]) -> dict[str, Any]:
    """Return all rows for machines, with what they are of and how many there are of each verdict."""
    return {
        "title": claims.title,
        "source": claims.source,
        "claims": len(claims.claims),
        "counts": counts(rows),
        "rows": json_rows(flat_table(rows)),
    }


def counts(rows: Sequence[ClaimRow]) -> dict[str, int]:
    """Return how many claims there are of each verdict."""
    return {verdict.value: _count(rows, verdict) for verdict in ClaimVerdict}


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
        if needs_words(row):
            key = row.verdict.value, row.judgement.why, row.claim.spec.finding or ""
            found.setdefault(key, []).append(row)
    return list(found.values())


def write_files(claims: Claims, rows: Sequence[ClaimRow], folder: Path) -> list[Path]:
    """Write audit.csv, .md, .tex and .json, each atomically; return their paths, none where there are no rows."""
    if not rows:
        return []
    tables = flat_table(rows), (paper_table(claims, rows),)
    return write_document(TableDocument("audit", *tables, plain=document(claims, rows)), folder)


def paper_table(claims: Claims, rows: Sequence[ClaimRow]) -> Table:
    """Return the table with what it is of, and how many there are of each verdict."""
    notes = tuple(note for note in (claims.source, summary(claims, rows)) if note)
    return replace(audit_table(rows, claims.title), notes=notes)


STYLES = {
    ClaimVerdict.CONFIRMED: "green",
    ClaimVerdict.REFUTED: "bold red",
    ClaimVerdict.NOT_REPRODUCIBLE: "yellow",
    ClaimVerdict.UNDECIDED: "yellow",
}
LEAST = {"printed": 12, "recomputed": 12, "claim": 16}
"""Columns that are folded, the most wanted first, and the least that each is given or else left out."""
ORDER = ("id", "claim", "printed", "recomputed", "verdict", "command")
GAP = 2
COMFORTABLE = 60
"""For the folded columns together, where the commands stand beside them."""


def show(console: Console, claims: Claims, rows: Sequence[ClaimRow]) -> None:
    """Print a table a source, then what stands behind every verdict that needs words."""
    from rich.padding import Padding

    console.print(claims.title)
    fixed, folded = _columns(rows, console.width)
    for source, group in groupby(rows, key=lambda row: row.claim.spec.source):
        console.print()
        console.print(_table(source, list(group), fixed, folded, _room(console.width, fixed, folded)))
    hidden = [name for name in LEAST if rows and name not in folded]
    if hidden:
        console.print(f"(too narrow for: {', '.join(hidden)}; --json has all)")
    for alike in notes(rows):
        first = alike[0].verdict
        console.print()
        console.print(f"{first}: {', '.join(row.claim.id for row in alike)}", style=STYLES[first])
        for text in _said(alike):
            console.print(Padding(text, (0, 0, 0, 2), expand=False))
    console.print()
    console.print(summary(claims, rows))


def _said(group: Sequence[ClaimRow]) -> list[str]:
    """Return why, what is known, what the verdict rests on, and a command; of several rows, that of the first."""
    first = group[0]
    finding = first.claim.spec.finding
    parts = [first.judgement.why, finding and f"finding: {finding}", len(group) == 1 and first.judgement.evidence]
    return [*(part for part in parts if part), f"$ {first.command}"]


def cells_of(row: ClaimRow) -> dict[str, str]:
    """Return what a table shows of a row."""
    return {key: str(entry.value) for key, entry in _row(row).items() if key in ORDER}


def _columns(rows: Sequence[ClaimRow], width: int) -> tuple[dict[str, int], list[str]]:
    """Return the columns of one width in all tables, and those that are folded and fit beside them.

    The command is shown where there is room for all else.
    """
    cells = [cells_of(row) for row in rows]
    need = {name: max([len(name), *(len(cell[name]) for cell in cells)]) for name in ORDER}
    fixed = {"id": max(len("id"), min(width * 3 // 10, need["id"])), "verdict": need["verdict"]}
    folded = list(LEAST)
    while folded and _room(width, fixed, folded) < sum(LEAST[name] for name in folded):
        folded.pop()
    if _room(width, fixed, folded) - need["command"] - GAP >= COMFORTABLE:
        fixed["command"] = need["command"]
    return fixed, folded


def _room(width: int, fixed: dict[str, int], folded: Sequence[str]) -> int:
    return width - sum(fixed.values()) - GAP * (len(fixed) + len(folded) - 1)


def _shared(room: int, need: dict[str, int]) -> dict[str, int]:
    """Return the width of each folded column: what it needs, or an equal share of what the others leave."""
    widths: dict[str, int] = {}
    for name in sorted(need, key=lambda name: need[name]):
        widths[name] = min(need[name], (room - sum(widths.values())) // (len(need) - len(widths)))
    return widths


def _table(source: str, rows: Sequence[ClaimRow], fixed: dict[str, int], folded: Sequence[str], room: int) -> RichTable:
    cells = [cells_of(row) for row in rows]
    need = {name: max(len(name), *(len(cell[name]) for cell in cells)) for name in folded}
    widths = fixed | _shared(room, need)
    names = [name for name in ORDER if name in widths]
    table = text_table([{name: cell[name] for name in names} for cell in cells])
    options = {name: {"overflow": "fold", "width": widths[name]} for name in names}
    heading = {"title": source, "title_justify": "left", "title_style": "bold"}
    return terminal_table(table, cell=_styled, options=options, **heading)


def _styled(column: Column, entry: Entry) -> Text:
    from rich.text import Text

    text = str(entry.value)
    return Text(text, STYLES[ClaimVerdict(text)] if column.key == "verdict" else "")
