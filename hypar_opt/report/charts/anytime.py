"""Best plan and bound over time, the anytime curves of runs: time in logarithm, a colour a run, bounds dashed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import steep_marks, ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.improvements import Course, course_of, courses_table, lines_of
from hypar_opt.report.numbers import in_objective, in_si, unit_of_objective
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.objective.function import ObjectiveFunction

WIDE, HIGH = 520, 260
"""Pixels."""
ROOM: Final = 0.06
"""Of what is drawn, above and below it."""
STEEP: Final = 4.0
"""If the largest value is so many times the smallest, values are drawn in logarithm, too."""
ABOVE, BELOW = 30.0, 10.0
"""Plans of more than so many times the least cost, and bounds of less than one so manyth of it, are not drawn."""
MOST: Final = 10**300
"""What is more cannot be drawn: pictures have numbers of 64 bits."""
FIRST_S: Final = 1e-3
"""Whatever was earlier is drawn there."""
FACTOR: Final = 1.1
"""The last time that is drawn is at least so many times the first."""
PLAN, BOUND = "best plan", "bound"
COLOURS: Final = tuple(colour for colour in PALETTE if colour != "#F0E442")
"""Without yellow, which a thin line on white is hard to see in."""
KINDS: Final = {PLAN: [1, 0], BOUND: [5, 3]}


def anytime_figure(courses: Sequence[Course], objective: ObjectiveFunction, of: str = "") -> Figure:
    """Return the curves of runs of one problem.

    Parameters
    ----------
    courses
        A run each, the names different.
    objective
        What costs and bounds are values of.
    of
        The instance, for the title.

    Raises
    ------
    Refusal
        If no run told of any plan or bound, or one of what is too large to be drawn.
    """
    rows = [row for course in courses for row in _rows(course, objective)]
    if not rows:
        raise Refusal("no run told of a plan or a bound on its way; there is nothing to draw over time")
    low, high, is_steep = scale_of(rows)
    for row in rows:  # what is clipped anyway is kept near: a logarithm needs it above 0
        row["value"] = min(max(row["value"], low - (high - low)), high + (high - low))
        row["value"] = max(row["value"], low / 2) if is_steep else row["value"]
    title = f"Best plan and bound over time{f': {of}' if of else ''}"
    said = [f"{course.name}: {'; '.join(lines_of(course, objective))}" for course in courses]
    outside = beyond(courses, objective, low, high)
    alternative = ". ".join(["Steps over time, in logarithm: plans solid, bounds dashed", *said, *outside]) + "."
    chart = _chart(rows, [course.name for course in courses], objective, (low, high, is_steep))
    return figure("anytime", title, alternative, chart, courses_table(courses, objective))


def _rows(course: Course, objective: ObjectiveFunction) -> Iterator[dict[str, Any]]:
    """Yield a point an improvement, and of each line its end."""
    _, worth = unit_of_objective(objective)
    for kind, field in ((PLAN, "cost"), (BOUND, "bound")):
        known = [(one.time_s, getattr(one, field)) for one in course.improvements if getattr(one, field) is not None]
        if not known:
            continue
        for time_s, value in known:
            if abs(value) > MOST * worth:
                raise Refusal(
                    f"{course.name} tells of a {kind} beyond 1e300, which cannot be drawn; a table can have it"
                )
            said = f"{course.name}: {kind} {in_objective(objective, value)} after {in_si(time_s, 's')}"
            at, near = max(FIRST_S, time_s), float(value / worth)
            yield {"seconds": at, "value": near, "run": course.name, "kind": kind, "said": said, "told": True}
        yield {
            "seconds": max(FIRST_S, course.end_s), "value": near, "run": course.name, "kind": kind, "said": said,
            "told": False,
        }  # fmt: skip


def scale_of(rows: Sequence[dict[str, Any]]) -> tuple[float, float, bool]:
    """Return from where to where values are drawn, and whether in logarithm: what is far from the best is not."""
    costs = [row["value"] for row in rows if row["kind"] == PLAN]
    best = min(costs, default=None)
    values = [row["value"] for row in rows]
    if best is not None and best > 0:
        values = [one for one in values if best / BELOW <= one <= best * ABOVE]
    low, high = min(values), max(values)
    if low > 0 and high / low > STEEP:
        room = (high / low) ** ROOM
        return low / room, high * room, True
    room = ROOM * (high - low or abs(high) or 1.0)
    return low - room, high + room, False


def beyond(courses: Sequence[Course], objective: ObjectiveFunction, low: float, high: float) -> list[str]:
    """Return what a run ended with that is not drawn, a sentence each."""
    _, worth = unit_of_objective(objective)
    said = []
    for course in courses:
        for kind, field in ((PLAN, "cost"), (BOUND, "bound")):
            last = next((v for one in reversed(course.improvements) if (v := getattr(one, field)) is not None), None)
            if last is not None and not low <= float(last / worth) <= high:
                said.append(f"Off the scale: {course.name}'s last {kind}, {in_objective(objective, last)}")
    return said


def _chart(
    rows: list[dict[str, Any]], names: list[str], objective: ObjectiveFunction, scale: tuple[float, float, bool]
) -> alt.LayerChart | alt.FacetChart:
    low, high, is_steep = scale
    unit, _ = unit_of_objective(objective)
    start = min((row["seconds"] for row in rows if low <= row["value"] <= high), default=FIRST_S)
    end = max(FACTOR * start, *(row["seconds"] for row in rows))
    x = alt.X(
        "seconds:Q",
        title="time (logarithmic)",
        scale=alt.Scale(type="log", domain=[start, end], nice=False),
        axis=alt.Axis(**ticks("s"), values=steep_marks(start, end)),
    )
    cost = objective.spelt if len(objective.components) == 1 else "objective"
    y = alt.Y(
        "value:Q",
        title=f"{cost}{' (logarithmic)' if is_steep else ''}",
        scale=alt.Scale(type="log" if is_steep else "linear", domain=[low, high], nice=False, zero=False),
        axis=alt.Axis(
            **(ticks(unit) if unit else {"format": "~s"}),
            **({"values": steep_marks(low, high)} if is_steep else {"tickCount": 6}),
        ),
    )
    colours = alt.Scale(domain=names, range=[COLOURS[place % len(COLOURS)] for place in range(len(names))])
    legend = alt.Legend(orient="bottom", columns=3) if len(names) > 1 else None
    colour = alt.Color("run:N", scale=colours, title=None, legend=legend)
    dash = alt.StrokeDash(
        "kind:N",
        scale=alt.Scale(domain=list(KINDS), range=list(KINDS.values())),
        title=None,
        legend=alt.Legend(orient="bottom", columns=2),
    )
    base = alt.Chart(inline(rows)).encode(x=x, y=y)
    line = base.mark_line(interpolate="step-after", strokeWidth=1.8, clip=True, aria=False)
    points = base.mark_point(filled=True, size=22, opacity=1, clip=True).transform_filter("datum.told")
    tooltip = [alt.Tooltip("said:N", title="improvement")]
    layers = [
        line.encode(color=colour, strokeDash=dash),
        points.encode(color=colour, tooltip=tooltip, description=alt.Description("said:N")),
    ]
    return alt.layer(*layers).properties(width=WIDE, height=HIGH)


def has_course(plans: Sequence[Any]) -> bool:
    """Return whether something is known of how a plan was found."""
    return any(one.plan.improvements for one in plans)


def _of_plans(plans: Sequence[Any]) -> Figure:
    """Return the curves of the runs that found named plans of one problem."""
    known = [one for one in plans if one.plan.improvements]
    return anytime_figure([course_of(one.plan, one.name) for one in known], known[0].problem.objective)


FIGURE: Final = FigureKind(
    "anytime",
    "Best plan and bound over time",
    "runs",
    _of_plans,
    accepts=has_course,
    of=(
        "network", "operators", "mixed", "pipeline", "precision", "staged", "collective", "packing", "task-graph",
        "strategy-graph",
    ),
)  # fmt: skip
