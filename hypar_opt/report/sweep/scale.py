"""One network on arrays of several sizes: the table, the files, the picture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.components import COMMUNICATION
from hypar_opt.files import write_to_folder
from hypar_opt.plan_file import exact
from hypar_opt.report.comparison.notes import unbuildable_legend, unbuildable_mark, word
from hypar_opt.report.explorations.terminal import in_gain
from hypar_opt.report.numbers import in_component
from hypar_opt.report.tables import csv_lines

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pandas import DataFrame
    from rich.console import Console

    from hypar_opt.exploring import Point

FILES = ("scale.csv", "scale.md", "scale.json", "scale.svg", "scale.pdf", "scale.png")


def legend(points: Sequence[Point], components: Sequence[str]) -> str:
    """Return what the columns are."""
    return (
        f"gains are over one accelerator; hypar-dp is for the least communication, joint-dp for the least "
        f"{components[0]}, proven; - no plan, or nothing to compare with"
        f"{unbuildable_legend(point.plan for point in points)}"
    )


def grid(points: Sequence[Point], components: Sequence[str]) -> DataFrame:
    """Return a row an array and formulation, as text."""
    import pandas as pd

    rows = []
    for point in points:
        row = {"accelerators": f"{point.accelerators:,}", "plan": f"{point.formulation}{unbuildable_mark(point.plan)}"}
        for name in components:
            cost = point.costs.get(name)
            row[name] = "-" if cost is None else in_component(name, cost)
            row[f"{name}: gain"] = in_gain(point.gain(name))
        if COMMUNICATION not in components:
            moved = point.costs.get(COMMUNICATION)
            row["communication in all"] = "-" if moved is None else in_component(COMMUNICATION, moved)
        rows.append(row)
    return pd.DataFrame(rows)


def show(console: Console, points: Sequence[Point], components: Sequence[str]) -> None:
    """Print the table."""
    from rich.table import Table

    if not points:
        console.print("nothing was solved before the stop")
        return
    frame = grid(points, components)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in frame.columns:
        table.add_column(str(name), justify="left" if name == "plan" else "right")
    for values in frame.itertuples(index=False):
        table.add_row(*map(str, values))
    console.print(table)
    console.print(legend(points, components))
    for line in dict.fromkeys(f"{point.formulation}: {point.refusal}" for point in points if point.refusal):
        console.print(line)


def rows(points: Sequence[Point], components: Sequence[str]) -> list[dict[str, Any]]:
    """Return a flat row for every point; costs are exact, unknown is None."""
    return [_row(point, components) for point in points]


def _row(point: Point, components: Sequence[str]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "accelerators": point.accelerators,
        "levels": point.levels,
        "formulation": point.formulation,
        "status": word(point.plan),
        "note": point.refusal or (point.plan and point.plan.note) or None,
    }
    for name in dict.fromkeys((*components, COMMUNICATION)):
        gain = point.gain(name)
        row[name] = exact(point.costs.get(name))
        row[f"{name}_gain"] = None if gain is None else round(float(gain), 6)
    plan = None if point.plan is None or point.plan.strategies is None else dict(point.plan.strategies)
    return {**row, "plan": plan}


def write_files(points: Sequence[Point], components: Sequence[str], title: str, folder: Path) -> list[Path]:
    """Write scale.csv, .md, .json, and a picture as .svg, .pdf and .png where there is a plan, each atomically.

    Returns
    -------
    Their paths, none where there are no points.
    """
    if not points:
        return []
    flat = rows(points, components)
    names = [name for name in flat[0] if name != "plan"]
    body = grid(points, components).to_markdown(index=False, disable_numparse=True)
    said = legend(points, components)
    texts = (
        csv_lines(names, ([row[name] for name in names] for row in flat)),
        f"# {title} on arrays of several sizes\n\n{said[0].upper()}{said[1:]}.\n\n{body}\n",
        json.dumps(flat, indent=1),
    )
    paths = write_to_folder(folder, dict(zip(FILES, texts, strict=False)))
    return [*paths, *(_pictures(points, title, folder) if any(point.costs for point in points) else ())]


def _pictures(points: Sequence[Point], title: str, folder: Path) -> list[Path]:
    from dataclasses import replace

    from hypar_opt.report.charts.printing import write_figure
    from hypar_opt.report.charts.scaling import scaling_figure

    figure = scaling_figure(points)
    return write_figure(replace(figure, name="scale", title=f"{title}: {figure.title}"), folder, "page", titled=True)
