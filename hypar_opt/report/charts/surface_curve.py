"""The sorted gains of an exploration drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.surface_marks import BASE, cell
from hypar_opt.report.charts.theme import PALETTE, inline

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.exploring import Exploration

MOST_DRAWN: Final = 400
"""Points of a curve."""
FIRST: Final = 100
"""Ranks that are all drawn."""


def curve_of(found: Exploration) -> alt.TopLevelMixin:
    """Return the sorted gains of what is allowed, the base plan marked."""
    import altair as alt

    name, space = found.components[0], found.space
    order = found.order(space.count)
    many = len(order) > MOST_DRAWN
    rows = [{"rank": rank + 1, **cell(found, rank, order[rank])} for rank in drawn_ranks(len(order))]
    x = alt.X(
        "rank:Q",
        title=f"rank{' (logarithmic)' if many else ''}",
        scale=alt.Scale(type="log" if many else "linear", zero=False, nice=False),
        axis=alt.Axis(format="~s", tickCount=5),
    )
    y = alt.Y("gain:Q", title=f"gain in {name}", scale=alt.Scale(zero=False))
    tips = [alt.Tooltip("rank:Q"), alt.Tooltip("cost:N", title=name), alt.Tooltip("gain:Q", format=".5~g")]
    line = alt.Chart(inline(rows)).mark_line(point={"size": 12}, color=PALETTE[0])
    made: alt.TopLevelMixin = alt.layer(line.encode(x=x, y=y, tooltip=tips), _base(found, tips)).properties(
        width=440, height=240
    )
    return made


def drawn_ranks(count: int) -> list[int]:
    """Return all ranks; of many the first hundred, then fewer and fewer up to the last, as the axis has them."""
    if count <= MOST_DRAWN:
        return list(range(count))
    spaced = MOST_DRAWN - FIRST
    ratio = (count - 1) / FIRST
    return sorted({*range(FIRST), *(round(FIRST * ratio ** (i / (spaced - 1))) for i in range(spaced))})


def _base(found: Exploration, tips: list[alt.Tooltip]) -> alt.Chart:
    import altair as alt

    index = found.space.base_index
    at = [{"rank": found.rank(index), "mark": BASE, **cell(found, 0, index)}] if found.allowed[index] else []
    shape = alt.Shape(
        "mark:N", scale=alt.Scale(domain=[BASE], range=["square"]), legend=alt.Legend(orient="bottom", title=None)
    )
    made: alt.Chart = (
        alt.Chart(inline(at))
        .mark_point(size=140, strokeWidth=2, color=PALETTE[5], opacity=1)
        .encode(x="rank:Q", y="gain:Q", shape=shape, tooltip=tips)
    )
    return made
