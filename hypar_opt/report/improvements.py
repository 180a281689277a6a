"""How plans and bounds of runs moved, as rows: what is known of a run after every improvement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.text import cut
from hypar_opt.report.numbers import in_objective, in_si, percent, unit_of_objective
from hypar_opt.report.tables import Column, Entry, Table, TableDocument, scaled
from hypar_opt.solver.improvements import improvement_rows
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.improvements import Improvement
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem

DIGITS: Final = 6
"""Significant digits shown."""
NONE: Final = "its search told of no two plans and of no two bounds; --log has all that it told"
NOTE: Final = "Plans and bounds are what the search told on its way; verify judges the last ones alone."


@dataclass(frozen=True)
class Course:
    """How a run went.

    Parameters
    ----------
    name
        Of the method.
    improvements
        In the order of time.
    end_s
        Until when it is known that nothing was better than the last ones.
    """

    name: str
    improvements: Sequence[Improvement]
    end_s: float


@dataclass(frozen=True)
class CoursePoint:
    """What is known of a run from an improvement on: the best cost and the highest bound, None where there is none."""

    time_s: float
    cost: Fraction | None
    bound: Fraction | None


def check_course(plan: Plan, path: Path) -> None:
    """Check that what a plan's file says of its search ends with the plan's own cost and bound.

    Raises
    ------
    InputError
        If it does not; names the file and the field.
    """
    for field, own in (("cost", plan.objective), ("bound", plan.bound)):
        told = [value for one in plan.improvements if (value := getattr(one, field)) is not None]
        if told and told[-1] != own:
            what = (
                f"no '{field}', as the plan has none" if own is None else f"the plan's own {field} {_spelt(own)} last"
            )
            raise InputError(f"expected {what}, got {_spelt(told[-1])}", file=path, field="improvements")


def _spelt(value: Fraction) -> str:
    return cut(str(exact(value)))


def course_of(plan: Plan, name: str = "") -> Course:
    """Return how a plan's run went; it went on for as long as it took."""
    last = plan.improvements[-1].time_s if plan.improvements else 0.0
    return Course(name or plan.formulation, plan.improvements, max(last, plan.runtime_s))


def moments(course: Course) -> Iterator[CoursePoint]:
    """Yield what is known after each improvement; those of one time are one."""
    cost: Fraction | None = None
    bound: Fraction | None = None
    for place, one in enumerate(course.improvements):
        cost, bound = one.cost if one.cost is not None else cost, one.bound if one.bound is not None else bound
        following = course.improvements[place + 1 : place + 2]
        if not following or following[0].time_s > one.time_s:
            yield CoursePoint(one.time_s, cost, bound)


def gap_of(moment: CoursePoint) -> Fraction | None:
    """Return how far the bound is below the cost, relative to that; None where one of them is unknown, or nothing."""
    if moment.cost is None or moment.bound is None or moment.cost <= 0:
        return None
    return (moment.cost - moment.bound) / moment.cost


def courses_table(courses: Sequence[Course], objective: ObjectiveFunction) -> Table:
    """Return a row a moment at which something became better: time, best cost, bound, and the gap between them."""
    found = [(course.name, one) for course in courses for one in moments(course)]
    unit, _ = unit_of_objective(objective)
    size, shown = scaled([one.cost for _, one in found if one.cost is not None], unit)
    columns = (
        Column("method", "method"),
        Column("time_s", "time", "s", digits=4),
        Column("cost", "best plan", shown, size, DIGITS, best="least"),
        Column("bound", "bound", shown, size, DIGITS, best="most"),
        Column("gap", "gap"),
    )
    rows = []
    for name, one in found:
        gap = gap_of(one)
        entries: list[Entry] = [Entry(name), Entry(one.time_s), Entry(one.cost), Entry(one.bound)]
        entries.append(Entry(gap, None if gap is None else percent(gap, 3)))
        rows.append(dict(zip((column.key for column in columns), entries, strict=True)))
    return Table("anytime", "Best plan and bound over time", columns, tuple(rows), (NOTE,))


def lines_of(course: Course, objective: ObjectiveFunction) -> list[str]:
    """Return when there was a first plan, and one within a hundredth of the last, in sentences."""
    plans = [(one.time_s, one.cost) for one in course.improvements if one.cost is not None]
    if not plans:
        return ["no plan was told of"]
    last = exact_number(plans[-1][1])
    near = next(time_s for time_s, cost in plans if cost - last <= abs(last) / 100)
    return [
        f"first plan after {in_si(plans[0][0], 's')}: {in_objective(objective, plans[0][1])}",
        f"within 1 % of the last one, {in_objective(objective, last)}, after {in_si(near, 's')}",
    ]


def course_document(problem: Problem, plan: Plan) -> dict[str, Any]:
    """Return how a plan's run went, for machines."""
    return {
        "instance": problem.instance.name,
        "formulation": plan.formulation,
        "objective": problem.objective.spelt,
        "runtime_s": round(plan.runtime_s, 6),
        "improvements": improvement_rows(plan.improvements),
    }


def course_tables(problem: Problem, plan: Plan) -> TableDocument:
    """Return the same as a table."""
    table = courses_table([course_of(plan)], problem.objective)
    return TableDocument("anytime", table, (table,))
