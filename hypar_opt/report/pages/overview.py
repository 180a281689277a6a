"""The first lines of a report: what it is of, how many, and what was best for each instance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.exploring import counted
from hypar_opt.report.numbers import in_aim
from hypar_opt.report.pages.plans import alike
from hypar_opt.report.tables import Column, Entry, Table
from hypar_opt.reporting.ordering import best_first, place_of, proves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.plan import Plan
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.reporting import Named, Report, Subject

BASE = "data-parallel"
"""What the best plans are compared with."""


def lead(report: Report) -> str:
    """Return in a sentence what the report is of."""
    subjects = report.subjects
    if not subjects:
        return "No instance was reached."
    aims = list(dict.fromkeys(one.instance.aim.spelt for one in subjects))
    names = sorted(dict.fromkeys(cell.formulation for one in subjects for cell in one.cells), key=place_of)
    return (
        f"Parallelism plans for {counted(len(subjects), 'network')} on an accelerator array, by "
        f"{counted(len(names), 'formulation')}: {', '.join(names) or 'none'}. The objective is {' or '.join(aims)}. "
        "All costs are recomputed by code that shares nothing with the solvers."
    )


def numbers(report: Report) -> list[tuple[str, str]]:
    """Return how many there are of what, each number with its words."""
    plans = sum(len(one.plans) for one in report.subjects)
    proven = sum(any(proves(named.plan) for named in one.plans) for one in report.subjects)
    points = sum(len(one.front.points) for one in report.subjects if one.front is not None)
    found = [
        (len(report.subjects), "instances"),
        (proven, "of them with a plan that is proven optimal"),
        (plans, "plans, each checked"),
        (points, "plans on Pareto fronts"),
    ]
    if report.claims is not None:
        refuted = sum(row.verdict.value == "refuted" for row in report.rows)
        found += [(len(report.rows), "claims judged"), (refuted, "claims refuted")]
    return [(f"{number:,}", text) for number, text in found]


def overview(subjects: Sequence[Subject]) -> Table | None:
    """Return a row an instance: its best plan, and how much less that costs than data parallelism."""
    if not subjects:
        return None
    columns = (
        Column("instance", "Instance"),
        Column("layers", "Layers"),
        Column("cost", "Least cost"),
        Column("by", "Found by"),
        Column("proven", "Proven by"),
        Column("ratio", f"Times less than {BASE}", digits=3),
        Column("different", "Different plans"),
        Column("front", "On the front"),
    )
    return Table("overview", "Instances", columns, tuple(_row(one) for one in subjects))


def _row(subject: Subject) -> dict[str, Entry]:
    groups = alike(subject.plans)
    best = groups[0] if groups else None
    least = None if best is None else best.plan.objective
    found = sorted((each for one in groups if one.plan.objective == least for each in one.all), key=best_first)
    front = subject.front
    return {
        "instance": Entry(subject.instance.name),
        "layers": Entry(len(subject.problem.work.layers)),
        "cost": Entry(least, None if least is None else in_aim(subject.instance.aim, least)),
        "by": Entry(_names(found)),
        "proven": Entry(_names([named for named in found if proves(named.plan)])),
        "ratio": Entry(_ratio(subject, best)),
        "different": Entry(len(groups)),
        "front": Entry(None if front is None else len(front.points)),
    }


def _names(plans: Sequence[Named]) -> str | None:
    return ", ".join(named.name for named in plans) or None


def _ratio(subject: Subject, best: Alike | None) -> Fraction | None:
    base: Plan | None = next((one.plan for one in subject.plans if one.name == BASE), None)
    if best is None or base is None or base.objective is None or not best.plan.objective:
        return None
    return base.objective / best.plan.objective
