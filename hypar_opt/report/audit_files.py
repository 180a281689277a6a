"""Verdicts on claims as CSV, Markdown and JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.files import write_to_folder
from hypar_opt.report.audit import cells_of, document, notes, summary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.audit import Claims, Row

FILES = ("audit.csv", "audit.md", "audit.json")


def write_files(claims: Claims, rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write audit.csv, .md and .json, each atomically; return their paths, none where there are no rows."""
    import pandas as pd

    if not rows:
        return []
    whole = document(claims, rows)
    flat = [{**row, "instances": " ".join(row["instances"]), **_as_json(row)} for row in whole["rows"]]
    texts = pd.DataFrame(flat, dtype=object).to_csv(index=False), markdown(claims, rows), json.dumps(whole, indent=1)
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


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
    cells = cells_of(row)
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
