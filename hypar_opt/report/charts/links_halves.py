"""The links of an array as marks: each in two halves, one a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.arrays.style import IDLE
from hypar_opt.report.charts.links_axes import across, up
from hypar_opt.report.charts.plan_marks import BYTES

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.report.charts.links_data import Links

STROKES: Final = "strokes"
"""What the data are called."""
MANY: Final = 100
"""Links from which all of them get thinner."""
THIN, THICK = 1.2, (7, 3)
"""Pixels of the idlest link; of the busiest one where there is room, and where there is not."""
SECONDS: Final = "datum.value ? replace(format(datum.value, '.4~s'), /([a-zµ]?)$/, ' $1s') : '0'"
"""A time in a legend, in an expression of Vega."""


def halves(known: Links) -> list[alt.Chart]:
    """Return the halves of all links, idle ones dashed and pale, others the thicker and darker the busier they are.

    That is by time where bandwidths differ: else a slow link that all wait for would look idle.
    """
    return [_coloured(_with_hover(known), known)] if known.hops else []


def _with_hover(known: Links) -> alt.Chart:
    """Return what all halves are made from; `b0` is how busy a link is at the level that is chosen."""
    import altair as alt

    what = known.unit
    digits = "format(datum.b[level], ',d')" if known.exact else "datum.B[level]"
    said = {"k": "link", "v": what}
    texts = {
        "k": "datum.s + ' → ' + datum.t",
        "b0": f"datum.b[level]{' / datum.r' if known.shown.by_time else ''}",
        "v": digits,
    }
    spoken = f"datum.k + ': ' + datum.v + ' {what}'"
    if known.timed:
        seconds = "replace(format(datum.b[level] / datum.r, '.4~s'), /([a-zµ]?)$/, ' $1s')"
        texts["m"] = f"datum.b[level] ? 'about ' + {seconds} : '0'"
        said["m"] = "time"
        spoken += " + ', ' + datum.m"
    chart: alt.Chart = (
        alt.Chart(alt.NamedData(STROKES))
        .transform_calculate(**texts)
        .transform_calculate(d=spoken)
        .encode(
            x=across("x", known), y=up("y", known), x2=alt.X2("X"), y2=alt.Y2("Y"), description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )  # fmt: skip
    return chart


def _coloured(base: alt.Chart, known: Links) -> alt.Chart:
    import altair as alt

    links = len(known.shown.machine.links)
    room = known.geometry.inside and links <= MANY
    most = alt.ExprRef(f"{[known.most(level) for level in range(known.shown.levels + 1)]}[level]")
    legend = alt.Legend(
        title="time" if known.shown.by_time else known.unit,
        labelExpr=SECONDS if known.shown.by_time else BYTES if known.shown.traffic is not None else "datum.label",
        symbolType="stroke",
        symbolSize=500,
        symbolDash=[1, 0],
        tickMinStep=0 if known.shown.by_time else 1,
    )
    scheme = alt.SchemeParams(name="viridis", extent=[0.88, 0.0])
    width = alt.Scale(range=[min(THIN, THIN * MANY / links), THICK[0 if room else 1]], domainMin=0, domainMax=most)
    shade = alt.Color("b0:Q", scale=alt.Scale(scheme=scheme, domainMin=0, domainMax=most), legend=legend)
    dashed = alt.ExprRef("datum.b0 > 0 ? [1, 0] : [3, 3]")
    chart: alt.Chart = base.mark_rule(strokeCap="butt", strokeDash=dashed)
    return chart.encode(
        color=alt.when("datum.b0 > 0").then(shade).otherwise(alt.value(IDLE)),
        strokeWidth=alt.StrokeWidth("b0:Q", scale=width, legend=legend),
    )
