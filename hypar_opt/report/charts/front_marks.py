"""A Pareto front drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.theme import PALETTE
from hypar_opt.report.numbers import unit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

SUPPORTED, UNSUPPORTED, WEIGHED = "a weighted sum finds it", "no weighted sum finds it", "a plan of the front"
SHAPES: Final = {SUPPORTED: "circle", UNSUPPORTED: "diamond", WEIGHED: "circle"}
LEAST_COLOUR: Final = PALETTE[5]
CHOSEN: Final = "chosen"
"""The selection; what a page is told of is the mark's `point`."""


def chart_of(rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.TopLevelMixin:
    """Return the points; between two components' a line of steps: what lies above it is dominated."""
    import altair as alt

    data = alt.InlineData(values=[dict(row) for row in rows])
    base = alt.Chart(data).encode(x=_axis(alt.X, rows, components, 0), y=_axis(alt.Y, rows, components, 1))
    layers: list[Any] = []
    if len(components) == 2:
        layers.append(base.mark_line(interpolate="step-after", color="#bbb", strokeWidth=1, aria=False))
    layers.append(_ring(rows, components, product))
    layers.append(_points(base, rows, components))
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


def _ring(rows: Sequence[Mapping[str, Any]], components: Sequence[str], product: str) -> alt.Chart:
    """Return a square around the point of the least product, and the words for it in the legend."""
    import altair as alt

    least = [{"v0": row["v0"], "v1": row["v1"], "product": product} for row in rows if row["least"]]
    scale = alt.Scale(domain=[product], range=[LEAST_COLOUR])
    legend = alt.Legend(orient="bottom", title=None, symbolType="square", symbolFillColor="white", symbolSize=130)
    made: alt.Chart = (
        alt.Chart(alt.InlineData(values=least))
        .mark_point(shape="square", size=260, strokeWidth=1.8, filled=False, aria=False)
        .encode(
            x=_axis(alt.X, rows, components, 0),
            y=_axis(alt.Y, rows, components, 1),
            stroke=alt.Stroke("product:N", scale=scale, legend=legend),
        )
    )
    return made


def _points(base: alt.Chart, rows: Sequence[Mapping[str, Any]], components: Sequence[str]) -> alt.Chart:
    import altair as alt

    kinds = [kind for kind in SHAPES if any(row["kind"] == kind for row in rows)] or [SUPPORTED]
    chosen = alt.selection_point(name=CHOSEN, fields=["point"], toggle=False, empty=False, clear=False)
    legend = alt.Legend(orient="bottom", title=None, columns=2, symbolStrokeColor=PALETTE[0])
    shape = alt.Shape(
        "kind:N",
        scale=alt.Scale(domain=kinds, range=[SHAPES[kind] for kind in kinds]),
        legend=None if WEIGHED in kinds else legend,
    )
    tips = [alt.Tooltip("point:Q")]
    tips += [alt.Tooltip(f"e{axis}:N", title=name) for axis, name in enumerate(components)]
    fill: Any = alt.Fill("kind:N", scale=alt.Scale(domain=kinds, range=[PALETTE[0], "white"]), legend=legend)
    if len(components) > 2:
        third = components[2]
        ramp = alt.Legend(orient="bottom", format="~s", gradientLength=220)
        fill = alt.Fill("v2:Q", title=f"{third} ({unit_of(third)})", scale=alt.Scale(scheme="viridis"), legend=ramp)
    made: alt.Chart = (
        base.mark_point(size=46, stroke=PALETTE[0], opacity=1, cursor="pointer")
        .encode(
            shape=shape,
            fill=fill,
            strokeWidth=alt.condition(chosen, alt.value(3), alt.value(1.2)),
            tooltip=[*tips, alt.Tooltip("kind:N", title="found by")],
        )
        .add_params(chosen)
    )
    return made
