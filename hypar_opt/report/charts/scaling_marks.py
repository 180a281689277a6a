"""Scaling curves drawn: a colour, a dash and a shape a formulation, the ideal beside them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.exploring.scaling import PLANS
from hypar_opt.report.charts.theme import PALETTE, inline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

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
    import altair as alt

    data = inline(rows)
    counts = sorted({row["accelerators"] for row in rows})
    panels = []
    gains = [row["gain"] for row in rows if row["gain"] is not None]
    if gains:
        panels.append(_gains(data, counts, gains, component))
    moved = [row["bytes"] for row in rows if row["bytes"] is not None]
    if moved:
        panels.append(_bytes(data, counts, moved))
    made: alt.TopLevelMixin = alt.vconcat(*panels, spacing=12)
    return made


def _gains(data: alt.InlineData, counts: Sequence[int], gains: Sequence[float], component: str) -> Panel:
    import altair as alt

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
    return alt.layer(line, name, *_curves(data, counts, y, "gain")).properties(width=440, height=HEIGHT)


def _bytes(data: alt.InlineData, counts: Sequence[int], moved: Sequence[float]) -> Panel:
    import altair as alt

    powers = range(math.floor(math.log10(min(moved))), math.ceil(math.log10(max(moved))) + 1)
    scale = alt.Scale(type="log", domain=[10.0 ** powers[0], 10.0 ** powers[-1]] if len(powers) > 1 else [1, 10])
    axis = alt.Axis(format="~s", values=[10.0**power for power in powers])
    y = alt.Y("bytes:Q", title="bytes exchanged", scale=scale, axis=axis)
    return alt.layer(*_curves(data, counts, y, "bytes")).properties(width=440, height=HEIGHT)


def _curves(data: alt.InlineData, counts: Sequence[int], y: alt.Y, field: str) -> list[alt.Chart]:
    import altair as alt

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
    import altair as alt

    ranges: dict[str, Any] = {"Color": list(PALETTE[:3]), "StrokeDash": list(DASHES), "Shape": list(SHAPES)}
    scale = alt.Scale(domain=list(PLANS), range=ranges[channel.__name__])
    return channel("formulation:N", scale=scale, title=None, legend=alt.Legend(orient="bottom", columns=3))
