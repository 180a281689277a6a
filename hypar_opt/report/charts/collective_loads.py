"""What the links of an array carry in all by a schedule, and the cut that proves that it takes no less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.collective_array import HEAD, HEADS, NODES, PALE, STROKES, ArrayDrawing
from hypar_opt.report.charts.quantities import quantity
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.collective.tables import links_table
from hypar_opt.report.numbers import in_bytes

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.evaluation.collective.packing import JudgedPacking
    from hypar_opt.report.content.collective_plan import NamedCollectivePlan
    from hypar_opt.report.tables import Table

WIDTHS: Final = (1, 4)
"""Pixels of the idlest and of the busiest direction of a link."""


def loads_figure(
    judged: JudgedCollective | JudgedPacking, cut: tuple[int, ...] = (), table: Table | None = None
) -> Figure:
    """Return the array with the bytes of every direction of a link.

    Parameters
    ----------
    cut
        Nodes that the cut of the best bound is around, where that is one.
    table
        The figures; without it those of a schedule.

    Raises
    ------
    Refusal
        If the array has too many nodes or links for a picture.
    """
    instance, drawing = judged.instance, ArrayDrawing(judged.instance)
    names = instance.machine.names
    strokes: list[dict[str, Any]] = []
    heads: list[dict[str, Any]] = []
    for hop, count in sorted(judged.bytes_by_link.items(), key=lambda one: one[1]):
        said: dict[str, Any] = {"k": f"{names[hop[0]]} → {names[hop[1]]}", "b": float(count), "t": in_bytes(count)}
        strokes += [said | stroke for stroke in drawing.strokes(hop)]
        heads.append(said | drawing.head(hop))
    behind = set(cut)
    nodes = [
        drawing.node(node, "behind the cut" if node in behind and role != "switch" else role)
        for node, role in ((node, drawing.role(node)) for node in range(len(names)))
    ]
    most = max((row["b"] for row in heads), default=0) or 1
    shade = alt.Scale(scheme=alt.SchemeParams("viridis", extent=[0.88, 0]), domain=[0, most])
    legend = alt.Legend(title="bytes", labelExpr=quantity("datum.value", "'B'"), symbolType="stroke", symbolSize=500)
    told = [alt.Tooltip("k:N", title="link"), alt.Tooltip("t:N", title="carries")]
    lines: alt.Chart = (
        alt.Chart(alt.NamedData(STROKES))
        .transform_calculate(d="datum.k + ', ' + datum.t")
        .mark_rule()
        .encode(
            **drawing.places(), x2=alt.X2("X"), y2=alt.Y2("Y"), tooltip=told, description=alt.Description("d:N"),
            color=alt.Color("b:Q", scale=shade, legend=legend),
            strokeWidth=alt.StrokeWidth("b:Q", scale=alt.Scale(range=WIDTHS, domain=[0, most]), legend=legend),
        )
    )  # fmt: skip
    points: alt.Chart = alt.Chart(alt.NamedData(HEADS)).mark_point(
        shape="triangle", filled=True, size=HEAD, opacity=1, aria=False
    )
    points = points.encode(
        **drawing.places(), color=alt.Color("b:Q", scale=shade, legend=legend), angle=alt.Angle("a:Q", scale=None)
    )
    width, height = drawing.size
    marks = [drawing.below(), lines, points]
    marks += drawing.nodes(alt.Chart(alt.NamedData(NODES)), [row["g"] for row in nodes])
    title = alt.TitleParams(f"What links of {instance.name} carry in all", fontSize=12, anchor="start")
    chart = alt.layer(*marks).properties(name=f"{RIGID}_loads", width=width, height=height, title=title)
    data = {STROKES: strokes, HEADS: heads, NODES: nodes, PALE: drawing.pale()}
    busiest = max(judged.bytes_by_link.items(), key=lambda one: (one[1], one[0]), default=None)
    said_most = "" if busiest is None else f" The busiest, {instance.machine.path(busiest[0])}: {in_bytes(busiest[1])}."
    alternative = f"The array of {instance.name} with the bytes on every direction of its links.{said_most}"
    return figure("loads", "Bytes on links", alternative, chart, table or links_table(judged), datasets=data)


def _of_named(named: NamedCollectivePlan) -> Figure:
    best = named.bounds[0].proven
    return loads_figure(named.judged, best.inside)


FIGURE: Final = FigureKind(
    "collective-loads", "Loads of links", "plan", _of_named, "links", of=("collective",)
)  # fmt: skip
