"""A comparison drawn: a colour and a lane a formulation, a shape a status."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.plan_file import exact
from hypar_opt.report.charts.comparison_data import DECLINED, FOUND, PLACED, PROVEN
from hypar_opt.report.charts.theme import PALETTE, inline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt

    from hypar_opt.report.charts.comparison_data import Compared

SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        PROVEN: "diamond",
        PLACED: "triangle-up",
        FOUND: "circle",
        "infeasible": "triangle-down",
        "none found": "square",
        "error": "cross",
        DECLINED: "M-.5,-.5L.5,.5M.5,-.5L-.5,.5",
    }
)
"""By what is known of a cell; those from `infeasible` on have no cost."""
SAID: Final = (
    "datum.instance + ', ' + datum.formulation + ': ' + "
    "(isValid(datum.ratio) ? format(datum.ratio, '.4~g') + ' times the least, ' : '') + datum.status"
)
"""Of a mark, to whoever cannot see it."""
LARGE: Final = 4
"""A ratio from which on the axis is logarithmic."""
ACROSS: Final = 12
"""Instances that stand side by side; more stand one below the other."""
COLOURS: Final = (*PALETTE, "#999999", "#FFFFFF")
"""Of formulations; marks have a black edge. There are more than the palette has, each in a lane of its own."""
LANE: Final = 6
"""Pixels of one formulation's lane, where instances stand one below the other."""


def _rows(found: Sequence[Compared]) -> list[dict[str, Any]]:
    rows = []
    for one in found:
        rows.append(
            {
                "instance": one.instance,
                "formulation": one.cell.formulation,
                "status": one.word,
                "ratio": None if one.ratio is None else float(one.ratio),
                "cost": "none" if one.cost is None else str(exact(one.cost)),
                "note": one.note,
            }
        )
    return rows


def chart_of(found: Sequence[Compared]) -> alt.TopLevelMixin:
    """Return the marks: those with a cost in the plot, those without above it, or to its right."""
    import altair as alt

    rows = _rows(found)
    down = len({row["instance"] for row in rows}) > ACROSS
    names = [word for word in SHAPES if any(row["status"] == word for row in rows)]
    both = {
        "color": alt.Color(
            "formulation:N", sort=None, title="formulation", scale=alt.Scale(range=list(COLOURS)), legend=_legend(3)
        ),
        "shape": alt.Shape(
            "status:N",
            title="status",
            scale=alt.Scale(domain=names, range=[SHAPES[name] for name in names]),
            legend=_legend(4, symbolFillColor="white", symbolStrokeColor="black"),
        ),
        "tooltip": [alt.Tooltip(f"{key}:N", title=key) for key in ("instance", "formulation", "status", "cost")]
        + [alt.Tooltip("ratio:Q", title="over the least", format=".5g"), alt.Tooltip("note:N", title="note")],
        "description": alt.Description("said:N"),
    }
    marks = alt.Chart(inline(rows)).mark_point(filled=True, size=44, stroke="black", strokeWidth=0.6, opacity=1)
    marks = marks.transform_calculate(said=SAID)
    with_cost = marks.transform_filter("isValid(datum.ratio)").encode(
        **_lanes(down=down), **_ratios(rows, down), **both
    )
    outside = {"x": alt.value({"expr": "width + 8"})} if down else {"y": alt.value(-8)}
    without = marks.transform_filter("!isValid(datum.ratio)").encode(**_lanes(down=down), **outside, **both)
    one = alt.Chart(inline([{}])).mark_rule(color="#666").encode(**{"x" if down else "y": alt.datum(1)})
    size = {"width": 420, "height": alt.Step(LANE, **{"for": "offset"})} if down else {"width": 700, "height": 230}
    return alt.layer(one, with_cost, without).properties(**size)


def _lanes(*, down: bool) -> dict[str, Any]:
    """Return where an instance stands, and a formulation in it; the order is that of the cells."""
    import altair as alt

    if down:
        return {"y": alt.Y("instance:N", sort=None, title=None), "yOffset": alt.YOffset("formulation:N", sort=None)}
    axis = alt.Axis(labelAngle=-30, labelOverlap=False)
    return {
        "x": alt.X("instance:N", sort=None, title=None, axis=axis),
        "xOffset": alt.XOffset("formulation:N", sort=None),
    }


def _ratios(rows: Sequence[Mapping[str, Any]], down: bool) -> dict[str, Any]:
    import altair as alt

    most = max((row["ratio"] for row in rows if row["ratio"] is not None), default=1.0)
    large = most >= LARGE
    low, high = (most**-0.06, most**1.06) if large else (1 - (most - 1) / 16, most + (most - 1) / 16)
    scale = alt.Scale(type="log" if large else "linear", domain=[low, high if high > low else 2], nice=False)
    axis = alt.Axis(grid=True, format="~r", **({"values": _ticks(most)} if large else {"tickCount": 6}))
    title = f"cost over the least found{' (logarithmic)' if large else ''}"
    channel = alt.X if down else alt.Y
    return {"x" if down else "y": channel("ratio:Q", title=title, scale=scale, axis=axis)}


def _ticks(most: float) -> list[float]:
    """Return 1, 2, 5, 10, 20, ... up to a ratio; of many decades only the powers of ten."""
    powers = range(int(math.log10(most)) + 1)
    steps = (1, 2, 5) if len(powers) < 4 else (1,)
    return [step * 10.0**power for power in powers for step in steps if step * 10**power <= most]


def _legend(columns: int, **more: Any) -> alt.Legend:
    import altair as alt

    return alt.Legend(orient="bottom", columns=columns, direction="horizontal", **more)
