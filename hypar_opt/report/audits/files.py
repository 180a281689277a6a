"""Verdicts on claims as CSV, Markdown, LaTeX and JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from hypar_opt.files import write_to_folder
from hypar_opt.report.audits.columns import audit_table, flat_table
from hypar_opt.report.audits.document import document, summary
from hypar_opt.report.tables import csv_text, latex_text, markdown_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.audit import Claims, Row
    from hypar_opt.report.tables import Table

FILES: Final = ("audit.csv", "audit.md", "audit.tex", "audit.json")


def write_files(claims: Claims, rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write audit.csv, .md, .tex and .json, each atomically; return their paths, none where there are no rows."""
    if not rows:
        return []
    table = paper_table(claims, rows)
    texts = (
        csv_text(flat_table(rows)),
        markdown_text(table, level=1),
        latex_text(table),
        json.dumps(document(claims, rows), indent=1),
    )
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


def paper_table(claims: Claims, rows: Sequence[Row]) -> Table:
    """Return the table with what it is of, and how many there are of each verdict."""
    from dataclasses import replace

    notes = tuple(note for note in (claims.source, summary(claims, rows)) if note)
    return replace(audit_table(rows, claims.title), notes=notes)


def write_figures(rows: Sequence[Row], folder: Path) -> list[Path]:
    """Write the verdicts as a figure across a page: SVG, PDF and PNG; return their paths, none without rows."""
    from hypar_opt.report.charts.printing import write_figure
    from hypar_opt.report.charts.verdicts import verdicts_figure

    return write_figure(verdicts_figure(rows), folder, "page") if rows else []
