"""One network on arrays of several sizes: the table, the files, the picture."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.compare.notes import unbuildable_legend, unbuildable_mark, word
from hypar_opt.report.numbers import in_component, in_gain
from hypar_opt.report.objective import bounds_text
from hypar_opt.report.tables import Table, csv_lines, markdown_grid, text_table
from hypar_opt.util.files import write_to_folder
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.studies.sweep import Point

FILES = ("scale.csv", "scale.md", "scale.json", "scale.svg", "scale.pdf", "scale.png")


def legend(points: Sequence[Point], components: Sequence[str]) -> str:
    """Return what the columns are."""
    bounds = next((point.bounds for point in points if point.bounds), None)
    over = "one accelerator" if bounds is None else "one accelerator, within bounds or not"
    within = "" if bounds is None else f" with {bounds_text(bounds)}"
    return (
        f"gains are over {over}; hypar-dp is for the least communication, joint-dp for the least "
        f"{components[0]}, proven{within}; - no plan, or nothing to compare with"
        f"{unbuildable_legend(point.plan for point in points)}"
    )


def grid(points: Sequence[Point], components: Sequence[str]) -> Table:
    """Return a row an array and formulation, as text."""
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
    return text_table(rows, right=rows[0].keys() - {"plan"})


def show(console: Console, points: Sequence[Point], components: Sequence[str]) -> None:
    """Print the table."""
    from hypar_opt.report.console import terminal_table

    if not points:
        console.print("nothing was solved before the stop")
        return
    console.print(terminal_table(grid(points, components)))
    console.print(legend(points, components))
    for line in reasons(points):
        console.print(line)


def reasons(points: Sequence[Point]) -> tuple[str, ...]:
    """Return where there is no plan and why, each reason once."""
    sizes: dict[tuple[str, str], list[int]] = {}
    for point in points:
        if why_not(point):
            sizes.setdefault((point.formulation, why_not(point)), []).append(point.accelerators)
    every = {point.accelerators for point in points}
    alike: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (name, why), counts in sizes.items():
        alike.setdefault((why, tuple(counts)), []).append(name)
    found = []
    for (why, refused), names in alike.items():
        who = "" if len(names) == len({point.formulation for point in points}) else ", ".join(names)
        listed = ", ".join(f"{count:,}" for count in refused)
        where = "" if len(refused) == len(every) else f"on {listed} accelerator{'' if listed == '1' else 's'}"
        found.append(f"{' '.join(filter(None, [who, where])) or 'no plan'}: {why}")
    return tuple(found)


def why_not(point: Point) -> str:
    """Return why there is no plan; nothing where there is one, or the time was over."""
    if point.costs or point.plan is None or point.is_cut:
        return point.refusal
    return point.plan.note or point.refusal or word(point.plan)


def rows(points: Sequence[Point], components: Sequence[str]) -> list[dict[str, Any]]:
    """Return a flat row for every point; costs are exact, unknown is None."""
    found = []
    for point in points:
        row: dict[str, Any] = {name: getattr(point, name) for name in ("accelerators", "levels", "formulation")}
        row |= {"status": word(point.plan), "note": point.refusal or (point.plan and point.plan.note) or None}
        for name in dict.fromkeys((*components, COMMUNICATION)):
            gain = point.gain(name)
            row |= {name: exact(point.costs.get(name)), f"{name}_gain": None if gain is None else round(float(gain), 6)}
        plan = None if point.plan is None or point.plan.strategies is None else dict(point.plan.strategies)
        found.append({**row, "plan": plan})
    return found


def write_files(points: Sequence[Point], components: Sequence[str], title: str, folder: Path) -> list[Path]:
    """Write scale.csv, .md, .json, and a picture as .svg, .pdf and .png where there is a plan, each atomically.

    Returns
    -------
    Their paths, none where there are no points.
    """
    from hypar_opt.report.charts.registry import write_figures

    if not points:
        return []
    flat = rows(points, components)
    names = [name for name in flat[0] if name != "plan"]
    body = markdown_grid(grid(points, components))
    said = legend(points, components)
    texts = (
        csv_lines(names, ([row[name] for name in names] for row in flat)),
        f"# {title} on arrays of several sizes\n\n{said[0].upper()}{said[1:]}.\n\n{body}\n",
        json.dumps(flat, indent=1),
    )
    paths = write_to_folder(folder, dict(zip(FILES, texts, strict=False)))
    return [
        *paths,
        *(write_figures("points", points, folder, "scale", title) if any(one.costs for one in points) else ()),
    ]
