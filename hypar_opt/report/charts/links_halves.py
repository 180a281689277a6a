"""The links of an array as marks: each in two halves, one a direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.array_style import IDLE
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
"""Pixels of the emptiest link; of the fullest one where there is room, and where there is not."""


def halves(known: Links) -> tuple[alt.Chart, alt.Chart]:
    """Return idle halves, dashed and pale, and the others, the thicker and darker the more they carry."""
    base = _with_hover(known)
    thinner = min(THIN, MANY / max(1, len(known.shown.machine.links)))
    idle = base.transform_filter("datum.b0 === 0").mark_rule(color=IDLE, strokeDash=[3, 3], strokeWidth=thinner)
    return idle, _busy(base, known)


def _with_hover(known: Links) -> alt.Chart:
    """Return what all halves are made from; `b0` is the load at the level that is chosen."""
    import altair as alt

    what = known.unit
    digits = "format(datum.b[level], ',d')" if known.exact else "datum.B[level]"
    said = {"k": "link", "v": what}
    texts = {"k": "datum.s + ' → ' + datum.t", "b0": "datum.b[level]", "v": digits}
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


def _busy(base: alt.Chart, known: Links) -> alt.Chart:
    import altair as alt

    room = known.geometry.inside and len(known.shown.machine.links) <= MANY
    most = alt.ExprRef(f"{[known.most(level) for level in range(known.shown.levels + 1)]}[level]")
    legend = alt.Legend(
        title=known.unit,
        labelExpr=BYTES if known.shown.traffic is not None else "datum.label",
        symbolType="stroke",
        symbolSize=500,
        tickMinStep=1,
    )
    scheme = alt.SchemeParams(name="viridis", extent=[0.88, 0.0])
    width = alt.Scale(range=[THIN, THICK[0 if room else 1]], domainMin=0, domainMax=most)
    chart: alt.Chart = base.transform_filter("datum.b0 > 0").mark_rule(strokeCap="butt")
    return chart.encode(
        color=alt.Color("b0:Q", scale=alt.Scale(scheme=scheme, domainMin=0, domainMax=most), legend=legend),
        strokeWidth=alt.StrokeWidth("b0:Q", scale=width, legend=legend),
    )
