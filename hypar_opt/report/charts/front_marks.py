"""A Pareto front drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.theme import PALETTE, inline
from hypar_opt.report.numbers import unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

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
CHOSEN: Final = "chosen"
"""The selection; what a page is told of is the mark's `point`."""


def chart_of(rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.TopLevelMixin:
    """Return the points; between two components' a line of steps: what lies above it is dominated."""
    import altair as alt

    data = inline(rows)
    base = alt.Chart(data).encode(x=_axis(alt.X, rows, components, 0), y=_axis(alt.Y, rows, components, 1))
    layers: list[Any] = []
    if len(components) == 2:
        layers.append(base.mark_line(interpolate="step-after", color="#bbb", strokeWidth=1, aria=False))
    layers += [_frame(rows, components, product), _points(base, rows, components, product)]
    return alt.layer(*layers).properties(width=440, height=280)


def _axis(channel: Any, rows: Sequence[Mapping[str, Any]], components: Sequence[str], axis: int) -> Any:
    """Return an axis without zero; of one value only, a tenth of it to both sides."""
    import altair as alt

    name, values = components[axis], [row[f"v{axis}"] for row in rows]
    scale = alt.Scale(zero=False, nice=False, padding=14)
    if len(set(values)) < 2:
        known = [one for one in values if one]
        scale = alt.Scale(zero=False, domain=[known[0] * 0.9, known[0] * 1.1] if known else [0, 1])
    return channel(
        f"v{axis}:Q", title=f"{name} ({unit_of(name)})", scale=scale, axis=alt.Axis(format="~s", tickCount=6)
    )


def _looks_of(rows: Sequence[Mapping[str, Any]], product: str) -> dict[str, Any]:
    """Return shapes and edges of points and frame: a legend takes the edge of its symbols from a scale only."""
    import altair as alt

    kinds = [kind for kind in SHAPES if any(row["kind"] == kind for row in rows)] or [SUPPORTED]
    named = [*kinds, product] if rows else kinds
    shapes = [SHAPES.get(kind, FRAME) for kind in named]
    edges = [LEAST_COLOUR if kind == product else PALETTE[0] for kind in named]
    legend = alt.Legend(orient="bottom", title=None, columns=3, symbolSize=SIZE, symbolStrokeWidth=1.4)
    return {
        "shape": alt.Shape("kind:N", scale=alt.Scale(domain=named, range=shapes), legend=legend),
        "stroke": alt.Stroke("kind:N", scale=alt.Scale(domain=named, range=edges), legend=legend),
    }


def _frame(rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.Chart:
    """Return a frame around the point of the least product."""
    import altair as alt

    least = [{"v0": row["v0"], "v1": row["v1"], "kind": product} for row in rows if row["least"]]
    places = {"x": _axis(alt.X, rows, components, 0), "y": _axis(alt.Y, rows, components, 1)}
    marks = alt.Chart(inline(least)).mark_point(size=SIZE, strokeWidth=1.8, aria=False, opacity=1)
    made: alt.Chart = marks.encode(**places, **_looks_of(rows, product))
    return made


def _points(base: alt.Chart, rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.Chart:
    import altair as alt

    chosen = alt.selection_point(name=CHOSEN, fields=["point"], toggle=False, empty=False, clear=False)
    tips = [alt.Tooltip("point:Q")]
    tips += [alt.Tooltip(f"e{axis}:N", title=name) for axis, name in enumerate(components)]
    inside: Any = alt.value("white")
    if len(components) > 2:
        third = components[2]
        ramp = alt.Legend(orient="bottom", format="~s", gradientLength=220)
        inside = alt.Fill("v2:Q", title=f"{third} ({unit_of(third)})", scale=alt.Scale(scheme="viridis"), legend=ramp)
    made: alt.Chart = (
        base.transform_calculate(said=SAID)
        .mark_point(size=SIZE, opacity=1, cursor="pointer")
        .encode(
            **_looks_of(rows, product),
            fill=inside,
            strokeWidth=alt.condition(chosen, alt.value(3.5), alt.value(1.4)),
            tooltip=[*tips, alt.Tooltip("kind:N", title="found by")],
            description=alt.Description("said:N"),
        )
        .add_params(chosen)
    )
    return made
