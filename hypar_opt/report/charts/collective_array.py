"""The array of a collective in pixels: every direction of a link on its own side, with a head where it arrives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.links_geometry import SWITCH, Geometry, geometry_of
from hypar_opt.report.charts.theme import MONO
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.arrays.layout import Point

MOST_NODES: Final = 1_024
MOST_LINKS: Final = 4_096
"""Of a picture that can still be read, or of which at least the shape can be."""
SIDE: Final = 3.0
"""Pixels that a direction of a link runs beside its middle: on the right of who goes that way."""
STRAIGHT: Final = 1e-6
"""Of a corner, relative to the lengths of its sides."""
HEAD: Final = 42
"""Of arrow heads, square pixels."""
LONGEST: Final = 4
"""Letters of a name that stands in its node; others are told on hover."""
STROKES, HEADS, NODES, PALE = "strokes", "heads", "nodes", "pale"
"""What the data are called: of what is sent, and of the array below it."""
GREY: Final = "#DDDDDD"
ROLES: Final[Mapping[str, tuple[str, str]]] = {
    "home": ("#E69F00", "circle"),
    "takes part": ("#DCE9F5", "circle"),
    "takes no part": ("#E8E8E8", "diamond"),
    "behind the cut": ("#56B4E9", "circle"),
    "switch": (SWITCH, "square"),
}
"""By what a node is to what is shown, its colour and its shape."""


@dataclass(frozen=True)
class ArrayDrawing:
    """Where nodes and directions of links stand.

    Parameters
    ----------
    instance
        Whose array.
    """

    instance: CollectiveInstance

    def __post_init__(self) -> None:
        machine = self.instance.machine
        for count, most, what in (
            (len(machine.names), MOST_NODES, "nodes"),
            (len(machine.links), MOST_LINKS, "links"),
        ):
            if count > most:
                raise Refusal(f"a picture of {count:,} {what} cannot be read, at most {most:,} are drawn")

    @cached_property
    def geometry(self) -> Geometry:
        """Of the array."""
        names = self.instance.machine.names
        return geometry_of(self.instance.machine, min(LONGEST, max(map(len, names))) - 1)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        left, low, right, high = self.geometry.box
        return round(right - left), round(high - low)

    def pieces(self, hop: tuple[int, int]) -> list[list[Point]]:
        """Return the way from one node to another; of a link that wraps around what is seen of it at either end."""
        begin, end = self.geometry.halves[hop], self.geometry.halves[hop[::-1]]
        out = [begin[0][:2], *(stroke[2:] for stroke in begin)]
        back = [end[0][:2], *(stroke[2:] for stroke in end)][::-1]
        joined = math.dist(out[-1], back[0]) < 1
        found = [_without_corners([*out, *back[1:]])] if joined else [out, back]
        moved = [_beside(piece) for piece in found]
        dot = self.geometry.dot / 2
        moved[0] = _shortened(moved[0], dot)
        moved[-1] = _shortened(moved[-1][::-1], dot + 1)[::-1]
        return moved

    def strokes(self, hop: tuple[int, int]) -> Iterator[dict[str, float]]:
        """Yield the straight strokes of a direction of a link."""
        for piece in self.pieces(hop):
            for first, second in pairwise(piece):
                yield dict(zip("xyXY", (round(at, 1) for at in (*first, *second)), strict=True))

    def head(self, hop: tuple[int, int]) -> dict[str, float]:
        """Return where the head of a direction of a link stands, and where it points."""
        before, (x, y) = self.pieces(hop)[-1][-2:]
        angle = math.degrees(math.atan2(x - before[0], y - before[1]))
        back = 0.5 * math.sqrt(HEAD)
        along = math.dist(before, (x, y)) or 1.0
        x, y = x - back * (x - before[0]) / along, y - back * (y - before[1]) / along
        return {"x": round(x, 1), "y": round(y, 1), "a": round(angle, 1)}

    def pale(self) -> list[dict[str, Any]]:
        """Return all links, as they lie below what is sent."""
        hops = self.geometry.halves
        return [dict(zip("xyXY", (round(at, 1) for at in stroke), strict=True)) for hop in hops for stroke in hops[hop]]

    def places(self, across: str = "x", up: str = "y") -> dict[str, Any]:
        """Return the axes of two fields, in pixels from the left and from below."""
        left, low, right, high = self.geometry.box
        return {
            "x": alt.X(f"{across}:Q", axis=None, scale=alt.Scale(domain=[left, right], nice=False, zero=False)),
            "y": alt.Y(f"{up}:Q", axis=None, scale=alt.Scale(domain=[low, high], nice=False, zero=False)),
        }

    def node(self, node: int, role: str) -> dict[str, Any]:
        """Return a node with what it is to what is shown."""
        name, (x, y) = self.instance.machine.names[node], self.geometry.layout.points[node]
        label = name if len(name) <= LONGEST else ""
        return {"n": name, "l": label, "g": role, "x": round(x, 1), "y": round(y, 1), **self.geometry.beyond(node)}

    def role(self, node: int) -> str:
        """Return what a node is to the collective."""
        if node >= len(self.instance.machine.accelerators):
            return "switch"
        return "takes part" if node in self.instance.group else "takes no part"

    def below(self) -> alt.Chart:
        """Return all links, pale."""
        chart: alt.Chart = alt.Chart(alt.NamedData(PALE)).mark_rule(color=GREY, strokeWidth=2, aria=False)
        return chart.encode(**self.places(), x2=alt.X2("X"), y2=alt.Y2("Y"))

    def nodes(self, base: alt.Chart, roles: Sequence[str]) -> list[alt.Chart]:
        """Return nodes with their names, and a legend of what they are."""
        there = [role for role in ROLES if role in roles]
        colours, shapes = ([ROLES[role][place] for role in there] for place in (0, 1))
        legend = alt.Legend(title="nodes", symbolStrokeColor="black", symbolStrokeWidth=0.7, symbolSize=90)
        size = self.geometry.dot**2
        dots: alt.Chart = base.transform_calculate(d="datum.n + ', ' + datum.g").mark_point(strokeWidth=0.7, opacity=1)
        dots = dots.encode(
            **self.places(),
            fill=alt.Fill("g:N", scale=alt.Scale(domain=there, range=colours), legend=legend),
            shape=alt.Shape("g:N", scale=alt.Scale(domain=there, range=shapes), legend=legend),
            size=alt.condition("datum.g === 'switch'", alt.value(0.4 * size), alt.value(size)),
            stroke=alt.StrokeValue("black"),
            description=alt.Description("d:N"),
            tooltip=[alt.Tooltip("n:N", title="node"), alt.Tooltip("g:N", title="which is")],
        )
        if self.geometry.inside:
            inside: alt.Chart = base.transform_filter("datum.g !== 'switch'").mark_text(
                font=MONO, fontSize=8, aria=False
            )
            return [dots, inside.encode(**self.places(), text="l:N")]
        return [dots, *(self._outside(base, ends=ends) for ends in (False, True))]

    def _outside(self, base: alt.Chart, *, ends: bool) -> alt.Chart:
        """Return the names that begin at their nodes, or those that end there."""
        own: alt.Chart = base.transform_filter(f"datum.e === {'true' if ends else 'false'}")
        own = own.mark_text(font=MONO, fontSize=8, align="right" if ends else "left", aria=False)
        return own.encode(**self.places("X", "Y"), text="l:N", angle=alt.Angle("a:Q", scale=None))


def _without_corners(piece: list[Point]) -> list[Point]:
    """Return a way as one stroke where it is straight, so that no seam is seen in its middle."""
    (x, y), (X, Y) = piece[0], piece[-1]
    length = (X - x) ** 2 + (Y - y) ** 2
    turns = (abs((X - x) * (up - y) - (Y - y) * (at - x)) for at, up in piece[1:-1])
    return [piece[0], piece[-1]] if max(turns, default=0) <= STRAIGHT * length else piece


def _beside(piece: Sequence[Point]) -> list[Point]:
    """Return a way a little to the right of itself."""
    (x, y), (X, Y) = piece[0], piece[-1]
    length = math.dist(piece[0], piece[-1]) or 1.0
    aside = SIDE * (Y - y) / length, -SIDE * (X - x) / length
    return [(at + aside[0], up + aside[1]) for at, up in piece]


def _shortened(piece: list[Point], by: float) -> list[Point]:
    """Return a way without its first pixels, but for a stump where it has no more."""
    (x, y), (X, Y) = piece[:2]
    length = math.dist((x, y), (X, Y)) or 1.0
    share = min(by / length, 0.8)
    return [(x + share * (X - x), y + share * (Y - y)), *piece[1:]]
