"""The network as a graph with a plan's choices in its layers: where it branches, and where branches join."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import altair as alt

from hypar_opt.instance.choices import CHOICES
from hypar_opt.report.charts.graph_lines import graph_lines, pixel_axes
from hypar_opt.report.charts.network_layout import NetworkLayout
from hypar_opt.report.charts.plan_cells import letter_text, plan_colour, shown_rows
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.report.content.named_plan import NamedPlan

CELL, WIDEST = 14.0, 160.0
"""Pixels of a level's cell where there is room, and of all levels of a layer together."""
HIGH, STEP = 15.0, 27.0
"""Pixels of a layer, and from a row to the next."""
LINE: Final = 16.0
"""Pixels of a lane in which only lines run."""
CHARACTER, LONGEST = 6.3, 28
"""Pixels of a name's letter, and letters of the longest that is shown whole."""
CELLS, LAYERS, LINES = "cells", "layers", "lines"
"""What the data are called."""


@dataclass(frozen=True)
class NetworkDrawing:
    """A network in pixels, from above and from the left.

    Parameters
    ----------
    named
        The plan whose choices are shown.
    """

    named: NamedPlan

    @cached_property
    def layout(self) -> NetworkLayout:
        """In lanes and rows; of a large network the first layers."""
        work = self.named.problem.work
        return NetworkLayout(work, min(len(work.layers), shown_rows(self.named.problem.instance.levels)))

    @cached_property
    def cell(self) -> float:
        """Pixels of a level's width."""
        return min(CELL, WIDEST / max(1, self.named.problem.instance.levels))

    @cached_property
    def block(self) -> float:
        """Pixels of a layer's width."""
        return self.cell * max(1, self.named.problem.instance.levels)

    @cached_property
    def names(self) -> list[str]:
        """As they are shown."""
        layers = self.named.problem.work.layers[: self.layout.count]
        return [one.name if len(one.name) <= LONGEST else f"{one.name[: LONGEST - 1]}…" for one in layers]

    @cached_property
    def lefts(self) -> list[float]:
        """By lane, where its layers begin; names stand left of the first lane's, and right of the others'."""
        longest: dict[int, int] = {}
        for layer, lane in self.layout.lanes.items():
            longest[lane] = max(longest.get(lane, 0), len(self.names[layer]))
        found, at = [], CHARACTER * longest.get(0, 0) + 12
        for lane in range(int(self.layout.width) + 1):
            found.append(at)
            beside = CHARACTER * longest[lane] + 8 if lane and lane in longest else 0
            at += self.block + beside + 18 if lane in longest else LINE
        return [*found, at]

    def middle(self, lane: float) -> float:
        """Return where lines of a lane run: through the middle of its layers."""
        wide = int(lane) in self.layout.lanes.values()
        return self.lefts[int(lane)] + (self.block / 2 if wide else LINE / 2)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        return self.lefts[-1], STEP * (max(self.layout.rows.values(), default=0) + 1)

    def lines(self) -> list[dict[str, Any]]:
        """Return a stroke for every piece of a boundary's line, with the bytes that cross it."""
        found, layers, bytes_of = [], self.named.problem.work.layers, self.named.breakdown
        numbers = {id(edge): at for at, edge in enumerate(self.named.problem.work.boundaries)}
        for edge, path in zip(self.layout.edges, self.layout.paths, strict=True):
            moved = sum(bytes_of.inter[numbers[id(edge)]])
            said = f"{layers[edge.producer].name} → {layers[edge.reader].name}"
            for (lane, row), (other, below) in pairwise(path):
                ends = {"x": self.middle(lane), "y": STEP * (row + 0.5), "X": self.middle(other)}
                ends |= {"Y": STEP * (below + 0.5)}
                found.append({"k": said, "b": in_full(moved), "m": bool(moved), **ends})
        return found

    def cells(self) -> list[dict[str, Any]]:
        """Return a cell for every layer and level."""
        found = []
        for layer, name in enumerate(self.names):
            left, top = self._corner(layer)
            own = self.named.problem.work.layers[layer].name
            for level, letter in enumerate(self.named.strategies[own]):
                x = left + level * self.cell
                place = {"x": x, "X": x + self.cell, "y": top, "Y": top + HIGH, "u": x + self.cell / 2}
                found.append({"n": name, "h": level + 1, "a": letter, "v": top + HIGH / 2, **place})
        return found

    def layers(self) -> list[dict[str, Any]]:
        """Return a frame and a name for every layer."""
        found = []
        for at, name in enumerate(self.names):
            left, top = self._corner(at)
            layer = self.named.problem.work.layers[at]
            first = not self.layout.lanes[at]
            found.append(
                {
                    "n": name, "c": layer.kind, "w": self.named.strategies[layer.name] or "-", "j": layer.is_join,
                    "x": left, "X": left + self.block, "y": top, "Y": top + HIGH, "v": top + HIGH / 2,
                    "t": left - 6 if first else left + self.block + 6, "f": first,
                }
            )  # fmt: skip
        return found

    def _corner(self, layer: int) -> tuple[float, float]:
        return self.lefts[self.layout.lanes[layer]], STEP * (self.layout.rows[layer] + 0.5) - HIGH / 2


def network_figure(named: NamedPlan) -> Figure:
    """Return the network from its input down to its output, every layer with a plan's choice at every level."""
    drawing = NetworkDrawing(named)
    data = {LINES: drawing.lines(), CELLS: drawing.cells(), LAYERS: drawing.layers()}
    width, height = drawing.size
    choices = named.problem.instance.choices
    layers = [graph_lines(drawing.size, LINES, "boundary", " bytes"), *_cells(drawing, choices), *_frames(drawing)]
    below = ["levels from left to right, the root's first", "thick lines: bytes are exchanged; framed: branches join"]
    title = alt.TitleParams(f"the plan of {named.name}", subtitle=below, fontSize=12, anchor="start")
    chart = alt.layer(*layers).properties(name=f"{RIGID}_network", width=width, height=height, title=title)
    return figure("network", "The network", alternative(drawing), chart, _table(drawing), datasets=data)


def alternative(drawing: NetworkDrawing) -> str:
    """Return what the picture shows, in sentences."""
    named, layout = drawing.named, drawing.layout
    all_layers = named.problem.work.layers
    reads = {layer: [edge for edge in layout.edges if edge.reader == layer] for layer in range(layout.count)}
    joins = [f"{all_layers[at].name} reads {', '.join(all_layers[one.producer].name for one in before)}"
             for at, before in reads.items() if len(before) > 1]  # fmt: skip
    form = "a chain" if named.problem.work.is_chain else f"{len(joins)} layers join branches"
    kinds = ", ".join(CHOICES[name].label for name in CHOICES if CHOICES[name].letter in named.problem.instance.choices)
    said = f"A graph of {layout.count} layers and {len(layout.edges)} boundaries from above to below, {form}; in each "
    said += f"layer the choice of {named.name} at every level ({kinds})."
    said += f" {'; '.join(joins)}." if joins else ""
    left = len(all_layers) - layout.count
    return said + (f" {left:,} more layers stand in the plan file." if left else "")


def _cells(drawing: NetworkDrawing, choices: str) -> list[alt.Chart]:
    base = alt.Chart(alt.NamedData(CELLS))
    cells: alt.Chart = base.mark_rect(stroke="white", strokeWidth=1, aria=False).encode(
        **pixel_axes(drawing.size, "x", "y"), x2="X:Q", y2="Y:Q", color=plan_colour("a", choices, {})
    )
    letters: alt.Chart = letter_text(base.encode(**pixel_axes(drawing.size, "u", "v")), "a", 100)
    return [cells, letters]


def _frames(drawing: NetworkDrawing) -> list[alt.Chart]:
    """Return a frame around each layer, which is what hover and keyboard reach, and its name."""
    said = {"n": "layer", "c": "kind", "w": "choices"}
    base = alt.Chart(alt.NamedData(LAYERS))
    frames: alt.Chart = (
        base.transform_calculate(d="datum.n + ', ' + datum.c + ': ' + datum.w")
        .mark_rect(fill="white", fillOpacity=0, strokeWidth=2)
        .encode(
            **pixel_axes(drawing.size, "x", "y"),
            x2="X:Q",
            y2="Y:Q",
            stroke=alt.condition("datum.j", alt.value("black"), alt.value("transparent")),
            description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )
    names: list[alt.Chart] = []
    sides: Mapping[str, Literal["left", "right"]] = {"true": "right", "false": "left"}
    for first, side in sides.items():
        own = base.transform_filter(f"datum.f === {first}")
        halo = own.mark_text(align=side, fontSize=11, stroke="white", strokeWidth=3, aria=False)
        for marks in (halo, own.mark_text(align=side, fontSize=11, aria=False)):
            names.append(marks.encode(**pixel_axes(drawing.size, "t", "v"), text="n:N"))
    return [frames, *names]


def _table(drawing: NetworkDrawing) -> Table:
    """Return a row a layer: what it reads from where, and its strategy."""
    columns = (
        Column("layer", "Layer"),
        Column("kind", "Kind"),
        Column("reads", "Reads"),
        Column("strategy", "Strategy"),
        Column("bytes", "Bytes of the boundaries before"),
    )
    named, work = drawing.named, drawing.named.problem.work
    rows = []
    for at, layer in enumerate(work.layers):
        before = [(number, edge) for number, edge in enumerate(work.boundaries) if edge.reader == at]
        reads = ", ".join(work.layers[edge.producer].name for _, edge in before) or "the input"
        moved = sum(sum(named.breakdown.inter[number]) for number, _ in before)
        rows.append((layer.name, layer.kind, reads, named.strategies[layer.name], moved))
    total = in_bytes(sum(map(sum, named.breakdown.inter)))
    note = f"Strategies have a letter a level, the root's first; {total} cross boundaries in all."
    return Table("network", f"The network with the plan of {named.name}", columns, entry_rows(columns, rows), (note,))


FIGURE: Final = FigureKind("network", "The network", "plan", network_figure, "network")
