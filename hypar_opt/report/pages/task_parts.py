"""The page of a task graph: its first lines, and its sections behind the schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.pages.parts import NO_PLAN, PageSection, with_tables
from hypar_opt.report.tasks.tables import bounds_table, chain_table, memories_table, resources_table, tasks_table
from hypar_opt.report.tasks.words import GOALS
from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.report.content import Subject
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.report.tables import Table

MOST_TASKS: Final = 2000
"""Rows of a page's table of tasks; of more the numbers of the picture have all."""


def task_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what there is to do with what, and what is to be least, label by label."""
    one = subject.instance
    resources = [f"{counted(units, 'unit')} of {name}" for name, units in one.resources.items()]
    memories = [f"{name}{'' if most is None else f' of {most:,}'}" for name, most in one.memories.items()]
    waits = sum(len(task.after) for task in one.tasks)
    found = [
        ("Tasks", f"{len(one.tasks):,}, which wait {waits:,} times for another"),
        ("Resources", ", ".join(resources)),
        ("Memories", ", ".join(memories)),
        ("Asked for", f"{GOALS[one.goal]} is to be least"),
        ("Hash", one.sha256),
    ]
    return [(label, text) for label, text in found if text]


def task_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page.

    Parameters
    ----------
    asked
        What names the instance on a command line; no section has commands.
    """
    proven = PageSection("bounds", "Bounds", lead="No schedule at all is below these.")
    made = [with_tables(proven, subject, beside, [bounds_table(subject.instance)])]
    if not plans:
        return (*made, PageSection("tasks", "Tasks", missing=NO_PLAN))
    several = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
    for id, title, table in _tables(plans[0].named.judged):
        made.append(with_tables(PageSection(id, title, lead=several), subject, beside, [table]))
    return tuple(made)


def _tables(judged: JudgedTasks) -> Iterator[tuple[str, str, Table]]:
    """Yield what is said of a schedule, each with its section's name and heading."""
    if judged.repeats is None:
        yield "chain", "What leads up to the last end", chain_table(judged)
    if judged.instance.resources:
        yield "resources", "Resources", resources_table(judged)
    if judged.instance.memories:
        yield "memories", "Memories", memories_table(judged)
    if len(judged.instance.tasks) <= MOST_TASKS:
        yield "tasks-table", "Tasks", tasks_table(judged)
