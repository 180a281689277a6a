"""Two schedules of a task graph compared: on the terminal and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.amounts import relative, signed
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import share
from hypar_opt.report.tasks.words import GOALS, in_seconds
from hypar_opt.report.two_plans import MOST_ROWS, ROLES, first_rows, plan_lines, show_in_all
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.studies.compare_tasks import TaskComparison


def show_task_comparison(console: Console, found: TaskComparison) -> None:
    """Print what two schedules come to, and the tasks that they do not do at the same time."""
    console.print(task_comparison_headline(found))
    if not found.moved:
        return
    show_in_all(console, [_values(one) for one in found.judged])
    show_folded(console, moved_rows(found))


def moved_rows(found: TaskComparison) -> list[dict[str, str]]:
    """Return a row a task that is not done at the same time, as many as a terminal shows."""
    rows = [
        {
            "task": one.task,
            **{f"begins in the {role}": _begin(begin) for role, begin in zip(ROLES, one.begins, strict=True)},
            "later by": "" if one.later is None else signed(in_seconds, one.later),
        }
        for one in found.moved[:MOST_ROWS]
    ]
    return first_rows(rows, len(found.moved))


def _begin(begin: Fraction | None) -> str:
    return "not done" if begin is None else in_seconds(begin)


def _values(judged: JudgedTasks) -> Iterator[tuple[str, str]]:
    """Yield what is counted of a schedule."""
    yield GOALS[judged.instance.goal], in_seconds(judged.objective)
    if judged.instance.goal != "makespan":
        yield GOALS["makespan"], in_seconds(judged.makespan)
    for name in judged.instance.resources:
        yield f"{name}: busy", share(judged.busy(name), 1)
    for name in judged.instance.memories:
        yield f"{name}: most kept", in_full(judged.peak(name))


def task_comparison_headline(found: TaskComparison) -> str:
    """Return which schedules are compared, what each takes, and how many tasks they do at other times."""
    instance = found.problem.instance
    lines = plan_lines(found.claims, [in_seconds(judged.objective) for judged in found.judged])
    if not found.moved:
        return "\n".join([*lines, f"{instance.name}: the schedules are the same"])
    others = sum(one.later is None for one in found.moved)
    moved = len(found.moved) - others
    differ = f"{moved:,} of {len(instance.tasks):,} tasks are done at other times"
    differ += f", {others:,} in one of them only" if others else ""
    more = signed(in_seconds, found.more) + relative(found.judged[0].objective, found.more)
    return "\n".join([*lines, f"{instance.name}: {differ}; the second less the first: {more}"])


def task_comparison_document(found: TaskComparison) -> dict[str, Any]:
    """Return a comparison for machines, in exact numbers."""
    instance = found.problem.instance
    return {
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "objective": instance.goal,
        "plans": [
            {
                "plan": str(claim.source),
                "formulation": claim.formulation,
                "status": claim.status.value,
                "objective": exact(judged.objective),
                "makespan_s": exact(judged.makespan),
            }
            for claim, judged in zip(found.claims, found.judged, strict=True)
        ],
        "tasks": [{"task": one.task, "begins_s": [exact(begin) for begin in one.begins]} for one in found.moved],
        "more": exact(found.more),
    }
