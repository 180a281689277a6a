"""An exploration as files: every combination as CSV, a summary as Markdown and JSON, a picture."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import unit_of
from hypar_opt.report.sweep.terminal import best_table, document, free_layers, shown, title, verdict
from hypar_opt.report.tables import csv_lines, markdown_grid
from hypar_opt.util.files import write_to_folder
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.studies.sweep import Exploration

FILES = ("explore.csv", "explore.md", "explore.json", "explore.svg", "explore.pdf", "explore.png")


def write_files(found: Exploration, top: int, folder: Path) -> list[Path]:
    """Write explore.csv, .md, .json, and a picture as .svg, .pdf and .png, each atomically; return their paths."""
    from hypar_opt.report.charts.registry import write_figures

    texts = (as_csv(found), markdown(found, top), json.dumps(document(found, top), indent=1))
    written = write_to_folder(folder, dict(zip(FILES, texts, strict=False)))
    return [*written, *write_figures("exploration", found, folder, "explore", found.space.problem.instance.name)]


def as_csv(found: Exploration) -> str:
    """Return a row for every combination: the free layers' words, exact costs, gains."""
    import numpy as np

    space = found.space
    columns: dict[str, Any] = {}
    places = np.unravel_index(np.arange(space.count), space.shape or (1,))
    for axis, (i, name) in enumerate(zip(space.free, free_layers(found), strict=True)):
        words = [space.problem.strategies(_with(space.base, i, choice))[name] for choice in space.candidates[i]]
        columns[name] = np.array(words, dtype=object)[places[axis]]
    for name in found.components:
        # most costs come more than once, and their decimals take long to write
        different, which = np.unique(found.values[name], return_inverse=True)
        costs = [Fraction(int(value), found.units[name]) for value in different]
        gains = [f"{float(found.reference[name] / cost):.6g}" if cost else "" for cost in costs]
        columns[f"{name}_{unit_of(name)}"] = np.array([exact(cost) for cost in costs], dtype=object)[which]
        columns[f"{name}_gain"] = np.array(gains, dtype=object)[which]
    columns["allowed"] = found.allowed.astype(int)
    return csv_lines([*columns], zip(*(column.tolist() for column in columns.values()), strict=True))


def _with(choices: tuple[int, ...], position: int, choice: int) -> tuple[int, ...]:
    return (*choices[:position], choice, *choices[position + 1 :])


def markdown(found: Exploration, top: int) -> str:
    """Return the combinations of least cost as a table, what it is above it."""
    best = shown(found, top)
    body = markdown_grid(best_table(found, best, "{}: gain")) if best else "No combination is allowed."
    lines = [title(found), f"Gains are over {found.against}.", *(f"- {line}" for line in verdict(found))]
    return "\n\n".join(["# Exploration", *lines[:2], "\n".join(lines[2:]), body, "\\* the base plan."]) + "\n"
