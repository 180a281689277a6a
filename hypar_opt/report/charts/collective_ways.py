"""Which way a chunk takes through the array, and when: of a gathering a tree, coloured by time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.collective_array import HEAD, HEADS, NODES, PALE, STROKES, ArrayDrawing
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.collective.ways import WaysShown

MOST_MULTIPLES: Final = 9
ACROSS: Final = 3
"""Pictures beside each other in print, in all and in a row."""
LARGE: Final = 64
"""Nodes above which print has one picture."""
FEW: Final = 12
"""Steps that have a colour of their own in the legend."""


def ways_figure(shown: WaysShown) -> Figure:
    """Return the array with the ways of one chunk, which a page can choose; in print those of a few chunks.

    Raises
    ------
    Refusal
        If the array has too many nodes or links for a picture.
    """
    drawing = ArrayDrawing(shown.instance)
    data = _data(shown, drawing)
    labels = [one.label for one in shown.ways]
    bind = alt.binding_select(options=list(range(len(labels))), labels=labels, name="way of ")
    chosen = alt.VariableParameter(name="chosen", value=0, bind=bind)
    width, height = drawing.size
    title = alt.TitleParams(
        f"The way of a {shown.of}, {shown.instance.name}", subtitle=_left(shown), fontSize=12, anchor="start"
    )
    chart = alt.layer(*_layers(shown, drawing, data, "chosen"), params=[chosen])
    chart = chart.properties(name=f"{RIGID}_ways", width=width, height=height, title=title)
    printed = _printed(shown, drawing, data)
    made = figure("ways", f"Ways of {shown.of}s", _alternative(shown), chart, _table(shown), printed, data)
    assert made.printed is not None
    return replace(made, printed={**made.printed, "datasets": made.spec["datasets"]})


def _left(shown: WaysShown) -> list[str]:
    left = shown.count - len(shown.ways)
    if not left:
        return []
    return [f"{counted(len(shown.ways), shown.of)} to choose from; {left:,} more are in the plan's file"]


def _data(shown: WaysShown, drawing: ArrayDrawing) -> dict[str, list[dict[str, Any]]]:
    """Return strokes and heads with the number of their way; nodes, and the homes of chunks over them."""
    names = shown.instance.machine.names
    found: dict[str, list[dict[str, Any]]] = {STROKES: [], HEADS: [], NODES: [], PALE: drawing.pale()}
    found[NODES] = [{"c": None, **drawing.node(node, drawing.role(node))} for node in range(len(names))]
    for number, way in enumerate(shown.ways):
        for hop, when, text, adds in way.hops:
            said: dict[str, Any] = {"c": number, "k": f"{names[hop[0]]} → {names[hop[1]]}", "s": when, "w": text}
            said["h"] = "added" if adds else "copied"
            found[STROKES] += [said | stroke for stroke in drawing.strokes(hop)]
            found[HEADS].append(said | drawing.head(hop))
        found[NODES].append({"c": number, **drawing.node(way.home, "home")})
    return found


def _printed(shown: WaysShown, drawing: ArrayDrawing, data: Mapping[str, Sequence[Mapping[str, Any]]]) -> Any:
    """Return a picture each of the first few, beside each other."""
    width, height = drawing.size
    large = len(shown.instance.machine.names) > LARGE
    count = 1 if large else min(len(shown.ways), MOST_MULTIPLES)
    left = shown.count - count
    below = [f"{left:,} more {shown.of}s are not drawn"] if left else []
    charts = [
        alt.layer(*_layers(shown, drawing, data, str(number))).properties(
            name=f"{RIGID}_{number}", width=width, height=height,
            title=alt.TitleParams(shown.ways[number].label, fontSize=12, anchor="start"),
        )
        for number in range(count)
    ]  # fmt: skip
    title = alt.TitleParams(f"Ways of {shown.of}s, {shown.instance.name}", subtitle=below, fontSize=14, anchor="start")
    return alt.concat(*charts, columns=ACROSS, title=title)


def _layers(
    shown: WaysShown, drawing: ArrayDrawing, data: Mapping[str, Sequence[Mapping[str, Any]]], way: str
) -> list[alt.Chart]:
    """Return the marks of one way: a number, or the name of a parameter."""
    only = f"datum.c === {way}"
    steps = sorted({row["s"] for row in data[HEADS]})
    few = not shown.is_timed and len(steps) <= FEW
    domain: dict[str, Any] = {"domain": steps} if few else {}
    scheme = alt.Scale(scheme=alt.SchemeParams("viridis", extent=[0, 0.9]), **domain)
    symbols: dict[str, Any] = {"symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 4} if few else {}
    axis = ticks("s") if shown.is_timed else {"format": "d"}
    legend = alt.Legend(title=shown.when, **symbols, **({} if few else axis))
    colour = alt.Color(f"s:{'O' if few else 'Q'}", scale=scheme, legend=legend)
    said = [alt.Tooltip(f"{key}:N", title=title) for key, title in {"k": "link", "w": "when", "h": "is"}.items()]
    mixed = len({row["h"] for row in data[HEADS]}) > 1
    dashes = alt.StrokeDash(
        "h:N",
        scale=alt.Scale(domain=["added", "copied"], range=[[4, 2], [1, 0]]),
        legend=alt.Legend(title="what arrives is", symbolType="stroke", symbolSize=300) if mixed else None,
    )
    strokes: alt.Chart = (
        alt.Chart(alt.NamedData(STROKES))
        .transform_filter(only)
        .transform_calculate(d="datum.k + ', ' + datum.w")
        .mark_rule(strokeWidth=2.2)
        .encode(
            **drawing.places(), x2=alt.X2("X"), y2=alt.Y2("Y"), color=colour, strokeDash=dashes, tooltip=said,
            description=alt.Description("d:N"),
        )
    )  # fmt: skip
    heads: alt.Chart = (
        alt.Chart(alt.NamedData(HEADS))
        .transform_filter(only)
        .mark_point(shape="triangle", filled=True, size=HEAD, opacity=1, aria=False)
        .encode(**drawing.places(), color=colour, angle=alt.Angle("a:Q", scale=None), tooltip=said)
    )
    nodes = alt.Chart(alt.NamedData(NODES)).transform_filter(f"!isValid(datum.c) || {only}")
    return [drawing.below(), strokes, heads, *drawing.nodes(nodes, [row["g"] for row in data[NODES]])]


def _alternative(shown: WaysShown) -> str:
    first = shown.ways[0]
    last = f", the last {first.hops[-1].text}" if first.hops else ""
    return (
        f"The array of {shown.instance.name}, {shown.instance.machine.topology}, with an arrow for every link on the "
        f"way of one {shown.of}, coloured by when it is. Of {first.label}: "
        f"{counted(len(first.hops), 'link')}{last}."
    )


def _table(shown: WaysShown) -> Table:
    """Return a row a link on a way."""
    columns = (
        Column("way", shown.of),
        Column("link", "link"),
        Column("when", shown.when),
        Column("adds", "adds"),
    )
    rows = [
        (way.label, shown.instance.machine.path(hop), when, "yes" if adds else "no")
        for way in shown.ways
        for hop, when, _, adds in way.hops
    ]
    return Table("ways", f"Ways of {shown.of}s", columns, entry_rows(columns, rows))


FIGURE: Final = FigureKind(
    "collective-ways",
    "Ways of chunks through the array",
    "plan",
    lambda named: ways_figure(named.ways),
    "ways",
    of=("collective", "packing"),
)
