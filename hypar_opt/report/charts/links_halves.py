"""The links of an array as marks: each in two halves, one a direction."""

from __future__ import annotations

from typing import Any, Final

import altair as alt

from hypar_opt.report.charts.links_data import SWITCH, UNUSED, LinkLoads
from hypar_opt.report.charts.links_geometry import GROUPS, IDLE
from hypar_opt.report.charts.links_geometry import SWITCH as SWITCH_COLOUR
from hypar_opt.report.charts.quantities import quantity
from hypar_opt.report.charts.theme import MONO

STROKES: Final = "strokes"
"""What the data are called."""
MANY: Final = 100
"""Links from which all of them get thinner."""
THIN, THICK = 1.2, (7, 3)
"""Pixels of the idlest link; of the busiest one where there is room, and where there is not."""
BYTES, SECONDS = quantity("datum.value", "'B'"), quantity("datum.value", "'s'")
"""In a legend, in expressions of Vega."""


def halves(known: LinkLoads, *, switched: bool) -> list[alt.Chart]:
    """Return the halves of all links, idle ones dashed and pale, others the thicker and darker the busier they are.

    That is by time where bandwidths are known, or a slow link that all wait for would look idle; where a page can
    switch to bytes, by what it has switched to.
    """
    return [_coloured(_with_hover(known), known, switched=switched)] if known.hops else []


def _with_hover(known: LinkLoads) -> alt.Chart:
    """Return what all halves are made from; `b0` is how busy a link is at the level that is chosen."""
    what = known.unit
    digits = "format(datum.b[level], ',d')" if known.exact else "datum.B[level]"
    said = {"k": "link", "v": what}
    texts = {
        "k": "datum.s + ' → ' + datum.t",
        "b0": f"datum.b[level] / ({IS_TIME} ? datum.r : 1)" if known.shown.is_timed else "datum.b[level]",
        "v": digits,
    }
    spoken = f"datum.k + ': ' + datum.v + ' {what}'"
    if known.shown.is_timed:
        seconds = quantity("datum.b[level] / datum.r", "'s'")
        texts["m"] = f"(datum.b[level] ? 'about ' : '') + ({seconds})"
        said["m"] = "time"
        spoken += " + ', ' + datum.m"
    if any(link.bandwidth is not None for link in known.shown.machine.links):
        said["q"] = "bandwidth"
    return (
        alt.Chart(alt.NamedData(STROKES))
        .transform_calculate(**texts)
        .transform_calculate(d=spoken)
        .encode(
            **_places(known, "x", "y"), x2=alt.X2("X"), y2=alt.Y2("Y"), description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )  # fmt: skip


def _coloured(base: alt.Chart, known: LinkLoads, *, switched: bool) -> alt.Chart:
    links = len(known.shown.machine.links)
    room = known.geometry.inside and links <= MANY
    timed = known.shown.is_timed
    levels = range(known.shown.levels + 1)
    by_bytes, by_time = ([known.most(level, by) for level in levels] for by in ("bytes", "time"))
    most = alt.ExprRef(f"({IS_TIME} ? {by_time} : {by_bytes})[level]" if timed else f"{by_bytes}[level]")
    plain = BYTES if known.shown.traffic is not None else "datum.label"
    legend = alt.Legend(
        title="time or bytes" if timed and switched else "time" if known.shown.by_time else known.unit,
        labelExpr=f"{IS_TIME} ? ({SECONDS}) : ({plain})" if timed else plain,
        symbolType="stroke",
        symbolSize=500,
        symbolDash=[1, 0],
        tickMinStep=alt.ExprRef(f"{IS_TIME} ? 0 : 1") if timed else 1,
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


IS_TIME: Final = "links === 'time'"
"""Whether links are shown by time, in an expression of Vega: the parameter is there where times are known."""
NODES: Final = "nodes"
"""What the data are called."""
SHORT: Final = 5
"""Letters of an accelerator's name that stands in its picture, below its leaf; longer ones are told on hover."""
BESIDE: Final = 12
"""Letters of the name that stands beside a switch, likewise."""
PALE: Final = "#E8E8E8"
"""Of accelerators that no leaf stands on."""


def nodes(known: LinkLoads) -> list[alt.Chart]:
    """Return accelerators coloured by their group and labelled with their leaf, switches grey and square."""
    groups = known.groups()
    kinds = [*groups, UNUSED, SWITCH]
    data = known.nodes()
    there = [kind for kind in kinds if any(datum["g"] == kind for datum in data)]
    of_groups = [GROUPS[number % len(GROUPS)] for number in range(len(groups))]
    colours = dict(zip(kinds, [*of_groups, PALE, SWITCH_COLOUR], strict=True))
    shapes = {kind: "square" if kind == SWITCH else "diamond" if kind == UNUSED else "circle" for kind in kinds}
    legend = alt.Legend(title="nodes", symbolStrokeColor="black", symbolStrokeWidth=0.7, symbolSize=110)
    said = {"n": "node", "g": "which is", "w": "leaf"}
    base = alt.Chart(alt.NamedData(NODES)).encode(
        **_places(known, "x", "y"),
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
    )
    size = known.geometry.dot**2
    dots = (
        base.transform_calculate(d="datum.n + ', ' + datum.g + (datum.w ? ', leaf ' + datum.w : '')")
        .mark_point(strokeWidth=0.7, opacity=1)
        .encode(
            fill=alt.Fill("g:N", scale=alt.Scale(domain=there, range=[colours[one] for one in there]), legend=legend),
            shape=alt.Shape("g:N", scale=alt.Scale(domain=there, range=[shapes[one] for one in there]), legend=legend),
            size=alt.condition(f"datum.g === '{SWITCH}'", alt.value(0.4 * size), alt.value(size)),
            stroke=alt.StrokeValue("black"),
            description=alt.Description("d:N"),
        )
    )
    if known.geometry.inside:
        return [dots, *_inside(base)]
    return [dots, *(_outside(base, known, ends=ends) for ends in (False, True))]


def _inside(base: alt.Chart) -> list[alt.Chart]:
    """Return the leaves in their nodes, and the nodes' names: below their leaves, or beside switches."""
    short = base.transform_filter(f"length(datum.n) <= {SHORT}")
    named = base.transform_filter(f"datum.g === '{SWITCH}' ? length(datum.n) <= {BESIDE} : length(datum.n) <= {SHORT}")
    small: dict[str, Any] = {"font": MONO, "fontSize": 7.5, "aria": False}
    on_leaf: alt.Chart = short.transform_filter("datum.w !== ''").mark_text(dy=8, color="#333", **small)
    of_switches, beside = named.transform_filter("datum.w === ''"), {**small, "dx": 12, "align": "left"}
    halo: alt.Chart = of_switches.mark_text(stroke="white", strokeWidth=3, **beside)
    name: alt.Chart = of_switches.mark_text(**beside)
    up = alt.ExprRef(f"length(datum.n) <= {SHORT} ? -3 : 0")
    leaf: alt.Chart = base.mark_text(font=MONO, fontSize=10, aria=False, dy=up)
    return [
        leaf.encode(text=alt.Text("w:N")),
        *(one.encode(text=alt.Text("n:N")) for one in (on_leaf, halo, name)),
    ]


def _outside(base: alt.Chart, known: LinkLoads, *, ends: bool) -> alt.Chart:
    """Return the labels that begin at their nodes, or those that end there."""
    text: alt.Chart = base.transform_filter(f"datum.e === {'true' if ends else 'false'}")
    marks: alt.Chart = text.mark_text(font=MONO, fontSize=9, align="right" if ends else "left", aria=False)
    return marks.encode(**_places(known, "X", "Y"), text=alt.Text("w:N"), angle=alt.Angle("a:Q", scale=None))


def _places(known: LinkLoads, across: str, up: str) -> dict[str, Any]:
    """Return the axes of pixels, from left to right and from below, of two fields."""
    left, low, right, high = known.geometry.box
    return {
        "x": alt.X(f"{across}:Q", axis=None, scale=alt.Scale(domain=[left, right], nice=False, zero=False)),
        "y": alt.Y(f"{up}:Q", axis=None, scale=alt.Scale(domain=[low, high], nice=False, zero=False)),
    }
