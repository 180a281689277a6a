"""Which way a chunk takes through the array, in which step: of a gathering a tree, coloured by time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.collective_array import HEAD, HEADS, NODES, PALE, STROKES, ArrayDrawing
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.collective.homes import home_of
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.instance.collective import Send

MOST_HOPS: Final = 6_000
"""Links on the ways of the chunks that can be chosen."""
MOST_MULTIPLES: Final = 9
ACROSS: Final = 3
"""Pictures beside each other in print, in all and in a row."""
LARGE: Final = 64
"""Nodes above which print has one picture."""
FEW: Final = 12
"""Steps that have a colour of their own in the legend."""


@dataclass(frozen=True)
class ChunkWays:
    """The sends of as many chunks as a picture can offer.

    Parameters
    ----------
    judged
        The schedule.
    """

    judged: JudgedCollective

    @cached_property
    def drawing(self) -> ArrayDrawing:
        """The array."""
        return ArrayDrawing(self.judged.instance)

    @cached_property
    def of_chunk(self) -> tuple[tuple[Send, ...], ...]:
        """By chunk that is offered, its sends in the order of time."""
        found: list[list[Send]] = [[] for _ in self.judged.instance.chunks]
        for one in sorted(self.judged.schedule.sends, key=lambda one: (one.begin, one)):
            found[one.chunk].append(one)
        offered: list[tuple[Send, ...]] = []
        hops = 0
        for sends in found:
            hops += sum(len(one.route) - 1 for one in sends)
            if offered and hops > MOST_HOPS:
                break
            offered.append(tuple(sends))
        return tuple(offered)

    @property
    def is_timed(self) -> bool:
        """Whether sends have seconds instead of steps."""
        return self.judged.steps is None

    def when(self, send: Send) -> float | int:
        """Return what colours a send: its step, or when it has arrived."""
        return float(send.end) if self.is_timed else int(send.end)

    def said(self, send: Send) -> str:
        """Return when a send is, in words."""
        return f"{float(send.begin):.4g} s to {float(send.end):.4g} s" if self.is_timed else f"step {send.end}"

    def data(self) -> dict[str, list[dict[str, Any]]]:
        """Return strokes, heads and nodes, each with the number of its chunk."""
        names, drawing, instance = self.judged.instance.machine.names, self.drawing, self.judged.instance
        found: dict[str, list[dict[str, Any]]] = {STROKES: [], HEADS: [], NODES: [], PALE: drawing.pale()}
        for chunk, sends in enumerate(self.of_chunk):
            for send in sends:
                for hop in pairwise(send.route):
                    said = {"c": chunk, "k": f"{names[hop[0]]} → {names[hop[1]]}", "s": self.when(send)}
                    said |= {"w": self.said(send), "h": "added" if send.adds else "copied"}
                    found[STROKES] += [said | stroke for stroke in drawing.strokes(hop)]
                    found[HEADS].append(said | drawing.head(hop))
        found[NODES] = [{"c": None, **drawing.node(node, drawing.role(node))} for node in range(len(names))]
        for chunk in range(len(self.of_chunk)):  # over the others, each in its chunk's picture alone
            found[NODES].append({"c": chunk, **drawing.node(home_of(instance, chunk), "home")})
        return found


def ways_figure(judged: JudgedCollective) -> Figure:
    """Return the array with the sends of one chunk, which a page can choose; in print those of a few chunks.

    Raises
    ------
    Refusal
        If the array has too many nodes or links for a picture.
    """
    ways = ChunkWays(judged)
    instance, data = judged.instance, ways.data()
    labels = [instance.chunks[chunk].name for chunk in range(len(ways.of_chunk))]
    bind = alt.binding_select(options=list(range(len(labels))), labels=labels, name="chunk ")
    chosen = alt.VariableParameter(name="chunk", value=0, bind=bind)
    left = len(instance.chunks) - len(labels)
    lines = ["colour: when it arrives; numbers and colours of time are those of the schedule"] if ways.is_timed else []
    if left:
        lines.append(f"{counted(len(labels), 'chunk')} to choose from; {left:,} more are in the plan's file")
    title = alt.TitleParams(f"Where a chunk of {instance.name} goes", subtitle=lines, fontSize=12, anchor="start")
    width, height = ways.drawing.size
    chart = alt.layer(*_layers(ways, data, "chunk"), params=[chosen])
    chart = chart.properties(name=f"{RIGID}_ways", width=width, height=height, title=title)
    printed = _printed(ways, data, labels)
    named = {name: list(rows) for name, rows in data.items()}
    made = figure("ways", "Ways of chunks", _alternative(ways), chart, _table(ways), printed, named)
    assert made.printed is not None
    return replace(made, printed={**made.printed, "datasets": made.spec["datasets"]})


def _printed(ways: ChunkWays, data: dict[str, list[dict[str, Any]]], labels: Sequence[str]) -> alt.ConcatChart:
    width, height = ways.drawing.size
    large = len(ways.judged.instance.machine.names) > LARGE
    count = 1 if large else min(len(labels), MOST_MULTIPLES)
    return alt.concat(
        *(
            alt.layer(*_layers(ways, data, str(chunk))).properties(
                name=f"{RIGID}_{chunk}", width=width, height=height,
                title=alt.TitleParams(f"chunk {labels[chunk]}", fontSize=12, anchor="start"),
            )
            for chunk in range(count)
        ),
        columns=ACROSS,
    )  # fmt: skip


def _layers(ways: ChunkWays, data: dict[str, list[dict[str, Any]]], chunk: str) -> list[alt.Chart]:
    """Return the marks of one chunk: a number, or the name of a parameter."""
    drawing, only = ways.drawing, f"datum.c === {chunk}"
    steps = sorted({row["s"] for row in data[HEADS]})
    few = not ways.is_timed and len(steps) <= FEW
    domain: dict[str, Any] = {"domain": steps} if few else {}
    scheme = alt.Scale(scheme=alt.SchemeParams("viridis", extent=[0, 0.9]), **domain)
    symbols: dict[str, Any] = {"symbolType": "stroke", "symbolSize": 300, "symbolStrokeWidth": 4} if few else {}
    axis = ticks("s") if ways.is_timed else {"format": "d"}
    legend = alt.Legend(title="arrives at" if ways.is_timed else "in step", **symbols, **({} if few else axis))
    colour = alt.Color(f"s:{'O' if few else 'Q'}", scale=scheme, legend=legend)
    said = [alt.Tooltip(f"{key}:N", title=title) for key, title in {"k": "send", "w": "when", "h": "is"}.items()]
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
    roles = [row["g"] for row in data[NODES]]
    return [drawing.below(), strokes, heads, *drawing.nodes(nodes, roles)]


def _alternative(ways: ChunkWays) -> str:
    judged, instance = ways.judged, ways.judged.instance
    first = instance.chunks[0].name
    last = ways.said(ways.of_chunk[0][-1]) if ways.of_chunk[0] else "never"
    return (
        f"The array of {instance.name}, {instance.machine.topology}, with an arrow for every send of one chunk, "
        f"coloured by when it is. Of chunk {first} there are {len(ways.of_chunk[0]):,} sends, the last in {last}; "
        f"of all {len(instance.chunks):,} chunks {len(judged.schedule.sends):,}."
    )


def _table(ways: ChunkWays) -> Table:
    """Return a row a send of the chunks that are offered."""
    instance = ways.judged.instance
    columns = (
        Column("chunk", "chunk"),
        Column("route", "route"),
        Column("begin", "begin"),
        Column("end", "end"),
        Column("adds", "adds"),
    )
    rows = [
        (
            instance.chunks[one.chunk].name,
            instance.machine.path(one.route),
            *(one.begin, one.end),
            "yes" if one.adds else "no",
        )
        for sends in ways.of_chunk
        for one in sends
    ]
    return Table("ways", "Ways of chunks", columns, entry_rows(columns, rows))


FIGURE: Final = FigureKind(
    "collective-ways",
    "Ways of chunks through the array",
    "plan",
    lambda named: ways_figure(named.judged),
    "ways",
    of=("collective",),
)
