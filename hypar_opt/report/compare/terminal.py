"""A comparison as a table on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.formulation.solution import GIVEN, Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, COUNTS, TOTAL
from hypar_opt.report.compare import notes
from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_seconds, times_of, unit_of
from hypar_opt.report.tables import text_table
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table as RichTable

    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.compare import Cell

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
    said = "ERROR" if plan.status is Status.ERROR else notes.instead(plan) or ""
    return f"{_cost_text(cell, plan)}{said}{notes.marks(plan)} {in_seconds(plan.runtime_s)}"


def _cost_text(cell: Cell, plan: Plan) -> str:
    if TOTAL in plan.costs and plan.objective is not None:
        return in_full(plan.objective)
    if cell.objective != COMMUNICATION and plan.objective is not None:
        return f"{float(plan.objective):.6g}"
    return "" if plan.communication_bytes is None else f"{float(plan.communication_bytes) / 1e9:.4g}"


def legend(cells: Sequence[Cell]) -> str:
    """Return what the cells say."""
    names = dict.fromkeys(cell.objective for cell in cells)
    if any(cell.plan is not None and TOTAL in cell.plan.costs for cell in cells):
        said = GRAPH_LEGEND
    elif set(names) <= {COMMUNICATION}:
        said = LEGEND
    else:
        said = ", or ".join(map(_measured, names)) + OBJECTIVE_LEGEND
    return said + notes.unbuildable_legend(cell.plan for cell in cells)


def _measured(objective: str) -> str:
    """Return what is shown of an objective, and in which unit."""
    if objective == COMMUNICATION:
        return "communication in GB (1e9 bytes)"
    if objective in COUNTS:
        return f"{objective} of the schedule"
    if objective not in COMPONENTS:
        return f"the objective {objective}, of bytes, seconds and joules"
    return f"{objective} in {unit_of(objective)}{times_of(objective)}"


MOST_REASONS: Final = 8
"""Lines that say why nothing was found."""

Row: TypeAlias = "dict[str, str]"
"""What a row shows, by column."""


def grid(cells: Sequence[Cell]) -> list[Row]:
    """Return instances x formulations, as text; instances of one name are told apart by their position."""
    firsts = notes.first_cells(cells)
    names = dict.fromkeys((cell.formulation for cell in cells), "")
    found: dict[int, Row] = {}
    for first, label in zip(firsts, notes.labels(firsts), strict=True):
        # a strategy graph has neither accounting nor batch nor levels
        values = (notes.said_of(first, name) for name in notes.PROBLEM[1:])
        known = ("-" if value is None else str(value) for value in values)
        found[first.row] = dict(zip(notes.PROBLEM, (label, *known), strict=True)) | names
    for cell in cells:
        found[cell.row][cell.formulation] = cell_text(cell)
    return list(found.values())


def show(console: Console, cells: Sequence[Cell], together: int = 1) -> None:
    """Print the grid: what is the same in all rows above it, times below the costs, as many columns as fit.

    Parameters
    ----------
    together
        How many were solved at a time.
    """
    if not cells:
        console.print("nothing was solved before the stop")
        return
    rows = grid(cells)
    same = {name: rows[0][name] for name in notes.PROBLEM[1:] if len({row[name] for row in rows}) == 1}
    if same:
        said = [f"{name} {value}" for name, value in same.items() if value != "-"]
        console.print(", ".join(said) or _without_setting(cells))
    own = [name for name in notes.PROBLEM if name not in same]
    unit = _unit(cells)
    for names in _fitting(rows, own, console.width, unit):
        console.print(_table(rows, [*own, *names], unit))
    console.print(legend(cells))
    for line in (*notes.solved_together(together), *reasons(cells)):
        console.print(line)


def _without_setting(cells: Sequence[Cell]) -> str:
    """Return what instances are that have neither accounting nor batch nor levels."""
    kinds = {"stages": "pipelines", "sends": "collectives", "begins": "task graphs"}
    found = {kinds.get(cell.plan.decided, "strategy graphs") for cell in cells if cell.plan is not None}
    return ", ".join(sorted(found or {"collectives", "pipelines", "strategy graphs", "task graphs"}))


def reasons(cells: Sequence[Cell]) -> list[str]:
    """Return why nothing was found, a line a reason with those who say it, and who left layers as given to it."""
    firsts = notes.first_cells(cells)
    labels = dict(zip((cell.row for cell in firsts), notes.labels(firsts), strict=True))
    found: dict[str, list[str]] = {}
    for cell in cells:
        plan = cell.plan
        if plan is not None and plan.status is Status.NO_SOLUTION:
            who = f"{cell.formulation} on {labels[cell.row]}" if len(labels) > 1 else cell.formulation
            found.setdefault(plan.note or plan.native_status, []).append(who)
    lines = [f"none found by {', '.join(who)}: {why}" for why, who in found.items()]
    more = len(lines) - MOST_REASONS
    lines = lines if more <= 0 else [*lines[:MOST_REASONS], f"{more} more reasons: --json has them"]
    kept = dict.fromkeys(one.formulation for one in cells if one.plan is not None and GIVEN in one.plan.statistics)
    return [*lines, f"strategies that are given stay as they are by {', '.join(kept)}"] if kept else lines


def _unit(cells: Sequence[Cell]) -> str:
    """Return the unit of all costs; nothing where there is none, or another in every row."""
    names = {cell.objective for cell in cells}
    of_graphs = any(cell.plan is not None and TOTAL in cell.plan.costs for cell in cells)
    [name] = names if len(names) == 1 and not of_graphs else [""]
    if name == COMMUNICATION:
        return "GB"
    return f"{unit_of(name)}{times_of(name)}" if name in COMPONENTS else ""


def _fitting(rows: Sequence[Row], own: Sequence[str], width: int, unit: str) -> list[list[str]]:
    """Split the formulations into groups whose columns fit a width beside the columns of the problem."""
    groups: list[list[str]] = [[]]
    left = room = width - sum(_width(rows, name, unit) for name in own)
    for name in list(rows[0])[len(notes.PROBLEM) :]:
        left -= _width(rows, name, unit)
        if left < 0 and groups[-1]:
            groups.append([])
            left = room - _width(rows, name, unit)
        groups[-1].append(name)
    return groups


def _width(rows: Sequence[Row], name: str, unit: str) -> int:
    texts = (_heading(name, unit), *(_folded(row[name]) for row in rows))
    return max(len(line) for text in texts for line in text.split("\n")) + 2


def _table(rows: Sequence[Row], names: Sequence[str], unit: str) -> RichTable:
    shown = [{_heading(name, unit): _folded(row[name]) for name in names} for row in rows]
    right = [_heading(name, unit) for name in names if name not in notes.PROBLEM[:2]]
    options = {key: {"vertical": "bottom", "no_wrap": True} for key in shown[0]}
    return terminal_table(text_table(shown, right), options=options)


def _heading(name: str, unit: str) -> str:
    """Return what stands above a column; above that of the instances, where there is room, the unit of all costs."""
    if name == notes.PROBLEM[0]:
        return f"in {unit}\n{name}" if unit else name
    return name.replace("-", "-\n")


def _folded(text: str) -> str:
    """Put the time below the cost."""
    return text.replace(" ", "\n", 1) if text[:1].isdigit() and " " in text else text
