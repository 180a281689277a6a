"""The operators of a pipeline as a graph, in the colours of the stages that a plan gives them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.graph_lines import graph_lines, pixel_axes
from hypar_opt.report.charts.network_layout import NetworkLayout
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.report.pipeline_graph import BoxGraph, box_graph
from hypar_opt.report.tables import Column, Table, entry_rows

if TYPE_CHECKING:
    from hypar_opt.evaluation.pipeline import JudgedPipeline

BOX, HIGH, STEP, LINE = 30.0, 17.0, 28.0, 16.0
"""Pixels: of a box, from a row to the next, and of a lane in which only lines run."""
CHARACTER, LONGEST, LONGEST_BESIDE = 6.3, 44, 26
"""Pixels of a name's letter, and letters of the longest that is shown whole, in the first lane and in others."""
DARK: Final = ("#0072B2", "#000000", "#D55E00", "#009E73")
"""Colours that white letters are read on."""
MOST_IN_LEGEND: Final = 16
BOXES, LINES = "boxes", "lines"
"""What the data are called."""


@dataclass(frozen=True)
class PipelineDrawing:
    """A plan's operators in pixels, from above and from the left.

    Parameters
    ----------
    judged
        The plan.
    """

    judged: JudgedPipeline

    @cached_property
    def graph(self) -> BoxGraph:
        """What is drawn as one."""
        return box_graph(self.judged)

    @cached_property
    def layout(self) -> NetworkLayout:
        """In lanes and rows."""
        return NetworkLayout(self.graph, len(self.graph.boxes), shares_lanes=True)

    @cached_property
    def names(self) -> list[str]:
        """As they are shown."""
        lanes = self.layout.lanes
        return [_cut(box.name, LONGEST_BESIDE if lanes[at] else LONGEST) for at, box in enumerate(self.graph.boxes)]

    @cached_property
    def lefts(self) -> list[float]:
        """By lane, where its boxes begin; names stand left of the first lane's, and right of the others'."""
        longest: dict[int, int] = {}
        for box, lane in self.layout.lanes.items():
            longest[lane] = max(longest.get(lane, 0), len(self.names[box]))
        found, at = [], CHARACTER * longest.get(0, 0) + 12
        for lane in range(int(self.layout.width) + 1):
            found.append(at)
            beside = CHARACTER * longest[lane] + 8 if lane and lane in longest else 0
            at += BOX + beside + 18 if lane in longest else LINE
        return [*found, at]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.lefts[-1], STEP * (max(self.layout.rows.values(), default=0) + 1)

    def middle(self, lane: float) -> float:
        """Return where lines of a lane run: through the middle of its boxes."""
        wide = int(lane) in self.layout.lanes.values()
        return self.lefts[int(lane)] + (BOX if wide else LINE) / 2

    def colour(self, stage: int) -> str:
        """Return a stage's colour; numbers tell those apart that share one."""
        return PALETTE[stage % len(PALETTE)]

    def lines(self) -> list[dict[str, Any]]:
        """Return a stroke for every piece of a line, thick where an output goes to another stage."""
        sizes = {one.name: one.output for one in self.judged.instance.operators}
        found = []
        for edge, path in zip(self.graph.boundaries, self.layout.paths, strict=True):
            ends = self.graph.boxes[edge.producer], self.graph.boxes[edge.reader]
            moved = sum(sizes[name] for name in edge.outputs)
            said = f"{ends[0].name} → {ends[1].name}"
            for (lane, row), (other, below) in pairwise(path):
                place = {"x": self.middle(lane), "y": STEP * (row + 0.5), "X": self.middle(other)}
                place |= {"Y": STEP * (below + 0.5)}
                found.append({"k": said, "b": in_bytes(moved), "m": ends[0].stage != ends[1].stage, **place})
        return found

    def boxes(self) -> list[dict[str, Any]]:
        """Return a box and a name for all that is drawn as one."""
        ways = [self.judged.ways_on(stage.devices) for stage in self.judged.stages]
        found = []
        for at, box in enumerate(self.graph.boxes):
            lane, devices = self.layout.lanes[at], self.judged.stages[box.stage].devices
            left, top = self.lefts[lane], STEP * (self.layout.rows[at] + 0.5) - HIGH / 2
            seconds = sum(ways[box.stage][name].computing(devices.kind) for name in box.operators)
            colour = self.colour(box.stage)
            found.append(
                {
                    "n": self.names[at], "w": ", ".join(box.operators[:20]), "s": box.stage + 1, "d": str(devices),
                    "t": in_si(seconds, "s"), "c": colour, "f": not lane, "i": "white" if colour in DARK else "black",
                    "x": left, "X": left + BOX, "y": top, "Y": top + HIGH, "u": left + BOX / 2, "v": top + HIGH / 2,
                    "a": left + BOX + 6 if lane else left - 6,
                }
            )  # fmt: skip
        return found


def _cut(name: str, longest: int) -> str:
    """Return a name without its middle, where it is too long."""
    half = longest // 2
    return name if len(name) <= longest else f"{name[:half]}…{name[-half + 1 :]}"


def pipeline_graph_figure(judged: JudgedPipeline) -> Figure:
    """Return operators from the first ones down to the last, in the colours and with the numbers of their stages."""
    drawing = PipelineDrawing(judged)
    data = {LINES: drawing.lines(), BOXES: drawing.boxes()}
    width, height = drawing.size
    below = ["numbers and colours: stages", "thick lines: outputs that go to another stage"]
    drawn, forward = len(drawing.graph.boxes), sum(len(box.operators) for box in drawing.graph.boxes)
    if drawn < forward:
        below.append(f"{forward:,} operators in {drawn:,} boxes: first to last of each, and how many")
    title = alt.TitleParams(f"Operators of {judged.instance.name}", subtitle=below, fontSize=12, anchor="start")
    chart = alt.layer(graph_lines(drawing.size, LINES, "reads"), *_boxes(drawing)).properties(
        name=f"{RIGID}_pipeline", width=width, height=height, title=title
    )
    return figure("graph", "Operators and stages", alternative(drawing), chart, _table(drawing), datasets=data)


def alternative(drawing: PipelineDrawing) -> str:
    """Return what the picture shows, in sentences."""
    judged, graph = drawing.judged, drawing.graph
    crossing = sum(graph.boxes[one.producer].stage != graph.boxes[one.reader].stage for one in graph.boundaries)
    stages = "; ".join(
        f"stage {number} on {stage.devices}: {stage.operators[0]} to {stage.operators[-1]}"
        for number, stage in enumerate(judged.stages[:12], start=1)
    )
    return (
        f"A graph of {len(judged.instance.operators):,} operators in {len(graph.boxes):,} boxes from above to below, "
        f"coloured by stage; {crossing:,} of {len(graph.boundaries):,} lines go to another stage. {stages}."
    )


def _boxes(drawing: PipelineDrawing) -> list[alt.Chart]:
    base = alt.Chart(alt.NamedData(BOXES))
    said = {"w": "operators", "s": "stage", "d": "devices", "t": "computing"}
    labels = [f"{number}: {stage.devices}" for number, stage in enumerate(drawing.judged.stages, start=1)]
    scale = alt.Scale(domain=labels, range=[drawing.colour(stage) for stage in range(len(labels))])
    legend = alt.Legend(title="stages", orient="right", symbolType="square") if len(labels) <= MOST_IN_LEGEND else None
    boxes: alt.Chart = (
        base.transform_calculate(d2="datum.n + ', stage ' + datum.s", g="datum.s + ': ' + datum.d")
        .mark_rect(stroke="white", strokeWidth=1, cornerRadius=3)
        .encode(
            **pixel_axes(drawing.size, "x", "y"),
            x2="X:Q",
            y2="Y:Q",
            color=alt.Color("g:N", scale=scale, legend=legend),
            description=alt.Description("d2:N"),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )
    marks: list[alt.Chart] = [boxes]
    for ink in ("white", "black"):
        own = base.transform_filter(f"datum.i === '{ink}'").mark_text(fontSize=11, color=ink, aria=False)
        marks.append(own.encode(**pixel_axes(drawing.size, "u", "v"), text="s:N"))
    for first, side in (("true", "right"), ("false", "left")):
        name = base.transform_filter(f"datum.f === {first}")
        halo = name.mark_text(align=side, fontSize=11, stroke="white", strokeWidth=3, aria=False)  # type: ignore[arg-type]
        for text in (halo, name.mark_text(align=side, fontSize=11, aria=False)):  # type: ignore[arg-type]
            marks.append(text.encode(**pixel_axes(drawing.size, "a", "v"), text="n:N"))
    return marks


def _table(drawing: PipelineDrawing) -> Table:
    """Return a row a box."""
    columns = (
        Column("operators", "Operators"),
        Column("count", "Number"),
        Column("stage", "Stage"),
        Column("devices", "Devices"),
        Column("reads", "Reads"),
    )
    graph = drawing.graph
    rows = [
        (
            *(box.name, len(box.operators), box.stage + 1, str(drawing.judged.stages[box.stage].devices)),
            ", ".join(graph.boxes[one.producer].name for one in graph.boundaries if one.reader == at),
        )
        for at, box in enumerate(graph.boxes)
    ]
    return Table("graph", "Operators and stages", columns, entry_rows(columns, rows))


FIGURE: Final = FigureKind(
    "pipeline-graph",
    "Operators and stages",
    "plan",
    lambda named: pipeline_graph_figure(named.judged),
    "graph",
    of=("pipeline",),
)
