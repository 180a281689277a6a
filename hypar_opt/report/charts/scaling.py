"""One network on arrays of several sizes, as curves: how much faster, and how many bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import altair as alt

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.compare.notes import word
from hypar_opt.report.numbers import in_component, unit_of
from hypar_opt.report.scaling import reasons, why_not
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.studies.sweep.sizes import PLANS
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.sweep import Point

    Panel: TypeAlias = "alt.LayerChart | alt.FacetChart"


DASHES: Final = ([1, 0], [6, 3], [2, 2])
SHAPES: Final = ("circle", "square", "triangle-up")
SAID: Final = (
    "datum.formulation + ' on ' + datum.accelerators + ': ' + "
    "(isValid(datum.gain) ? 'gain ' + format(datum.gain, '.4~g') + ', ' : '') + datum.moved + ' exchanged'"
)
"""Of a point, to whoever cannot see it."""
MOST_TICKS: Final = 8
"""Of an axis."""
HEIGHT: Final = 170
"""Pixels of a panel."""


def chart_of(rows: Sequence[Mapping[str, Any]], component: str) -> alt.TopLevelMixin:
    """Return gains above bytes, each where any is known."""
    data = inline(rows)
    counts = sorted({row["accelerators"] for row in rows})
    panels = []
    gains = [row["gain"] for row in rows if row["gain"] is not None]
    if gains:
        panels.append(_gains(data, counts, gains, component, _without(rows)))
    moved = [row["bytes"] for row in rows if row["bytes"] is not None]
    if moved:
        panels.append(_bytes(data, counts, moved, _without(rows)))
    return alt.vconcat(*panels, spacing=12)


def _without(rows: Sequence[Mapping[str, Any]]) -> list[alt.Chart]:
    """Return words at the sizes that have no plan at all."""
    counts = sorted({row["accelerators"] for row in rows})
    known = {row["accelerators"] for row in rows if row["planned"]}
    left = [{"at": count, "text": "no plan"} for count in counts if count not in known]
    if not left:
        return []
    marks: alt.Chart = alt.Chart(inline(left)).mark_text(angle=270, align="left", color="#7a4b00", aria=False)
    return [marks.encode(x="at:Q", y=alt.value(HEIGHT - 4), text="text:N")]


def _gains(
    data: alt.InlineData, counts: Sequence[int], gains: Sequence[float], component: str, without: Sequence[alt.Chart]
) -> Panel:
    low, high = min(*gains, *counts), max(*gains, *counts)
    within = [2.0**power for power in range(-40, 41, 2) if low <= 2.0**power <= high]
    ticks = (
        within if len(within) > MOST_TICKS // 2 else sorted({*within, *(2 * one for one in within if 2 * one <= high)})
    )
    scale = alt.Scale(type="log", base=2, domain=[low, high], nice=True)
    axis = alt.Axis(values=ticks, format="~r", labelOverlap=True)
    y = alt.Y("gain:Q", title=f"gain in {component}", scale=scale, axis=axis)
    ideal = alt.Chart(inline([{"at": one} for one in (counts[0], counts[-1])]))
    line = ideal.mark_line(color="#777", strokeWidth=1, aria=False).encode(x="at:Q", y="at:Q")
    end = alt.Chart(inline([{"at": counts[-1], "text": "ideal"}]))
    name = end.mark_text(align="right", dx=-10, color="#555", aria=False).encode(x="at:Q", y="at:Q", text="text:N")
    return alt.layer(line, name, *_curves(data, counts, y, "gain"), *without).properties(width=440, height=HEIGHT)


def _bytes(data: alt.InlineData, counts: Sequence[int], moved: Sequence[float], without: Sequence[alt.Chart]) -> Panel:
    powers = range(math.floor(math.log10(min(moved))), math.ceil(math.log10(max(moved))) + 1)
    scale = alt.Scale(type="log", domain=[10.0 ** powers[0], 10.0 ** powers[-1]] if len(powers) > 1 else [1, 10])
    axis = alt.Axis(**ticks("B"), values=[10.0**power for power in powers])
    y = alt.Y("bytes:Q", title="bytes exchanged", scale=scale, axis=axis)
    return alt.layer(*_curves(data, counts, y, "bytes"), *without).properties(width=440, height=HEIGHT)


def _curves(data: alt.InlineData, counts: Sequence[int], y: alt.Y, field: str) -> list[alt.Chart]:
    x = alt.X(
        "accelerators:Q",
        title="accelerators",
        scale=alt.Scale(type="log", base=2, nice=False, domain=[counts[0], max(counts[-1], 2 * counts[0])]),
        axis=alt.Axis(values=list(counts), format="d"),
    )
    base = alt.Chart(data).transform_filter(f"isValid(datum.{field})").encode(x=x, y=y)
    colour, dash, shape = (_by_formulation(kind) for kind in (alt.Color, alt.StrokeDash, alt.Shape))
    lines = base.mark_line(strokeWidth=1.6, aria=False).encode(color=colour, strokeDash=dash)
    points = (
        base.transform_calculate(said=SAID)
        .mark_point(size=45, opacity=1, strokeWidth=1.4, fill="white")
        .encode(
            color=colour,
            shape=shape,
            tooltip=[
                alt.Tooltip("accelerators:Q"),
                alt.Tooltip("formulation:N"),
                alt.Tooltip("gain:Q", title="gain", format=".4~g"),
                alt.Tooltip("cost:N", title="costs"),
                alt.Tooltip("moved:N", title="communication"),
                alt.Tooltip("status:N"),
            ],
            description=alt.Description("said:N"),
        )
    )
    cut = base.transform_filter("datum.cut").mark_text(dy=-10, aria=False).encode(text=alt.value("cut"))
    return [lines, points, cut]


def _by_formulation(channel: Any) -> Any:
    """Return a channel with its range by formulation: the same in both panels, and in every report."""
    ranges: dict[str, Any] = {"Color": list(PALETTE[:3]), "StrokeDash": list(DASHES), "Shape": list(SHAPES)}
    scale = alt.Scale(domain=list(PLANS), range=ranges[channel.__name__])
    return channel("formulation:N", scale=scale, title=None, legend=alt.Legend(orient="bottom", columns=3))


CUT = "a limit came before a plan or its proof"


def scaling_figure(points: Sequence[Point]) -> Figure:
    """Return gains over one accelerator beside the ideal, and bytes, over the number of accelerators.

    All axes are logarithmic. What is gained in is the first component that the points know; where that is the
    communication, of which one accelerator has none, there are bytes only.

    Raises
    ------
    Refusal
        If no point has a plan.
    """
    known = [point for point in points if point.costs]
    if not known:
        raise Refusal("; ".join(("no array has a plan", *(note.rstrip(".") for note in _notes(points)))))
    component = next(iter(known[0].costs))
    rows = [_row(point, component) for point in points]
    has_gains = any(row["gain"] is not None for row in rows)
    title = f"Gain in {component} over one accelerator, and bytes exchanged" if has_gains else "Bytes exchanged"
    title += " by the number of accelerators (logarithmic)"
    notes = _notes(points)
    alternative = f"{_said(known, component)} {' '.join(notes)}".strip()
    return figure("scaling", title, alternative, chart_of(rows, component), _table(points, component, notes))


def _row(point: Point, component: str) -> dict[str, Any]:
    gain, moved, cost = point.gain(component), point.costs.get(COMMUNICATION), point.costs.get(component)
    return {
        "accelerators": point.accelerators,
        "formulation": point.formulation,
        "gain": None if gain is None else float(gain),
        "bytes": float(moved) if moved else None,
        "cost": "unknown" if cost is None else f"{exact(cost)} {unit_of(component)}",
        "moved": "unknown" if moved is None else f"{exact(moved)} B",
        "status": _status(point),
        "cut": point.is_cut,
        "planned": bool(point.costs),
    }


def _status(point: Point) -> str:
    status = word(point.plan)
    return f"{status}: {CUT}" if point.is_cut else status


def _said(points: Sequence[Point], component: str) -> str:
    """Return what every curve comes to on its largest array."""
    said = []
    for name in dict.fromkeys(point.formulation for point in points):
        last = max((point for point in points if point.formulation == name), key=lambda point: point.levels)
        gain, moved = last.gain(component), last.costs.get(COMMUNICATION)
        parts = [] if gain is None else [f"gain {float(gain):.3g}"]
        parts += [] if moved is None else [f"{in_component(COMMUNICATION, moved)} exchanged"]
        said.append(f"{name} on {last.accelerators}: {', '.join(parts)}")
    gains = any(point.gain(component) is not None for point in points)
    over = f"; gains are in {component} over one accelerator" if gains else ""
    return f"A curve a formulation{over}. {'; '.join(said)}."


def _notes(points: Sequence[Point]) -> tuple[str, ...]:
    """Return what cut points are, and where there is no plan and why, each reason once."""
    cut = any(point.is_cut for point in points)
    return (*((f"Points marked 'cut': {CUT}.",) if cut else ()), *(f"{one}." for one in reasons(points)))


def _table(points: Sequence[Point], component: str, notes: tuple[str, ...]) -> Table:
    names = dict.fromkeys((component, COMMUNICATION))
    columns = (
        Column("accelerators", "Accelerators"),
        Column("formulation", "Formulation"),
        Column("status", "Status"),
        *(Column(name, name.capitalize(), unit_of(name), digits=4) for name in names),
        Column("gain", f"Gain in {component}", digits=4, best="most"),
    )
    rows = []
    for point in points:
        status = Entry(_status(point), notes=(why_not(point),) if why_not(point) else ())
        costs = (point.costs.get(name) for name in names)
        rows.append((point.accelerators, point.formulation, status, *costs, point.gain(component)))
    return Table("scaling", "Arrays of several sizes", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("scaling", "Arrays of other sizes", "points", scaling_figure, "scaling")
