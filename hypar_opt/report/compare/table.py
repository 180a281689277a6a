"""A comparison as tables and files: instances x formulations, costs and times."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.report.compare import notes
from hypar_opt.report.numbers import times_of, unit_of
from hypar_opt.report.tables import (
    DATA,
    PEOPLE,
    Column,
    Entry,
    Table,
    TableDocument,
    best_in_rows,
    json_rows,
    notes_lifted,
    scaled,
    write_document,
)
from hypar_opt.util.numbers import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hypar_opt.report.tables.table import Value
    from hypar_opt.studies.compare import Cell

DIGITS: Final = 4
PLAIN_DIGITS: Final = 6
"""Of what has no unit and is no whole number."""
PROVEN: Final = "*: proven to be optimal"


def cost_table(cells: Sequence[Cell]) -> Table:
    """Return what the plans cost, instances x formulations: the best of each row marked, the rest explained."""
    measure = _measure(cells)
    costs = [cost for cell in cells if (cost := _cost(cell, measure)) is not None]
    unit = unit_of(measure)
    scale, shown = scaled(costs, unit)
    shown += times_of(measure)
    # a number without a unit that is shown as 1,546,220,000 would be read as exact
    exact = all(map(is_whole, costs))
    digits = DIGITS if unit else None if exact else PLAIN_DIGITS
    column = Column("", "", shown, scale, digits, "least", group=measure or "objective")
    legend = ("The best of each row is in bold", *notes.proofs(PROVEN, cells))
    found = _grid(cells, column, lambda cell: notes.entry_of(cell, _cost(cell, measure)))
    what = measure.capitalize() if measure in COMPONENTS else "Objective" + (f" {measure}" if measure else "")
    title = f"{what} of the plans that each formulation finds"
    return _marked(replace(found, name="comparison-cost", title=title), legend)


def time_table(cells: Sequence[Cell]) -> Table:
    """Return how long that took; the least of those that end with a proof is marked."""
    column = Column("", "", "ms", Fraction(1, 1000), 3, "least", group="time")
    legend = ("The least time to a proof of each row is in bold", *notes.proofs(PROVEN, cells))
    title = "Time of encoding and solving"
    return _marked(replace(_grid(cells, column, _time_entry), name="comparison-time", title=title), legend)


def _marked(table: Table, legend: Sequence[str]) -> Table:
    """Mark the best of each row, and say so where anything is marked: one alone is not compared."""
    found = best_in_rows(table)
    marked = any(entry.best for row in found.rows for entry in row.values())
    return replace(found, notes=(*(legend if marked else legend[1:]), *found.notes))


def _measure(cells: Sequence[Cell]) -> str:
    """Return the component that all plans are measured by; nothing where the objectives differ or are of several."""
    objectives = {cell.objective for cell in cells}
    return objectives.pop() if len(objectives) == 1 else ""


def _cost(cell: Cell, measure: str) -> int | Fraction | None:
    if cell.plan is None or cell.plan.status is Status.ERROR:
        return None
    return cell.plan.communication_bytes if measure == COMMUNICATION else cell.plan.objective


def _time_entry(cell: Cell) -> Entry:
    plan = cell.plan
    if plan is None or plan.status is Status.ERROR:
        return Entry(None, notes=notes.footnotes(cell))
    proven = plan.proven and not notes.of_placement_alone(plan)
    return Entry(plan.runtime_s, mark=notes.mark(plan), comparable=proven)


def _grid(cells: Sequence[Cell], column: Column, entry: Callable[[Cell], Entry]) -> Table:
    """Return instances x formulations; what is the same of all instances is said once, below."""
    firsts = notes.first_cells(cells)
    problems, said = notes.problem_columns(firsts)
    names = list(dict.fromkeys(cell.formulation for cell in cells))
    columns = (*problems, *(replace(column, key=name, heading=name) for name in names))
    made = []
    for first, label, row in zip(firsts, notes.labels(firsts), notes.by_rows(cells, "formulation"), strict=True):
        entries = dict.fromkeys(names, Entry(None, notes=("not reached before the stop",)))
        entries |= {name: entry(cell) for name, cell in row.items()}
        made.append(notes.problem_entries(first, label, problems, firsts[0]) | entries)
    return notes_lifted(Table("", "", columns, tuple(made), said))


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
    Column("axes", "axes"),
    Column("versions", "versions", formats=("json",)),
)
"""Of the files for machines."""
OF_PLAN: Final = ("communication_bytes", "objective", "native_status", "note", "seed", "instance_sha256")
"""Those that have what plans say of themselves."""


def flat_table(cells: Sequence[Cell]) -> Table:
    """Return a row a cell, with all that is known of it; unknown is None, never a made-up number."""
    columns = tuple(replace(column, formats=DATA) if PEOPLE[0] in column.formats else column for column in COLUMNS)
    return Table("comparison", "Comparison", columns, tuple(_row(cell) for cell in cells))


def rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Return the same for JSON."""
    return json_rows(flat_table(cells))


def _row(cell: Cell) -> dict[str, Entry]:
    plan = cell.plan
    found: dict[str, Value] = {name: getattr(cell, name) for name in (*notes.PROBLEM, "formulation")}
    found |= {"status": notes.word(plan), "note": cell.refusal}
    if plan is not None:
        found |= {name: getattr(plan, name) for name in OF_PLAN}
        found |= {"bound": notes.bound(plan), "runtime_s": round(plan.runtime_s, 4), "versions": dict(plan.versions)}
    return {column.key: Entry(found.get(column.key)) for column in COLUMNS}


def document(cells: Sequence[Cell], expected: int | None = None, together: int = 1) -> TableDocument:
    """Return the comparison's tables.

    Parameters
    ----------
    expected
        How many cells were asked for: tables for people say so where there are fewer.
    together
        How many were solved at a time, which the table of times says.
    """
    stopped = () if expected in (None, len(cells)) else (f"Stopped after {len(cells)} of {expected} solves",)
    times = time_table(cells)
    times = replace(times, notes=(*times.notes, *notes.solved_together(together)))
    tables = tuple(replace(one, notes=(*one.notes, *stopped)) for one in (cost_table(cells), times))
    return TableDocument("comparison", flat_table(cells), tables, "Comparison")


def write_files(cells: Sequence[Cell], folder: Path, expected: int | None = None, together: int = 1) -> list[Path]:
    """Write comparison.csv, .md, .tex and .json, each atomically; return their paths, none where there are no cells."""
    return write_document(document(cells, expected, together), folder) if cells else []
