"""A comparison as tables: every cell in full, and instances x formulations for people."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.components import COMMUNICATION, COMPONENTS
from hypar_opt.plan import Status
from hypar_opt.report.comparison_rows import labels, problem_columns, problem_entries
from hypar_opt.report.numbers import unit_of
from hypar_opt.report.tables import (
    DATA,
    Column,
    Entry,
    Table,
    best_in_rows,
    json_rows,
    notes_lifted,
    number,
    scaled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.comparing import Cell
    from hypar_opt.plan import Plan
    from hypar_opt.report.tables.table import Value

DIGITS: Final = 4
PROVEN: Final = "*: proven to be optimal"
COLUMNS: Final = (
    Column("instance", "instance"),
    Column("accounting", "accounting"),
    Column("batch", "batch"),
    Column("levels", "levels"),
    Column("formulation", "formulation"),
    Column("status", "status"),
    Column("communication_bytes", "communication", "B"),
    Column("objective", "objective"),
    Column("bound", "bound"),
    Column("runtime_s", "time", "s"),
    Column("native_status", "native status"),
    Column("note", "note"),
    Column("seed", "seed"),
    Column("instance_sha256", "SHA-256 of the instance"),
    Column("versions", "versions", formats=("json",)),
)
"""Of the files for machines."""
WITHOUT: Final[Mapping[Status, str]] = MappingProxyType(
    {Status.INFEASIBLE: "infeasible", Status.NO_SOLUTION: "none found", Status.ERROR: "error"}
)
"""What is said where there is no plan."""


def flat_table(cells: Sequence[Cell]) -> Table:
    """Return a row a cell, with all that is known of it; unknown is None, never a made-up number."""
    columns = tuple(replace(column, formats=tuple(f for f in column.formats if f in DATA)) for column in COLUMNS)
    return Table("comparison", "Comparison", columns, tuple(_row(cell) for cell in cells))


def rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return the same for JSON."""
    return json_rows(flat_table(cells))


def _row(cell: Cell) -> dict[str, Entry]:
    plan = cell.plan
    values: dict[str, Value] = {
        "instance": cell.instance,
        "accounting": cell.accounting,
        "batch": cell.batch,
        "levels": cell.levels,
        "formulation": cell.formulation,
        "status": plan.status.value if plan else "DECLINED",
        "communication_bytes": plan.communication_bytes if plan else None,
        "objective": plan.objective if plan else None,
        "bound": plan.bound if plan else None,
        "runtime_s": round(plan.runtime_s, 4) if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "seed": plan.seed if plan else None,
        "instance_sha256": plan.instance_sha256 if plan else None,
        "versions": dict(plan.versions) if plan else None,
    }
    return {key: Entry(value) for key, value in values.items()}


def cost_table(cells: Sequence[Cell]) -> Table:
    """Return what the plans cost, instances x formulations: the best of each row marked, the rest explained."""
    measure = _measure(cells)
    costs = [cost for cell in cells if (cost := _cost(cell, measure)) is not None]
    unit = unit_of(measure) if measure in COMPONENTS else ""
    scale, shown = scaled(costs, unit)
    column = Column("", "", shown, scale, DIGITS if unit else 6, "least", group=measure or "objective")
    notes = ["The best of each row is in bold", PROVEN]
    if any(cell.plan is not None and _of_placement_alone(cell.plan) for cell in cells):
        notes.append("+: the placement is proven to be the best for its strategies, which are not")
    found = _grid(cells, column, lambda cell: _cost_entry(cell, measure))
    title = f"{(measure or 'objective').capitalize()} of the plans that each formulation finds"
    return best_in_rows(replace(found, name="comparison-cost", title=title, notes=(*notes, *found.notes)))


def time_table(cells: Sequence[Cell]) -> Table:
    """Return how long that took; the least of those that end with a proof is marked."""
    column = Column("", "", "ms", Fraction(1, 1000), 3, "least", group="time")
    found = _grid(cells, column, _time_entry)
    notes = ("The least time to a proof of each row is in bold", PROVEN)
    title = "Time of encoding and solving"
    return best_in_rows(replace(found, name="comparison-time", title=title, notes=(*notes, *found.notes)))


def _measure(cells: Sequence[Cell]) -> str:
    """Return the component that all plans are measured by; nothing where the objectives differ or are of several."""
    objectives = {cell.objective for cell in cells}
    return objectives.pop() if len(objectives) == 1 else ""


def _cost(cell: Cell, measure: str) -> int | Fraction | None:
    if cell.plan is None or cell.plan.status is Status.ERROR:
        return None
    return cell.plan.communication_bytes if measure == COMMUNICATION else cell.plan.objective


def _cost_entry(cell: Cell, measure: str) -> Entry:
    return Entry(_cost(cell, measure), _instead(cell.plan), notes=_notes(cell), mark=_mark(cell.plan))


def _time_entry(cell: Cell) -> Entry:
    plan = cell.plan
    if plan is None or plan.status is Status.ERROR:
        return Entry(None, notes=_notes(cell))
    proven = plan.proven and not _of_placement_alone(plan)
    return Entry(plan.runtime_s, mark=_mark(plan), comparable=proven)


def _instead(plan: Plan | None) -> str | None:
    """Return what stands where a cost would."""
    return WITHOUT.get(plan.status) if plan is not None else None


def _mark(plan: Plan | None) -> str:
    if plan is None or not plan.proven:
        return ""
    return "+" if _of_placement_alone(plan) else "*"


def _of_placement_alone(plan: Plan) -> bool:
    return plan.status is Status.OPTIMAL and plan.decided == "placement"


def _notes(cell: Cell) -> tuple[str, ...]:
    """Return why a cell has no cost, or what its cost rests on."""
    plan = cell.plan
    if plan is None:
        return (cell.refusal,)
    said = plan.native_status or plan.status.value
    before = {
        Status.OPTIMAL: "",
        Status.FEASIBLE: f"not proven{_gap(plan)}: {said}",
        Status.INFEASIBLE: "",
        Status.NO_SOLUTION: said,
        Status.ERROR: said,
    }[plan.status]
    return tuple(text for text in (before, plan.note) if text)


def _gap(plan: Plan) -> str:
    """Return how far a plan is above the proven bound, at most; nothing where no bound is worth it."""
    if plan.objective is None or plan.bound is None or plan.bound <= 0:
        return ""
    return f" ({number(100 * (plan.objective - plan.bound) / plan.bound, 2)} % above the bound)"


def _grid(cells: Sequence[Cell], column: Column, entry: Callable[[Cell], Entry]) -> Table:
    """Return instances x formulations; what is the same of all instances is said once, below."""
    found: dict[int, dict[str, Cell]] = {}
    for cell in cells:
        found.setdefault(cell.row, {})[cell.formulation] = cell
    firsts = [next(iter(row.values())) for row in found.values()]
    problems, said = problem_columns(firsts)
    names = list(dict.fromkeys(cell.formulation for cell in cells))
    columns = (*problems, *(replace(column, key=name, heading=name) for name in names))
    made = []
    for first, label, row in zip(firsts, labels(firsts), found.values(), strict=True):
        of = problem_entries(first, label, problems, firsts[0])
        made.append(of | {name: entry(row[name]) if name in row else _not_reached() for name in names})
    return notes_lifted(Table("", "", columns, tuple(made), said))


def _not_reached() -> Entry:
    return Entry(None, notes=("not reached before the stop",))
