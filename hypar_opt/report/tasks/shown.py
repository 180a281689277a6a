"""What `show` says of a task graph, and of a schedule of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.report.shown import Shown
from hypar_opt.report.tasks.plan import about, headline, show_task_plan, task_plan_document
from hypar_opt.report.tasks.tables import task_plan_tables
from hypar_opt.solver.task_problem import TaskProblem
from hypar_opt.util.numbers import exact
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.report.charts import Figure


def of_instance(instance: TaskGraphInstance) -> Shown:
    """Return a task graph: what there is, and what no schedule is below."""

    def show(console: Console) -> None:
        for line in instance_headline(instance):
            console.print(line)

    return Shown(partial(instance_document, instance), partial(instance_headline, instance), show)


def instance_headline(instance: TaskGraphInstance) -> list[str]:
    """Return what it is, in lines."""
    from hypar_opt.evaluation.tasks.bounds import TaskProver

    return [f"{instance.name}: {about(instance)}", f"none is below: {TaskProver(instance).best.text}"]


def instance_document(instance: TaskGraphInstance) -> dict[str, Any]:
    """Return the same for machines."""
    from hypar_opt.evaluation.tasks.bounds import TaskProver

    return {
        "name": instance.name,
        "sha256": instance.sha256,
        "tasks": len(instance.tasks),
        "resources": dict(instance.resources),
        "memories": dict(instance.memories),
        "groups": len(instance.groups),
        "objective": instance.goal,
        "bounds": [{"seconds": exact(one.value), "because": one.text} for one in TaskProver(instance).bounds],
    }


def of_plan(instance: TaskGraphInstance, path: Path) -> Shown:
    """Return a schedule of a task graph, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    problem = TaskProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.judged)

    def figure() -> Figure:
        from hypar_opt.report.charts.task_gantt import task_figure

        return task_figure(claim.formulation, judged)

    return Shown(
        partial(task_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_task_plan(to, problem, plan),
        figure,
        tables=partial(task_plan_tables, problem, claim),
    )
