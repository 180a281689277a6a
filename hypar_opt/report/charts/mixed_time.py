"""A step on several kinds of accelerators, class by class: when each computes, reads and waits."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.mixed_colours import folded
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.mixed.array import class_text
from hypar_opt.report.mixed.classes import waiting_lines
from hypar_opt.report.mixed.step import COMPUTING
from hypar_opt.report.numbers import in_si
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.report.content.mixed_plan import NamedMixedPlan
    from hypar_opt.report.mixed.step import MixedStep

READING: Final = "reading"
WAITING: Final = "waiting"
COLOURS: Final[Mapping[str, str]] = MappingProxyType({COMPUTING: "#0072B2", READING: "#E69F00", WAITING: "#E4E4E4"})
WIDE: Final = 620
ROW: Final = 30
"""Pixels: of the step, and of a class's row."""
MOST_NAMED: Final = 12
"""Waits whose names have room above the picture."""


def mixed_time_figure(named: NamedMixedPlan) -> Figure:
    """Return what every class does when: computing, reading level by level, waiting; a line where all wait."""
    step = named.step
    data = list(pieces_of(step))
    ends = list(_ends(step))
    lines = waiting_lines(step)
    title = alt.TitleParams(f"{in_si(step.time, 's')} a step", fontSize=12, subtitle=folded(lines), anchor="start")
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", symbolType="square")
    whole = alt.Scale(domain=[0, float(step.time) or 1], nice=False)
    axis = alt.Axis(**ticks("s"), tickCount=8)
    bars = (
        alt.Chart(inline(data))
        .transform_calculate(said="datum.class + ', ' + datum.what + ': ' + datum.exact")
        .mark_bar(stroke="white", strokeWidth=0.6)
        .encode(
            x=alt.X("begin:Q", title="seconds of a step", scale=whole, axis=axis),
            x2="end:Q",
            y=alt.Y("class:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.25)),
            color=alt.Color("doing:N", scale=scale, legend=legend),
            tooltip=[alt.Tooltip(f"{field}:N") for field in ("class", "what", "short", "exact")],
            description=alt.Description("said:N"),
        )
    )
    layers: list[Any] = [bars]
    if len(ends) > 1:
        base = alt.Chart(inline(ends)).encode(x=alt.X("end:Q", scale=whole))
        layers.append(base.mark_rule(color="#333", strokeDash=[3, 2]).encode(tooltip="until:N"))
        if len(ends) <= MOST_NAMED:
            layers.append(
                alt.Chart(inline([one for one in ends if one["wide"]]))
                .mark_text(align="center", baseline="bottom", fontSize=9, aria=False)
                .encode(x=alt.X("middle:Q", scale=whole), y=alt.value(-3), text="until:N")
            )
    chart = alt.layer(*layers).properties(width=WIDE, height=ROW * len(step.classes), title=title)
    said = f"Bars, one a class of accelerators, from the beginning of a step to its end. {'. '.join(lines)}."
    return figure("mixed-time", "Time of each group, side by side", said, chart, _table(step))


def pieces_of(step: MixedStep) -> Iterator[dict[str, Any]]:
    """Yield what every class does from wait to wait: computing, reading level by level, waiting."""
    begin = Fraction(0)
    for wait, (until, row) in enumerate(zip(step.wait_names, step.waits, strict=True)):
        end = begin + max(row)
        for place, one in enumerate(step.classes):
            at = begin
            for doing, what, seconds in _doings(step, wait, place, row[place], max(row)):
                name = what if len(step.waits) == 1 else f"{until}: {what}"
                yield {
                    "class": class_text(one), "doing": doing, "what": name, "begin": float(at),
                    "end": float(at + seconds), "short": in_si(seconds, "s"), "exact": f"{exact(seconds)} s",
                }  # fmt: skip
                at += seconds
        begin = end


def _doings(
    step: MixedStep, wait: int, place: int, worked: Fraction, longest: Fraction
) -> Iterator[tuple[str, str, Fraction]]:
    """Yield what a class does before a wait that takes any time."""
    mine = [one for one in step.stints if step.setting.barrier.wait(step.work, one.part) == wait]
    computing = sum((one.seconds[place] for one in mine if one.doing == COMPUTING), start=Fraction(0))
    parts = [(COMPUTING, COMPUTING, computing)]
    for level in range(step.setting.levels):
        read = sum((one.seconds[place] for one in mine if one.part.level == level), start=Fraction(0))
        parts.append((READING, f"reading, level {level + 1}", read))
    parts.append((WAITING, WAITING, longest - worked))
    return (part for part in parts if part[2])


def _ends(step: MixedStep) -> Iterator[dict[str, Any]]:
    """Yield where each wait ends."""
    begin = Fraction(0)
    for until, row in zip(step.wait_names, step.waits, strict=True):
        end = begin + max(row)
        wide = float(max(row)) * WIDE > float(step.time) * 6 * len(until)
        yield {"until": until, "middle": float((begin + end) / 2), "end": float(end), "wide": wide}
        begin = end


def _table(step: MixedStep) -> Table:
    """Return the seconds of every class before every wait, exact."""
    columns = (
        Column("until", "until"),
        *(Column(one.name, one.name, "s", digits=4) for one in step.classes),
        Column("waited_for", "waited for"),
    )
    rows = [
        (until, *row, ", ".join(step.classes[one].name for one in last))
        for until, row, last in zip(step.wait_names, step.waits, step.last, strict=True)
    ]
    notes = tuple(f"{line}." for line in waiting_lines(step))
    return Table("mixed-time", "Seconds of work before every wait", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("mixed-time", "Who waits for whom", "plan", mixed_time_figure, "time", of=("mixed",))
