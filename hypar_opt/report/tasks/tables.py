"""A schedule of a task graph as tables: its tasks, its resources and memories, and what it waits for."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.evaluation.tasks.chain import chain_of
from hypar_opt.evaluation.tasks.profiles import peak_of
from hypar_opt.instance.tasks import units_of
from hypar_opt.report.numbers import scaled
from hypar_opt.report.tables import Column, Entry, Table, TableDocument, entry_rows
from hypar_opt.report.tables.table import label
from hypar_opt.report.tasks.words import GOALS, because, in_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.solver.task_problem import TaskProblem
    from hypar_opt.verification.claim import Claim

DIGITS: Final = 4
"""Significant digits of seconds where people read them."""
PERCENT: Final = Fraction(1, 100)


def task_plan_tables(problem: TaskProblem, claim: Claim) -> TableDocument:
    """Return a schedule for papers and for scripts: data has a row a task.

    Parameters
    ----------
    problem
        What it is a schedule of.
    claim
        Who claims what of it.
    """
    judged, name = problem.judged(claim.strategies_for("a plan to write as a table")), problem.instance.name
    data = tasks_table(judged)
    title = f"A schedule of {name}"
    shown = Table(f"plan-{label(name)}", title, data.columns, data.rows, (*data.notes, claim.said()))
    others = (resources_table(judged), *([memories_table(judged)] if judged.instance.memories else []))
    return TableDocument("plan", data, (shown, *others), title)


def tasks_table(judged: JudgedTasks) -> Table:
    """Return a row a task that is done, by begin; those that are not in the end."""
    instance, begins = judged.instance, judged.begins
    seconds = [*judged.ends.values(), *(task.seconds for task in instance.tasks)]
    scale, unit = scaled(seconds, "s")
    columns = [
        Column("task", "task"),
        Column("begin_s", "begin", unit, scale, DIGITS),
        Column("end_s", "end", unit, scale, DIGITS),
        Column("seconds", "takes", unit, scale, DIGITS),
        Column("units", "has"),
    ]
    grouped = any(task.group for task in instance.tasks)
    columns += [Column("group", "group")] if grouped else []
    units = units_texts(judged)
    ordered = [*sorted(judged.done, key=lambda one: begins[one.name])]
    ordered += [one for one in instance.tasks if one.name not in begins]
    rows = [
        (
            one.name,
            begins.get(one.name),
            judged.ends.get(one.name),
            one.seconds,
            units.get(one.name, "") if one.name in begins else "not done",
            *((one.group,) if grouped else ()),
        )
        for one in ordered
    ]
    return Table("plan", f"Tasks of {instance.name}", tuple(columns), entry_rows(tuple(columns), rows))


def units_texts(judged: JudgedTasks) -> Mapping[str, str]:
    """Return by task which units it has: `core 1 3, link 2`, counted from 1."""
    found: dict[str, list[str]] = {}
    for resource in judged.instance.resources:
        for name, units in units_of(judged.instance, judged.schedule, resource).items():
            if units:
                found.setdefault(name, []).append(f"{resource} {_ranges(units)}")
    return {name: ", ".join(parts) for name, parts in found.items()}


def _ranges(units: Sequence[int]) -> str:
    """Return numbers from 1, those in a row as `1-4`."""
    parts: list[list[int]] = []
    for unit in units:
        if parts and parts[-1][-1] == unit:
            parts[-1][-1] = unit + 1
        else:
            parts.append([unit + 1, unit + 1])
    return " ".join(f"{first}" if first == last else f"{first}-{last}" for first, last in parts)


def resources_table(judged: JudgedTasks) -> Table:
    """Return a row a resource: how busy its units are."""
    works = {name: judged.work(name) for name in judged.instance.resources}
    scale, unit = scaled(list(works.values()) or [Fraction(0)], "s")
    columns = (
        Column("resource", "resource"),
        Column("units", "units"),
        Column("tasks", "tasks"),
        Column("work_s", "units' time taken", unit, scale, DIGITS),
        Column("busy", "busy", "%", PERCENT, 3),
    )
    rows: list[tuple[Any, ...]] = [
        (name, units, len(judged.uses[name]), works[name], judged.busy(name))
        for name, units in judged.instance.resources.items()
    ]
    whole = "a period" if judged.period is not None else "the time up to the last end"
    return Table("resources", "Resources", columns, entry_rows(columns, rows), (f"Busy: the share of {whole}",))


def memories_table(judged: JudgedTasks) -> Table:
    """Return a row a memory: the most that is in it, and when that is so first."""
    columns = (
        Column("memory", "memory"),
        Column("most", "holds"),
        Column("peak", "most kept"),
        Column("filled", "filled", "%", PERCENT, 3),
        Column("peak_at_s", "first at", "s", 1, DIGITS),
    )
    rows: list[tuple[Any, ...]] = []
    for name, most in judged.instance.memories.items():
        moment, peak = peak_of(judged.kept(name))
        rows.append((name, most, peak, peak / most if most else None, moment))
    return Table("memories", "Memories", columns, entry_rows(columns, rows))


def chain_table(judged: JudgedTasks) -> Table:
    """Return a row a task of those that lead up to the last end, and why each does not begin earlier."""
    scale, unit = scaled([judged.makespan], "s")
    columns = (
        Column("task", "task"),
        Column("begin_s", "begin", unit, scale, DIGITS),
        Column("end_s", "end", unit, scale, DIGITS),
        Column("because", "because it", width=0.5),
    )
    rows: list[tuple[Any, ...]] = [
        (one.task, judged.begins[one.task], judged.ends[one.task], because(one)) for one in chain_of(judged)
    ]
    return Table("chain", "What leads up to the last end", columns, entry_rows(columns, rows))


def bounds_table(instance: TaskGraphInstance, most: int = 12) -> Table:
    """Return a row a bound, the greatest first.

    Parameters
    ----------
    most
        Rows.
    """
    bounds = TaskProver(instance).bounds
    columns = (Column("bound", f"{GOALS[instance.goal]} is at least"), Column("why", "because", width=0.6))
    rows = tuple(
        {
            "bound": Entry(one.value, in_seconds(one.value), best=one.value == bounds[0].value),
            "why": Entry(one.text),
        }
        for one in bounds[:most]
    )
    return Table("bounds", "Bounds", columns, rows, ("Sums that can be checked by hand, of no search",))
