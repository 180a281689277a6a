"""Networks x arrays as CSV, Markdown, LaTeX and JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.comparing_arrays import ArrayCell, equal_link, equal_total
from hypar_opt.files import write_to_folder
from hypar_opt.report.across_arrays.paper import firsts, paper_tables
from hypar_opt.report.comparison.notes import bound, word
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import DATA, Column, Entry, Table, csv_text, json_rows, latex_text, markdown_line
from hypar_opt.report.tables import markdown_text as table_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILES: Final = ("arrays.csv", "arrays.md", "arrays.tex", "arrays.json")
NESTED: Final = ("plan", "placement")
"""Columns that CSV has no place for."""


def flat_table(cells: Sequence[ArrayCell]) -> Table:
    """Return a row a cell, with all that is known of it; unknown is None."""
    first = firsts(cells)
    made = tuple(_row(cell, first[cell.row]) for cell in cells)
    names = list(made[0]) if made else []
    columns = tuple(Column(name, name, formats=("json",) if name in NESTED else DATA) for name in names)
    return Table("arrays", "Arrays", columns, made)


def rows(cells: Sequence[ArrayCell]) -> list[dict[str, Any]]:
    """Return the same for JSON."""
    return json_rows(flat_table(cells))


def _row(cell: ArrayCell, first: ArrayCell) -> dict[str, Entry]:
    plan = cell.plan
    values = {
        "instance": cell.instance,
        "array": cell.array,
        "formulation": plan.formulation if plan else None,
        "status": word(plan),
        "link_bytes_per_s": cell.link,
        "total_bytes_per_s": cell.total,
        "comm_time_s": cell.time,
        "bound_s": bound(plan) if plan else None,
        "comm_time_s_equal_link": equal_link(cell, first),
        "comm_time_s_equal_total": equal_total(cell, first),
        "communication_bytes": plan.communication_bytes if plan else None,
        "hop_bytes": plan.costs.get("hop-bytes") if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "runtime_s": round(plan.runtime_s, 3) if plan else None,
        "plan": dict(plan.strategies) if plan and plan.strategies else None,
        "placement": plan.placement if plan and plan.placement else None,
    }
    return {key: Entry(value) for key, value in values.items()}


def write_files(cells: Sequence[ArrayCell], folder: Path) -> list[Path]:
    """Write arrays.csv, .md, .tex and .json, each atomically; return their paths, none where there are no cells."""
    if not cells:
        return []
    flat = flat_table(cells)
    latex = "\n".join(map(latex_text, paper_tables(cells)))
    texts = csv_text(flat), markdown(cells), latex, json.dumps(json_rows(flat), indent=1)
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


def markdown(cells: Sequence[ArrayCell]) -> str:
    """Return the tables as Markdown, with the arrays' bandwidths and how each result was proven."""
    seen = {cell.array: cell for cell in cells}
    links = [f"{name}: {_of_links(cell)}, {in_bytes(cell.total)}/s in all" for name, cell in seen.items()]
    ended = dict.fromkeys(
        f"{cell.array}: {cell.plan.native_status if cell.plan is not None else cell.refusal}" for cell in cells
    )
    parts = ["# Arrays\n", *map(table_text, paper_tables(cells))]
    parts += ["The arrays as their files have them:\n", _listed(links), "How it ended:\n", _listed(ended)]
    return "\n".join(parts)


def _listed(lines: Sequence[str] | dict[str, None]) -> str:
    return "".join(f"- {markdown_line(line)}\n" for line in lines)


def _of_links(cell: ArrayCell) -> str:
    return "links that differ" if cell.link is None else f"links of {in_bytes(cell.link)}/s each way"
