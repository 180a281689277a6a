"""A comparison as a table on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, TOTAL
from hypar_opt.report.compare.notes import (
    PROBLEM,
    first_cells,
    labels,
    of_placement_alone,
    unbuildable_legend,
    unbuildable_mark,
)
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_seconds, times_of, unit_of
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pandas import DataFrame
    from rich.console import Console
    from rich.table import Table as RichTable

    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.compare import Cell

MARKS = {
    Status.OPTIMAL: "*",
    Status.FEASIBLE: "",
    Status.INFEASIBLE: "infeasible*",
    Status.NO_SOLUTION: "none found",
    Status.ERROR: "ERROR",
}
LEGEND = (
    "communication in GB (1e9 bytes), below or behind it the time of encoding and solving; "
    "* proven by that formulation; - declined (by size or kind)"
)

GRAPH_LEGEND = (
    "the whole cost of strategy graphs, of other instances communication in GB; below or behind it the time of "
    "presolve, encoding and solving; * proven by that formulation; - declined"
)
OBJECTIVE_LEGEND = (
    "; below or behind it the time of encoding and solving; * proven by that formulation; + the placement is proven to "
    "be the best of its strategies; - declined"
)


def cell_text(cell: Cell) -> str:
    """Return what one cell shows: the cost, the marks of a proof and of what cannot be built, the time."""
    plan = cell.plan
    if plan is None:
        return "-"
    marks = ("+" if of_placement_alone(plan) else MARKS[plan.status]) + unbuildable_mark(plan)
    return f"{_cost_text(cell, plan)}{marks} {in_seconds(plan.runtime_s)}"


def _cost_text(cell: Cell, plan: Plan) -> str:
    if TOTAL in plan.costs and plan.objective is not None:
        return in_full(plan.objective)
    if cell.objective != COMMUNICATION and plan.objective is not None:
        return f"{float(plan.objective):.6g}"
    return "" if plan.communication_bytes is None else f"{float(plan.communication_bytes) / 1e9:.4g}"


def legend(cells: Sequence[Cell]) -> str:
    """Return what the cells say."""
    return _legend(cells) + unbuildable_legend(cell.plan for cell in cells)


def _legend(cells: Sequence[Cell]) -> str:
    if any(cell.plan is not None and TOTAL in cell.plan.costs for cell in cells):
        return GRAPH_LEGEND
    names = dict.fromkeys(cell.objective for cell in cells)
    if set(names) <= {COMMUNICATION}:
        return LEGEND
    return ", or ".join(map(_measured, names)) + OBJECTIVE_LEGEND


def _measured(objective: str) -> str:
    """Return what is shown of an objective, and in which unit."""
    if objective == COMMUNICATION:
        return "communication in GB (1e9 bytes)"
    if objective not in COMPONENTS:
        return f"the objective {objective}, of bytes, seconds and joules"
    return f"{objective} in {unit_of(objective)}{times_of(objective)}"


def grid(cells: Sequence[Cell]) -> DataFrame:
    """Return instances x formulations, as text; instances of one name are told apart by their position."""
    import pandas as pd

    names = ["row", *PROBLEM, "formulation"]
    frame = pd.DataFrame(
        [(*(_known(getattr(cell, name)) for name in names), cell_text(cell)) for cell in cells],
        columns=[*names, "text"],
    )
    wide = frame.pivot_table(index=names[:-1], columns="formulation", values="text", aggfunc="last", sort=False)
    order = list(dict.fromkeys(cell.formulation for cell in cells))
    found = wide[order].fillna("").reset_index()
    found["instance"] = labels(first_cells(cells))
    return found.drop(columns="row")


def _known(value: str | int | None) -> str | int:
    """Return what a row has; a strategy graph has neither accounting nor batch nor levels."""
    return "-" if value is None else value


def show(console: Console, cells: Sequence[Cell]) -> None:
    """Print the grid: what is the same in all rows above it, times below the costs, as many columns as fit."""
    if not cells:
        console.print("nothing was solved before the stop")
        return
    frame = grid(cells)
    same = [name for name in PROBLEM[1:] if frame[name].nunique() == 1]
    if same:
        said = [f"{name} {frame[name].iloc[0]}" for name in same if frame[name].iloc[0] != "-"]
        console.print(", ".join(said) or "strategy graphs")
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


def _table(frame: DataFrame, names: Sequence[str]) -> RichTable:
    sides: dict[str, Literal["left", "right"]] = {name: "left" if name in PROBLEM[:2] else "right" for name in names}
    columns = tuple(Column(name, _heading(name), align=sides[name]) for name in names)
    rows = tuple(
        {name: Entry(_folded(value)) for name, value in zip(names, values, strict=True)}
        for values in frame[list(names)].itertuples(index=False)
    )
    options = {name: {"vertical": "bottom", "no_wrap": True} for name in names}
    return terminal_table(Table("comparison", "", columns, rows), options=options)


def _heading(name: str) -> str:
    return name.replace("-", "-\n")


def _folded(value: object) -> str:
    """Put the time below the cost."""
    text = str(value)
    return text.replace(" ", "\n", 1) if text[:1].isdigit() and " " in text else text
