"""Schedules of task graphs on the terminal and for machines: when each task begins, and on which units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.tasks import units_of
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_component, share
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import counted, decimal, exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.task_problem import TaskProblem
    from hypar_opt.studies.regrets import Explanation

MOST_TASKS: Final = 40
"""Rows of tasks, unless all are asked for."""
SAID: Final[Mapping[str, str]] = {
    "makespan": "the last task ends after",
    "completion-times": "weighted, tasks end after",
    "period": "everything is done again every",
}
"""By what is to be least, what its value says."""


def show_task_plan(
    console: Console,
    problem: TaskProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, a row a task in the order of begins, a row a resource and a row a memory."""
    console.print(headline(problem, plan))
    if plan.strategies is None:
        return
    judged = problem.judged(plan.strategies)
    show_folded(console, task_rows(judged, every_row=every_row))
    rows = resource_rows(judged)
    if rows:
        show_folded(console, rows)


def headline(problem: TaskProblem, plan: Plan) -> str:
    """Return what was found, how much it takes, and what is proven of it."""
    lines = [found_line(plan), about(problem.instance)]
    if plan.objective is not None:
        value = in_component(TIME, plan.objective)
        lines.append(f"{SAID[problem.instance.goal]} {value}{gap(problem.objective, plan)}")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def about(instance: TaskGraphInstance) -> str:
    """Return how much there is of what."""
    parts = [counted(len(instance.tasks), "task")]
    parts += [f"{units:,} x {name}" for name, units in instance.resources.items()]
    parts += [
        f"{name} of any size" if most is None else f"{name} of {most:,}" for name, most in instance.memories.items()
    ]
    return f"{', '.join(parts)}; least {instance.goal}"


def task_rows(judged: JudgedTasks, *, every_row: bool = False) -> list[dict[str, str]]:
    """Return a row a task in the order of begins, those that are not done left out."""
    begins = judged.begins
    order = sorted(judged.done, key=lambda task: begins[task.name])
    units = {name: units_of(judged.instance, judged.schedule, name) for name in _distinct(judged)}
    rows = [
        {
            "task": task.name,
            "begins (s)": decimal(begins[task.name], 6),
            "ends (s)": decimal(judged.ends[task.name], 6),
            "on": ", ".join(_on(name, count, units.get(name, {}).get(task.name)) for name, count in task.takes) or "-",
        }
        for task in (order if every_row else order[:MOST_TASKS])
    ]
    left = len(order) - len(rows)
    return [*rows, {"task": f"{left:,} more", "begins (s)": "", "ends (s)": "", "on": ""}] if left else rows


def _distinct(judged: JudgedTasks) -> list[str]:
    """Return the resources whose units are told apart: units of what is repeated may change from period to period."""
    return (
        [] if judged.instance.is_periodic else [name for name, count in judged.instance.resources.items() if count > 1]
    )


def _on(name: str, count: int, units: tuple[int, ...] | None) -> str:
    if units:
        return f"{name} {' '.join(str(unit + 1) for unit in units)}"
    return name if count == 1 else f"{count:,} x {name}"


def resource_rows(judged: JudgedTasks) -> list[dict[str, str]]:
    """Return a row a resource, how busy it is, and a row a memory, how full it gets."""
    whole = 1
    rows = [
        {"of": name, "there is": f"{units:,}", "used": f"busy for {share(judged.busy(name), whole)}"}
        for name, units in judged.instance.resources.items()
    ]
    for name, most in judged.instance.memories.items():
        there = "any amount" if most is None else f"{most:,}"
        rows.append({"of": name, "there is": there, "used": f"{decimal(judged.peak(name), 12)} at most at one time"})
    return rows


def task_plan_document(problem: TaskProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with its schedule as a list of tasks, in exact numbers."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    judged = problem.judged(plan.strategies)
    tasks = [
        {
            "task": task.name,
            "begin": exact(judged.begins[task.name]),
            "end": exact(judged.ends[task.name]),
            "on": dict(task.takes),
        }
        for task in sorted(judged.done, key=lambda task: judged.begins[task.name])
    ]
    counts = {"makespan": exact(judged.makespan), "period": exact(judged.period)}
    return document | {"schedule": {**counts, "tasks": tasks}}
