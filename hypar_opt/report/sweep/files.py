"""An exploration as files: every combination as CSV, a summary as Markdown and JSON, a picture."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.files import write_to_folder
from hypar_opt.plan_file import exact
from hypar_opt.report.explorations.terminal import document, entry, free_layers, in_gain, shown, title, verdict
from hypar_opt.report.numbers import in_component, unit_of
from hypar_opt.report.tables import csv_lines

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.exploring import Exploration

FILES = ("explore.csv", "explore.md", "explore.json", "explore.svg", "explore.pdf", "explore.png")


def write_files(found: Exploration, top: int, folder: Path) -> list[Path]:
    """Write explore.csv, .md, .json, and a picture as .svg, .pdf and .png, each atomically; return their paths."""
    texts = (as_csv(found), markdown(found, top), json.dumps(document(found, top), indent=1))
    return [*write_to_folder(folder, dict(zip(FILES, texts, strict=False))), *_pictures(found, folder)]


def _pictures(found: Exploration, folder: Path) -> list[Path]:
    from dataclasses import replace

    from hypar_opt.report.charts.printing import write_figure
    from hypar_opt.report.charts.surface import surface_figure

    figure = surface_figure(found)
    named = replace(figure, name="explore", title=f"{found.space.problem.instance.name}: {figure.title}")
    return write_figure(named, folder, "page", titled=True)


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
    import pandas as pd

    names = free_layers(found)
    rows = []
    for index in shown(found, top):
        one = entry(found, index)
        row = {"rank": f"{'*' if index == found.space.base_index else ''}{one['rank']}"}
        row |= {name: one["plan"][name] for name in names}
        for name in found.components:
            row |= {
                name: in_component(name, found.value(name, index)),
                f"{name}: gain": in_gain(found.gain(name, index)),
            }
        rows.append(row)
    lines = [title(found), f"Gains are over {found.against}.", *(f"- {line}" for line in verdict(found))]
    body = pd.DataFrame(rows).to_markdown(index=False, disable_numparse=True) if rows else "No combination is allowed."
    return "\n\n".join(["# Exploration", *lines[:2], "\n".join(lines[2:]), body, "\\* the base plan."]) + "\n"
