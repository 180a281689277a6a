"""A comparison as CSV, Markdown, LaTeX and JSON files."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.files import write_to_folder
from hypar_opt.report.comparison.flat import flat_table
from hypar_opt.report.comparison.table import cost_table, time_table
from hypar_opt.report.tables import csv_text, json_rows, latex_text, markdown_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.comparing import Cell

FILES: Final = ("comparison.csv", "comparison.md", "comparison.tex", "comparison.json")


def write_files(cells: Sequence[Cell], folder: Path, expected: int | None = None) -> list[Path]:
    """Write comparison.csv, .md, .tex and .json, each atomically; return their paths, none where there are no cells.

    Tables for people say so where there are fewer cells than expected.
    """
    if not cells:
        return []
    stopped = () if expected in (None, len(cells)) else (f"Stopped after {len(cells)} of {expected} solves",)
    flat = flat_table(cells)
    tables = [replace(one, notes=(*one.notes, *stopped)) for one in (cost_table(cells), time_table(cells))]
    markdown = ["# Comparison\n", *map(markdown_text, tables)]
    texts = (
        csv_text(flat),
        "\n".join(markdown),
        "\n".join(map(latex_text, tables)),
        json.dumps(json_rows(flat), indent=1),
    )
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


def write_figures(cells: Sequence[Cell], folder: Path) -> list[Path]:
    """Write the comparison as a figure across a page: SVG, PDF and PNG; return their paths, none without cells."""
    from hypar_opt.report.charts.comparison import comparison_figure
    from hypar_opt.report.charts.printing import write_figure

    return write_figure(comparison_figure(cells), folder, "page") if cells else []
