"""A Pareto front as a chart: every plan that no other is better than in everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks, titled
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.numbers import in_component, number, unit_of
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.numbers import digits_apart, exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.solver.front import ParetoFront, TradeOff


SUPPORTED, UNSUPPORTED, WEIGHED = "a weighted sum finds it", "no weighted sum finds it", "a plan of the front"
SHAPES: Final = {SUPPORTED: "circle", UNSUPPORTED: "diamond", WEIGHED: "circle"}
FRAME: Final = "M-2.2,-2.2h4.4v4.4h-4.4Z"
"""Around a point: twice its size."""
SIZE: Final = 46
"""Square pixels of a point."""
LEAST_COLOUR: Final = PALETTE[5]
SAID: Final = (
    "'point ' + datum.point + ': ' + datum.e0 + ', ' + datum.e1 + (datum.e2 ? ', ' + datum.e2 : '') + "
    "', ' + datum.kind + (datum.least ? ', the least product' : '')"
)
"""Of a point, to whoever cannot see it."""
DIGITS: Final = 6
"""Of a cost in the table, or as many as tell points apart."""
CHOSEN: Final = "chosen"
"""The selection; what a page is told of is the mark's `point`."""


def chart_of(rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.TopLevelMixin:
    """Return the points; between two components' a line of steps: what lies above it is dominated."""
    places = {"x": _axis(alt.X, rows, components, 0), "y": _axis(alt.Y, rows, components, 1)}
    base, looks = alt.Chart(inline(rows)).encode(**places), _looks_of(rows, product)
    layers: list[Any] = []
    if len(components) == 2:
        layers.append(base.mark_line(interpolate="step-after", color="#bbb", strokeWidth=1, aria=False))
    # around the point of the least product
    least = [{"v0": row["v0"], "v1": row["v1"], "kind": product} for row in rows if row["least"]]
    frame = alt.Chart(inline(least)).mark_point(size=SIZE, strokeWidth=1.8, aria=False, opacity=1)
    layers += [frame.encode(**places, **looks), _points(base, looks, components)]
    return alt.layer(*layers).properties(width=440, height=280)


def _axis(channel: Any, rows: Sequence[Mapping[str, Any]], components: Sequence[str], axis: int) -> Any:
    """Return an axis without zero; of one value only, a tenth of it to both sides."""
    name, values = components[axis], [row[f"v{axis}"] for row in rows]
    scale = alt.Scale(zero=False, nice=False, padding=14)
    if len(set(values)) < 2:
        known = [one for one in values if one]
        scale = alt.Scale(zero=False, domain=[known[0] * 0.9, known[0] * 1.1] if known else [0, 1])
    axis_of = alt.Axis(**ticks(unit_of(name)), tickCount=6)
    return channel(f"v{axis}:Q", title=titled(name), scale=scale, axis=axis_of)


def _looks_of(rows: Sequence[Mapping[str, Any]], product: str) -> dict[str, Any]:
    """Return shapes and edges of points and frame: a legend takes the edge of its symbols from a scale only."""
    kinds = [kind for kind in SHAPES if any(row["kind"] == kind for row in rows)] or [SUPPORTED]
    named = [*kinds, product] if rows else kinds
    shapes = [SHAPES.get(kind, FRAME) for kind in named]
    edges = [LEAST_COLOUR if kind == product else PALETTE[0] for kind in named]
    legend = alt.Legend(orient="bottom", title=None, columns=3, symbolSize=SIZE, symbolStrokeWidth=1.4)
    return {
        "shape": alt.Shape("kind:N", scale=alt.Scale(domain=named, range=shapes), legend=legend),
        "stroke": alt.Stroke("kind:N", scale=alt.Scale(domain=named, range=edges), legend=legend),
    }


def _points(base: alt.Chart, looks: Mapping[str, Any], components: Sequence[str]) -> alt.Chart:
    chosen = alt.selection_point(name=CHOSEN, fields=["point"], toggle=False, empty=False, clear=False)
    tips = [alt.Tooltip("point:Q")]
    tips += [alt.Tooltip(f"e{axis}:N", title=name) for axis, name in enumerate(components)]
    inside: Any = alt.value("white")
    if len(components) > 2:
        third = components[2]
        ramp = alt.Legend(orient="bottom", **ticks(unit_of(third)), gradientLength=220)
        inside = alt.Fill("v2:Q", title=titled(third), scale=alt.Scale(scheme="viridis"), legend=ramp)
    made: alt.Chart = (
        base.transform_calculate(said=SAID)
        .mark_point(size=SIZE, opacity=1, cursor="pointer")
        .encode(
            **looks,
            fill=inside,
            strokeWidth=alt.condition(chosen, alt.value(3.5), alt.value(1.4)),
            tooltip=[*tips, alt.Tooltip("kind:N", title="found by")],
            description=alt.Description("said:N"),
        )
        .add_params(chosen)
    )
    return made


def front_figure(front: ParetoFront) -> Figure:
    """Return the first two components of a front, a third as colour; points that some weighting finds by their shape.

    Every mark has its point's number as `point`, from 1: a page that is told which one was clicked knows the plan.
    """
    count = len(front.points)
    plans = f"{count:,} plan{'' if count == 1 else 's'} that no other dominates"
    state = "complete" if front.complete else "NOT complete"
    title = f"{' and '.join(front.components)}: {plans} ({state})"
    best, supported = front.least_product(), front.supported()
    rows = [_row(front, supported, best, position) for position in range(count)]
    chart = chart_of(rows, front.components, _product(front))
    return figure("front", title, _alternative(front, title), chart, _table(front, supported, best))


def _product(front: ParetoFront) -> str:
    return f"least {front.components[0]} x {front.components[1]}"


def _kind(front: ParetoFront, supported: frozenset[int], position: int) -> str:
    if len(front.components) > 2:
        return WEIGHED
    return SUPPORTED if position in supported else UNSUPPORTED


def _row(front: ParetoFront, supported: frozenset[int], best: TradeOff | None, position: int) -> dict[str, Any]:
    point = front.points[position]
    row: dict[str, Any] = {
        "point": position + 1,
        "kind": _kind(front, supported, position),
        "least": point is best,
    }
    for axis, (name, value) in enumerate(zip(front.components, point.values, strict=True)):
        row |= {f"v{axis}": float(value), f"e{axis}": f"{exact(value)} {unit_of(name)}"}
    return row


def _alternative(front: ParetoFront, title: str) -> str:
    """Return how far apart the ends of the front are, and where the least product is."""
    what = f"{title[0].upper()}{title[1:]}."
    if not front.points:
        return what
    first, last, best = front.points[0], front.points[-1], front.least_product()
    assert best is not None  # there are points

    def said(point: TradeOff) -> str:
        values = zip(front.components, point.values, strict=True)
        return ", ".join(f"{name} {in_component(name, value)}" for name, value in values)

    place = front.points.index(best) + 1
    parts = [f"The first has {said(first)}"]
    if len(front.points) > 1:
        parts += [f"the last {said(last)}", f"the {_product(front)} has point {place}, {said(best)}"]
    if len(front.components) == 2:
        inside = len(front.points) - len(front.supported())
        parts += [f"{inside:,} of them no weighted sum of the two finds"] if inside else []
    note = f" {front.note}." if front.note else ""
    return f"{what} {'; '.join(parts)}.{note}"


def _table(front: ParetoFront, supported: frozenset[int], best: TradeOff | None) -> Table:
    by_component = zip(*(point.values for point in front.points), strict=True)
    digits = [digits_apart(each, number, DIGITS) for each in by_component] or [DIGITS] * len(front.components)
    columns = (
        Column("point", "Point"),
        *(
            Column(name, name.capitalize(), unit_of(name), digits=most, best="least")
            for name, most in zip(front.components, digits, strict=True)
        ),
        Column("kind", "Found by"),
        Column("mark", "Marked"),
    )
    least = [min(values) for values in zip(*(point.values for point in front.points), strict=True)]
    rows = []
    for position, point in enumerate(front.points):
        values = (Entry(value, best=value == lowest) for value, lowest in zip(point.values, least, strict=True))
        mark = _product(front) if point is best else None
        rows.append((position + 1, *values, _kind(front, supported, position), mark))
    state = "complete" if front.complete else "not complete"
    notes = (f"By {front.formulation}: {state} ({front.native_status}).", *((front.note,) if front.note else ()))
    return Table("front", "Plans that no other dominates", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind(
    "front",
    "Pareto front",
    "front",
    front_figure,
    "front",
    accepts=lambda front: bool(front.points),
    of=("network", "operators"),
)
