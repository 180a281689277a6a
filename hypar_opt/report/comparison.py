"""A comparison as a table: for the terminal, and as CSV, Markdown and JSON files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypar_opt.files import write_to_folder
from hypar_opt.plan import Status
from hypar_opt.plan_file import exact
from hypar_opt.report.numbers import in_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pandas import DataFrame
    from rich.console import Console
    from rich.table import Table

    from hypar_opt.comparing import Cell
    from hypar_opt.plan import Plan

MARKS = {
    Status.OPTIMAL: "*",
    Status.FEASIBLE: "",
    Status.INFEASIBLE: "infeasible*",
    Status.NO_SOLUTION: "none found",
    Status.ERROR: "ERROR",
}
PROBLEM = ("instance", "accounting", "batch", "levels")
"""The columns that say which problem a row is."""
LEGEND = (
    "communication in GB (1e9 bytes), below or behind it the time of encoding and solving; "
    "* proven by that formulation; - declined (by size or kind)"
)

PLACED_LEGEND = (
    "the objective where it depends on a placement, else communication in GB; below or behind it the time of encoding "
    "and solving; * proven by that formulation; + the placement is proven to be the best of its strategies; - declined"
)


def rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return a flat row for every cell; unknown is None, never a made-up number."""
    return [_row(cell) for cell in cells]


def _row(cell: Cell) -> dict[str, Any]:
    plan = cell.plan
    return {
        "instance": cell.instance,
        "accounting": cell.accounting,
        "batch": cell.batch,
        "levels": cell.levels,
        "formulation": cell.formulation,
        "status": plan.status.value if plan else "DECLINED",
        "communication_bytes": exact(plan.communication_bytes) if plan else None,
        "objective": exact(plan.objective) if plan else None,
        "bound": exact(plan.bound) if plan else None,
        "runtime_s": round(plan.runtime_s, 4) if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "seed": plan.seed if plan else None,
        "instance_sha256": plan.instance_sha256 if plan else None,
        "versions": dict(plan.versions) if plan else None,
    }


def cell_text(cell: Cell) -> str:
    """Return what one cell shows: the cost, the mark of a proof, the time."""
    plan = cell.plan
    if plan is None:
        return "-"
    if plan.placement is not None and plan.objective is not None:
        return f"{float(plan.objective):.6g}{_mark(plan)} {in_seconds(plan.runtime_s)}"
    cost = "" if plan.communication_bytes is None else f"{float(plan.communication_bytes) / 1e9:.4g}"
    return f"{cost}{MARKS[plan.status]} {in_seconds(plan.runtime_s)}"


def _mark(plan: Plan) -> str:
    """Return the mark of a proof; one of the placement alone is another."""
    return "+" if plan.status is Status.OPTIMAL and plan.decided == "placement" else MARKS[plan.status]


def legend(cells: Sequence[Cell]) -> str:
    """Return what the cells say."""
    if any(cell.plan is not None and cell.plan.placement is not None for cell in cells):
        return PLACED_LEGEND
    return LEGEND


def grid(cells: Sequence[Cell]) -> DataFrame:
    """Return instances x formulations, as text; instances of one name are told apart by their position."""
    import pandas as pd

    names = ["row", *PROBLEM, "formulation"]
    frame = pd.DataFrame(
        [(*(getattr(cell, name) for name in names), cell_text(cell)) for cell in cells], columns=[*names, "text"]
    )
    wide = frame.pivot_table(index=names[:-1], columns="formulation", values="text", aggfunc="last", sort=False)
    order = list(dict.fromkeys(cell.formulation for cell in cells))
    found = wide[order].fillna("").reset_index()
    twice = found.duplicated(list(PROBLEM), keep=False)
    found["instance"] = _labels(list(found["instance"]), list(found["row"]), list(twice))
    return found.drop(columns="row")


def _labels(names: Sequence[str], positions: Sequence[int], twice: Sequence[bool]) -> list[str]:
    """Tell names that occur twice apart by their position, and by a stroke where that is a name too."""
    taken = {name for name, again in zip(names, twice, strict=True) if not again}
    labels = []
    for name, position, again in zip(names, positions, twice, strict=True):
        label = f"{name} #{position + 1}" if again else name
        while again and label in taken:
            label += "'"
        taken.add(label)
        labels.append(label)
    return labels


def show(console: Console, cells: Sequence[Cell]) -> None:
    """Print the grid: what is the same in all rows above it, times below the costs, as many columns as fit."""
    if not cells:
        console.print("nothing was solved before the stop")
        return
    frame = grid(cells)
    same = [name for name in PROBLEM[1:] if frame[name].nunique() == 1]
    if same:
        console.print(", ".join(f"{name} {frame[name].iloc[0]}" for name in same))
    own = [name for name in PROBLEM if name not in same]
    for names in _fitting(frame, own, console.width):
        console.print(_table(frame, [*own, *names]))
    console.print(legend(cells))


def _fitting(frame: DataFrame, own: Sequence[str], width: int) -> list[list[str]]:
    """Split the formulations into groups whose columns fit a width beside the columns of the problem."""
    groups: list[list[str]] = [[]]
    left = room = width - sum(_width(frame, name) for name in own)
    for name in frame.columns.difference([*PROBLEM], sort=False):
        left -= _width(frame, name)
        if left < 0 and groups[-1]:
            groups.append([])
            left = room - _width(frame, name)
        groups[-1].append(name)
    return groups


def _width(frame: DataFrame, name: str) -> int:
    lines = (line for text in (_heading(name), *map(_folded, frame[name])) for line in text.split("\n"))
    return max(map(len, lines)) + 2


def _table(frame: DataFrame, names: Sequence[str]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        left = name in PROBLEM[:2]
        table.add_column(_heading(name), justify="left" if left else "right", vertical="bottom", no_wrap=True)
    for values in frame[list(names)].itertuples(index=False):
        table.add_row(*map(_folded, values))
    return table


def _heading(name: str) -> str:
    return name.replace("-", "-\n")


def _folded(value: object) -> str:
    """Put the time below the cost."""
    text = str(value)
    return text.replace(" ", "\n", 1) if text[:1].isdigit() and " " in text else text


FILES = ("comparison.csv", "comparison.md", "comparison.json")


def write_files(cells: Sequence[Cell], folder: Path) -> list[Path]:
    """Write comparison.csv, .md and .json, each atomically; return their paths, none where there are no cells."""
    import pandas as pd

    if not cells:
        return []
    flat = rows(cells)
    table = pd.DataFrame(flat, dtype=object).drop(columns="versions")
    texts = table.to_csv(index=False), markdown(cells), json.dumps(flat, indent=1)
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


def markdown(cells: Sequence[Cell]) -> str:
    """Return the grid as Markdown, with its legend and the footnotes."""
    body = grid(cells).map(lambda text: str(text).replace("|", "\\|")).to_markdown(index=False, disable_numparse=True)
    return "\n".join(
        ["# Comparison", "", legend(cells) + ".", "", body, "", *(f"- {note}" for note in footnotes(cells)), ""]
    )


def footnotes(cells: Sequence[Cell]) -> list[str]:
    """Return each formulation's notes and refusals once, with the instances that they are of."""
    found: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        note = cell.refusal or (cell.plan.note if cell.plan else "")
        if note:
            found.setdefault((cell.formulation, note), []).append(cell.instance)
    return [f"{name} ({', '.join(dict.fromkeys(instances))}): {note}" for (name, note), instances in found.items()]
