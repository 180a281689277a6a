"""What pages say of jobs whose problem is a task graph: a row a task, and what resources and memories do below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.content.task_plan import NamedTaskPlan
from hypar_opt.report.tables.displayed import shown
from hypar_opt.report.tasks.tables import chain_table, memories_table, resources_table, units_texts
from hypar_opt.report.tasks.words import in_seconds
from hypar_opt.web.network_rows import MOST_ROWS

if TYPE_CHECKING:
    from hypar_opt.report.tables import Table
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.task_problem import TaskProblem

TASK_COLUMNS: Final = ("begins", "ends", "has")
"""What is said of every task."""


def task_rows(problem: TaskProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a task that is done, by begin."""
    judged = NamedTaskPlan(plan.formulation, problem, plan).judged
    units, begins = units_texts(judged), judged.begins
    ordered = sorted(judged.done, key=lambda task: begins[task.name])
    rows = [
        {
            "layer": task.name,
            "kind": task.group or "",
            "word": "",
            "entries": [in_seconds(begins[task.name]), in_seconds(judged.ends[task.name]), units.get(task.name, "")],
        }
        for task in ordered[:MOST_ROWS]
    ]
    tables = [resources_table(judged)] if judged.instance.resources else []
    tables += [memories_table(judged)] if judged.instance.memories else []
    tables += [chain_table(judged)] if judged.repeats is None else []
    return {
        "rows": rows,
        "more": len(ordered) - len(rows),
        "axes": list(TASK_COLUMNS),
        "tables": [_shown(table) for table in tables if table.rows],
    }


def _shown(table: Table) -> dict[str, Any]:
    """Return a table in texts."""
    headings = [f"{one.heading} ({one.unit})" if one.unit else one.heading for one in table.columns]
    rows = [[shown(column, row[column.key]) for column in table.columns] for row in table.rows[:MOST_ROWS]]
    return {"title": table.title, "headings": headings, "rows": rows, "more": max(len(table.rows) - MOST_ROWS, 0)}
