"""One network on arrays of several sizes: the table, the files, the picture."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from hypar_opt.components import COMMUNICATION
from hypar_opt.files import atomically, write_to_folder
from hypar_opt.plan_file import exact
from hypar_opt.report.explore_table import in_gain
from hypar_opt.report.numbers import in_component

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.figure import Figure
    from pandas import DataFrame
    from rich.console import Console

    from hypar_opt.exploring import Point

FILES = ("scale.csv", "scale.md", "scale.json", "scale.png")
STYLES = {"hypar-dp": ("o-", "tab:blue"), "data-parallel": ("s--", "tab:orange"), "joint-dp": ("^:", "tab:green")}


def legend(points: Sequence[Point], components: Sequence[str]) -> str:
    """Return what the columns are."""
    return (
        f"gains are over one accelerator; hypar-dp is for the least communication, joint-dp for the least "
        f"{components[0]}, proven; - no plan, or nothing to compare with"
    )


def grid(points: Sequence[Point], components: Sequence[str]) -> DataFrame:
    """Return a row an array and formulation, as text."""
    import pandas as pd

    rows = []
    for point in points:
        row = {"accelerators": f"{point.accelerators:,}", "plan": point.formulation}
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
        "status": "DECLINED" if point.plan is None else point.plan.status.value,
        "note": point.refusal or None,
    }
    for name in dict.fromkeys((*components, COMMUNICATION)):
        gain = point.gain(name)
        row[name] = exact(point.costs.get(name))
        row[f"{name}_gain"] = None if gain is None else round(float(gain), 6)
    plan = None if point.plan is None or point.plan.strategies is None else dict(point.plan.strategies)
    return {**row, "plan": plan}


def write_files(points: Sequence[Point], components: Sequence[str], title: str, folder: Path) -> list[Path]:
    """Write scale.csv, .md, .json and .png, each atomically; return their paths, none where there are no points."""
    import pandas as pd

    if not points:
        return []
    flat = rows(points, components)
    body = grid(points, components).to_markdown(index=False, disable_numparse=True)
    said = legend(points, components)
    texts = (
        pd.DataFrame(flat, dtype=object).drop(columns=["plan"]).to_csv(index=False),
        f"# {title} on arrays of several sizes\n\n{said[0].upper()}{said[1:]}.\n\n{body}\n",
        json.dumps(flat, indent=1),
    )
    paths = write_to_folder(folder, dict(zip(FILES, texts, strict=False)))
    stream = io.BytesIO()
    figure_of(points, components[0], title).savefig(stream, dpi=110, metadata={"Software": None})
    with atomically(folder / FILES[-1]) as file:
        file.write(stream.getvalue())
    return [*paths, folder / FILES[-1]]


def figure_of(points: Sequence[Point], component: str, title: str) -> Figure:
    """Return gains on the left, communication on the right, over the number of accelerators."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.5, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    for name, (style, colour) in STYLES.items():
        own = [point for point in points if point.formulation == name and point.costs]
        gains = [(point.accelerators, point.gain(component)) for point in own]
        known = [(count, float(gain)) for count, gain in gains if gain is not None]
        left.plot([x for x, _ in known], [y for _, y in known], style, color=colour, label=name, mfc="none")
        moved = [(point.accelerators, float(point.costs[COMMUNICATION]) / 1e9) for point in own]
        right.plot([x for x, _ in moved], [y for _, y in moved], style, color=colour, label=name, mfc="none")
    for axes, label in ((left, f"gain in {component} over one accelerator"), (right, "communication, GB")):
        axes.set_xscale("log", base=2)
        axes.set_xlabel("accelerators")
        axes.set_ylabel(label)
        axes.grid(visible=True, alpha=0.3)
    left.legend(fontsize=8)
    figure.suptitle(title, fontsize=10)
    return figure
