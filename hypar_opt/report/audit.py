"""Verdicts on claims: for the terminal, for machines, and as CSV, Markdown and JSON files."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hypar_opt.audit import Verdict
from hypar_opt.files import check_writable, make_folder, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from hypar_opt.audit import Claims, Row

STYLES = {
    Verdict.CONFIRMED: "green",
    Verdict.REFUTED: "bold red",
    Verdict.NOT_REPRODUCIBLE: "yellow",
    Verdict.UNDECIDED: "yellow",
}
FILES = ("audit.csv", "audit.md", "audit.json")
LEAST = {"printed": 12, "recomputed": 12, "claim": 16}
"""Columns that are folded, the most wanted first, and the least that each is given or else left out."""
ORDER = ("id", "claim", "printed", "recomputed", "verdict", "command")
GAP = 2
COMFORTABLE = 60
"""For the folded columns together, where the commands stand beside them."""


def row_document(row: Row) -> dict[str, Any]:
    """Return a row for machines."""
    spec, found = row.claim.spec, row.judgement
    return {
        "id": row.claim.id,
        "source": spec.source,
        "claim": spec.text,
        "kind": row.claim.kind,
        "instances": list(spec.names),
        "overrides": spec.overrides.model_dump(exclude_none=True),
        "printed": row.claim.statement.says,
        "recomputed": found.recomputed,
        "verdict": row.verdict.value,
        "why": found.why,
        "evidence": found.evidence,
        "command": row.command,
        "finding": spec.finding,
        "details": dict(found.details),
    }


def document(claims: Claims, rows: Sequence[Row]) -> dict[str, Any]:
    """Return all rows for machines, with what they are of and how many there are of each verdict."""
    return {
        "title": claims.title,
        "source": claims.source,
        "claims": len(claims.claims),
        "counts": {verdict.value: _count(rows, verdict) for verdict in Verdict},
        "rows": [row_document(row) for row in rows],
    }


def summary(claims: Claims, rows: Sequence[Row]) -> str:
    """Return how many claims there are of each verdict."""
    parts = [f"{_count(rows, verdict)} {verdict}" for verdict in Verdict if _count(rows, verdict)]
    of = f" of {len(claims.claims)}" if len(rows) < len(claims.claims) else ""
    return f"{len(rows)}{of} claims: {', '.join(parts) or 'none judged'}"


def _count(rows: Sequence[Row], verdict: Verdict) -> int:
    return sum(row.verdict is verdict for row in rows)


def show(console: Console, claims: Claims, rows: Sequence[Row]) -> None:
    """Print a table a source, then what stands behind every verdict that needs words."""
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
            console.print(_indented(text))
    console.print()
    console.print(summary(claims, rows))


def notes(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows that need words, those together of which the same is said."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        if row.verdict is not Verdict.CONFIRMED or row.claim.spec.finding:
            key = row.verdict.value, row.judgement.why, row.claim.spec.finding or ""
            found.setdefault(key, []).append(row)
    return list(found.values())


def _said(group: Sequence[Row]) -> list[str]:
    """Return why, what is known, what the verdict rests on, and a command; of several rows, that of the first."""
    first = group[0]
    finding = first.claim.spec.finding
    parts = [first.judgement.why, finding and f"finding: {finding}", len(group) == 1 and first.judgement.evidence]
    return [*(part for part in parts if part), f"$ {first.command}"]


def _indented(text: str) -> Padding:
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, 2), expand=False)


def _columns(rows: Sequence[Row], width: int) -> tuple[dict[str, int], list[str]]:
    """Return the columns of one width in all tables, and those that are folded and fit beside them.

    The command is shown where there is room for all else.
    """
    cells = [_cells(row) for row in rows]
    need = {name: max((len(cell[name]) for cell in cells), default=0) for name in ORDER}
    fixed = {"id": min(width * 3 // 10, need["id"]), "verdict": max(need["verdict"], len("verdict"))}
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


def _table(source: str, rows: Sequence[Row], fixed: dict[str, int], folded: Sequence[str], room: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", title=source, title_justify="left", title_style="bold")
    cells = [_cells(row) for row in rows]
    need = {name: max(len(name), *(len(cell[name]) for cell in cells)) for name in folded}
    widths = fixed | _shared(room, need)
    names = [name for name in ORDER if name in widths]
    for name in names:
        table.add_column(name, overflow="fold", width=widths[name])
    for row, cell in zip(rows, cells, strict=True):
        table.add_row(*(_styled(name, cell[name], row.verdict) for name in names))
    return table


def _styled(name: str, text: str, verdict: Verdict) -> Text:
    from rich.text import Text

    return Text(text, STYLES[verdict] if name == "verdict" else "")


def _cells(row: Row) -> dict[str, str]:
    return {
        "id": row.claim.id,
        "claim": row.claim.spec.text,
        "printed": row.claim.statement.says,
        "recomputed": row.judgement.recomputed,
        "verdict": row.verdict.value,
        "command": row.command,
    }


def prepare(folder: Path) -> None:
    """Make the folder, and find out before the work whether the files can be written.

    Raises
    ------
    InputError
        If they cannot.
    """
    make_folder(folder)
    for name in FILES:
        check_writable(folder / name)


def write_files(claims: Claims, rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write audit.csv, .md and .json, each atomically; return their paths, none where there are no rows."""
    import pandas as pd

    if not rows:
        return []
    make_folder(folder)
    whole = document(claims, rows)
    flat = [{**row, "instances": " ".join(row["instances"]), **_as_json(row)} for row in whole["rows"]]
    texts = pd.DataFrame(flat, dtype=object).to_csv(index=False), markdown(claims, rows), json.dumps(whole, indent=1)
    for name, text in zip(FILES, texts, strict=True):
        write_atomically(folder / name, text if text.endswith("\n") else text + "\n")
    return [folder / name for name in FILES]


def _as_json(row: dict[str, Any]) -> dict[str, str]:
    return {name: json.dumps(row[name]) for name in ("overrides", "details")}


def markdown(claims: Claims, rows: Sequence[Row]) -> str:
    """Return the table as Markdown, with what stands behind every verdict that needs words."""
    import pandas as pd

    frame = pd.DataFrame([_markdown_cells(row) for row in rows])
    body = frame.map(lambda text: text.replace("|", "\\|")).to_markdown(index=False, disable_numparse=True)
    remarks = "\n".join(_bullet(group) for group in notes(rows))
    parts = [f"# {claims.title}", claims.source, summary(claims, rows) + ".", body, remarks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown_cells(row: Row) -> dict[str, str]:
    cells = _cells(row)
    return {
        "id": cells.pop("id"),
        "source": row.claim.spec.source,
        **cells,
        "command": f"`{row.command}`",
        "evidence": row.judgement.evidence or "-",
    }


def _bullet(group: Sequence[Row]) -> str:
    first = group[0]
    ids = ", ".join(row.claim.id for row in group)
    said = [part for part in (first.judgement.why, first.claim.spec.finding) if part]
    return f"- {ids}: **{first.verdict}**" + "".join(f"; {part.rstrip('.')}" for part in said) + "."
