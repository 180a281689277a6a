"""What a report and an instance are, in the first lines of their pages."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.registry import rank_of
from hypar_opt.instance import find_instance
from hypar_opt.report.arrays.accelerator import accelerator_line
from hypar_opt.report.arrays.view import kind
from hypar_opt.report.content.content import BASELINE
from hypar_opt.report.content.kinds import KINDS
from hypar_opt.report.content.named_plan import best_first, proves
from hypar_opt.report.numbers import in_count, in_objective
from hypar_opt.report.objective import bounds_text
from hypar_opt.report.pages.plans import alike
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.studies.baseline import BASE, data_parallelism
from hypar_opt.studies.sweep import counted
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.report.content import FoundPlan, Report, Subject

OF_SOME: Final = ("ratio", "front")
"""Columns of the overview that are left out where nothing stands in them: pipelines have neither."""
OF_ONE_KIND: Final = {"pipeline": "Stages", "collective": "Schedules", "packing": "Trees", "task-graph": "Begins"}
"""By kind of problem, what a report finds that is of no other."""
CALLED: Final = {"packing": "collective", "task-graph": "task graph"}
"""By kind of problem, what its instances are called, where that is another word."""


def facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    one, work = subject.instance, subject.problem.work
    weights = in_count(sum(layer.weight for layer in work.layers))
    form = "a chain" if work.is_chain else "a graph with joins"
    choices = ", ".join(one.spec.cost.choices)
    accelerator = "" if one.accelerator is None else accelerator_line(one.accelerator)
    accelerator = accelerator.removeprefix("each accelerator: ")
    found = [
        ("Network", f"{one.name}: {counted(len(work.layers), 'layer')} to decide, {form}, {weights} weights"),
        ("Batch", f"{counted(one.batch, 'sample')} a step, {one.bytes_per_element} bytes a number"),
        (
            "Array",
            f"{counted(one.levels, 'level')}, {counted(one.partition.leaves, 'accelerator')}: {kind(one.machine)}",
        ),
        ("Each accelerator", accelerator),
        ("Accounting", one.accounting),
        ("Choices", f"{choices}; splits: {one.splits}"),
        ("Left out", "" if one.input_error else "the error of the network's input"),
        ("Objective", one.objective.spelt),
        ("Bounds", bounds_text(one.bounds)),
        ("Fixed", ", ".join(f"{layer} {word}" for layer, word in one.fix.items())),
        ("Hash", one.sha256),
    ]
    return [(label, text) for label, text in found if text]


def asked(instance: Instance | OperatorInstance) -> str:
    """Return what names the instance on a command line: its shipped name, or its file."""
    return instance.name if instance.source is None else _named(instance.source)


def _named(source: Path) -> str:
    try:
        shipped = find_instance(source.stem)
    except InputError:
        return str(source)
    return source.stem if shipped.resolve() == source.resolve() else str(source)


def command(*words: str) -> str:
    """Return a command line on which every word stays one."""
    return shlex.join(["hypar-opt", *words])


def lead(report: Report) -> str:
    """Return in a sentence what the report is of."""
    subjects = report.subjects
    if not subjects:
        return "No instance was reached."
    objectives = " or ".join(dict.fromkeys(one.instance.objective.spelt for one in subjects))
    names = sorted(dict.fromkeys(cell.formulation for one in subjects for cell in one.cells), key=rank_of)
    what = f"Parallelism plans for {counted(len(subjects), 'network')} on an accelerator array"
    for of, found in OF_ONE_KIND.items():
        if all(one.kind == of for one in subjects):
            what = f"{found} for {counted(len(subjects), CALLED.get(of, of))}"
    return (
        f"{what}, by "
        f"{counted(len(names), 'formulation')}: {', '.join(names) or 'none'}. The objective is {objectives}. "
        "All costs are recomputed by code that shares nothing with the solvers."
    )


def numbers(report: Report) -> list[tuple[str, str]]:
    """Return how many there are of what, each number with its words."""
    plans = sum(len(one.plans) for one in report.subjects)
    proven = sum(any(proves(named.plan) for named in one.plans) for one in report.subjects)
    points = sum(len(one.front.points) for one in report.subjects if one.front is not None)
    found = [counted(len(report.subjects), "instance"), f"{proven:,} of them with a plan that is proven optimal"]
    found += [f"{counted(plans, 'plan')}, each checked", f"{counted(points, 'plan')} on Pareto fronts"]
    if report.claims is not None:
        refuted = sum(row.verdict.value == "refuted" for row in report.rows)
        found += [f"{counted(len(report.rows), 'claim')} judged", f"{counted(refuted, 'claim')} refuted"]
    return [(number, text) for number, _, text in (one.partition(" ") for one in found)]


def overview(subjects: Sequence[Subject]) -> Table | None:
    """Return a row an instance: its best plan, and how much less that costs than data parallelism."""
    if not subjects:
        return None
    decided = dict.fromkeys(KINDS[one.kind].deciding for one in subjects)
    columns = (
        Column("instance", "Instance"),
        Column("layers", " or ".join(decided).capitalize()),
        Column("cost", "Least cost"),
        Column("by", "Found by"),
        Column("proven", "Proven by"),
        Column("ratio", f"Times less than {BASE}", digits=3),
        Column("different", "Different plans"),
        Column("front", "On the front"),
    )
    rows = [_row(one) for one in subjects]
    said = {key for row in rows for key, entry in row.items() if entry.value is not None or entry.notes}
    shown = tuple(one for one in columns if one.key in said or one.key not in OF_SOME)
    return Table("overview", "Instances", shown, tuple({one.key: row[one.key] for one in shown} for row in rows))


def _row(subject: Subject) -> dict[str, Entry]:
    groups = alike(subject.plans)
    best = groups[0] if groups else None
    least = None if best is None else best.plan.objective
    found = sorted((each for one in groups if one.plan.objective == least for each in one.all), key=best_first)
    front = subject.front
    base = None if subject.baseline is None else subject.baseline.plan.objective
    return {
        "instance": Entry(subject.instance.name),
        "layers": Entry(KINDS[subject.kind].decided(subject.problem)),
        "cost": Entry(least, None if least is None else in_objective(subject.instance.objective, least)),
        "by": Entry(_names(found)),
        "proven": Entry(_names([named for named in found if proves(named.plan)])),
        "ratio": Entry(base / least if base is not None and least else None, notes=_base_notes(subject)),
        "different": Entry(len(groups)),
        "front": Entry(None if front is None else len(front.points)),
    }


def _base_notes(subject: Subject) -> tuple[str, ...]:
    """Return why there is no data parallelism to compare with; or what else it is, where strategies are given."""
    why = subject.missing.get(BASELINE)
    if subject.baseline is None:
        return (why,) if why else ()
    named = KINDS[subject.kind].base(subject.instance)
    return (f"{BASE} is {named}",) if subject.instance.fix and named != data_parallelism({}) else ()


def _names(plans: Sequence[FoundPlan]) -> str | None:
    return ", ".join(named.name for named in plans) or None
