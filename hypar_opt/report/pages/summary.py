"""All results of a report in one table: a row for every instance and formulation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.compare.notes import bound, of_placement_alone, said_of, word
from hypar_opt.report.numbers import in_objective, percent
from hypar_opt.report.pages.plans import badge_of
from hypar_opt.report.tables import DATA, Column, Entry, Table
from hypar_opt.util.surd import fraction_near

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.compare import Cell

COLUMNS: Final = (
    Column("instance", "Instance"),
    Column("accounting", "Accounting"),
    Column("batch", "Batch"),
    Column("levels", "Levels"),
    Column("axes", "Axes"),
    Column("formulation", "Formulation"),
    Column("status", "Status"),
    Column("objective", "Cost", best="least"),
    Column("bound", "Bound"),
    Column("gap", "Gap"),
    Column("communication_bytes", "Communication", unit="GB", scale=10**9, digits=4),
    Column("runtime_s", "Time", unit="s", digits=3),
    Column("native_status", "In its own words"),
    Column("note", "Note", formats=DATA),
    Column("seed", "Seed", formats=DATA),
    Column("instance_sha256", "Hash", formats=DATA),
)
SAME: Final = ("instance", "accounting", "batch", "levels", "axes")
"""Columns that are left out on a page where they say the same in every row."""
FROM_FILE: Final = "from a plan file: its cost is recomputed here, its bound and its proof are as the file has them"
WEIGHED: Final = (
    "Costs are {}; the star marks the least of each instance, ties included. The gap is (cost - bound) / cost, "
    "with the greatest bound that is proven of the instance here."
)
PLACED_ALONE: Final = (
    "it is proven that no placement of these strategies costs less; other strategies may, and bounds of those are of "
    "another problem: it has no gap to them"
)
PLACED_GIVEN: Final = (
    "the placement was searched for given strategies: bounds of all strategies are of another problem, and it has no "
    "gap to them"
)


def summary(subjects: Sequence[Subject], name: str = "summary", title: str = "Results") -> Table:
    """Return the table of all results.

    Parameters
    ----------
    subjects
        In order.
    name, title
        Of the table.
    """
    rows = [row for subject in subjects for row in _rows(subject)]
    objectives = list(dict.fromkeys(subject.instance.objective.spelt for subject in subjects))
    alike = {key for key in SAME if len({row[key].value for row in rows}) == 1}
    if objectives == [COMMUNICATION] or all(subject.problem.use == "task-graph" for subject in subjects):
        alike.add("communication_bytes")
    columns = tuple(replace(one, formats=DATA) if one.key in alike else one for one in COLUMNS)
    return Table(name, title, columns, tuple(rows), (WEIGHED.format(" or ".join(objectives) or "-"),))


def same(table: Table) -> dict[str, str]:
    """Return what is the same in all rows of a summary, by heading; it stands above the table."""
    hidden = [column for column in table.columns if column.key in SAME and column.formats == DATA]
    said = {column.heading: table.rows[0][column.key].value for column in hidden if table.rows}
    return {heading: str(value) for heading, value in said.items() if value is not None}


def gap(plan: Plan, proven: Fraction | None) -> Fraction | None:
    """Return by how much of the cost a proven bound is below it, exactly but for roots; None where either is not known.

    It is None of a placement of given strategies, too: the bound is one of all strategies.
    """
    if plan.objective is None or proven is None or plan.decided == "placement":
        return None
    cost, least = fraction_near(plan.objective), fraction_near(proven)
    return (cost - least) / abs(cost) if cost else Fraction(0)


def _rows(subject: Subject) -> Iterable[dict[str, Entry]]:
    answers = [cell.plan for cell in subject.cells if cell.plan is not None and cell.plan.status is not Status.ERROR]
    least = min((plan.objective for plan in answers if plan.objective is not None), default=None)
    proven = max((known for plan in answers if (known := bound(plan)) is not None), default=None)
    given = {named.name for named in subject.plans if named.source}
    for cell in subject.cells:
        said = cell.refusal or (cell.plan.note if cell.plan is not None else "")
        alone = of_placement_alone(cell.plan)
        placed = cell.plan is not None and cell.plan.decided == "placement" and cell.plan.strategies is not None
        whether = (
            (PLACED_ALONE, alone),
            (PLACED_GIVEN, placed and not alone),
            (said, bool(said)),
            (FROM_FILE, cell.formulation in given),
        )
        yield _row(subject, cell, least, proven, tuple(text for text, holds in whether if holds))


def _row(
    subject: Subject, cell: Cell, least: Fraction | None, proven: Fraction | None, notes: tuple[str, ...]
) -> dict[str, Entry]:
    plan = cell.plan
    values = {name: Entry(said_of(cell, name)) for name in (*SAME, "formulation")}
    values["status"] = Entry(word(plan), badge_of(plan), notes=notes)
    values["instance_sha256"] = Entry(subject.instance.sha256)
    values["note"] = Entry((plan.note if plan is not None else cell.refusal) or None)
    if plan is not None:
        known, apart, objective = bound(plan), gap(plan, proven), subject.instance.objective
        best = plan.objective is not None and plan.objective == least and plan.status is not Status.ERROR
        cost = None if plan.objective is None else in_objective(objective, plan.objective)
        values |= {
            "objective": Entry(plan.objective, cost, best=best),
            "bound": Entry(known, None if known is None else in_objective(objective, known)),
            "gap": Entry(apart, None if apart is None else percent(apart)),
            "communication_bytes": Entry(plan.communication_bytes),
            "runtime_s": Entry(round(plan.runtime_s, 4)),
            "native_status": Entry(plan.native_status or None),
            "seed": Entry(plan.seed),
        }
    return {column.key: values.get(column.key, Entry(None)) for column in COLUMNS}
