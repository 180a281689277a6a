"""The array of a collective without a schedule: who takes part, and which links there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt

from hypar_opt.report.charts.collective_array import NODES, PALE, ArrayDrawing
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.collective.plan import about
from hypar_opt.report.tables import Column, Table, entry_rows

if TYPE_CHECKING:
    from hypar_opt.instance.collective import CollectiveInstance


def collective_figure(instance: CollectiveInstance) -> Figure:
    """Return the array, with its nodes told apart by what they are to the collective.

    Raises
    ------
    Refusal
        If it has too many nodes or links for a picture.
    """
    drawing = ArrayDrawing(instance)
    nodes = [
        drawing.node(node, "home" if node == instance.root else drawing.role(node))
        for node in range(len(instance.machine.names))
    ]
    width, height = drawing.size
    title = alt.TitleParams(about(instance), fontSize=12, anchor="start", fontWeight="normal")
    marks = [drawing.below(), *drawing.nodes(alt.Chart(alt.NamedData(NODES)), [row["g"] for row in nodes])]
    chart = alt.layer(*marks).properties(name=f"{RIGID}_array", width=width, height=height, title=title)
    data = {NODES: nodes, PALE: drawing.pale()}
    alternative = f"The array of {instance.name}: {about(instance)}."
    return figure("array", f"The array of {instance.name}", alternative, chart, _table(instance), datasets=data)


def _table(instance: CollectiveInstance) -> Table:
    machine = instance.machine
    columns = (Column("link", "link"), Column("bandwidth", "bandwidth", "B/s"), Column("latency", "latency", "s"))
    rows: list[tuple[Any, ...]] = [(machine.path(one.ends), one.bandwidth, one.latency) for one in machine.links]
    return Table("links", "Links", columns, entry_rows(columns, rows))
