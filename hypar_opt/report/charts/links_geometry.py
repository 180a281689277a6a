"""An array's picture in pixels: where its nodes stand, and each link in two halves, one a direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.report.arrays.layout import NodeLayout, Point, layout_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware import Hop, Machine

Piece: TypeAlias = "list[Point]"
STUB = 0.22
"""Inches of each end of a link that wraps around, beyond its node."""
CORNERS = 8
"""Of a bow, an even number."""


def lines_of(machine: Machine, layout: NodeLayout, radius: float) -> list[list[Piece]]:
    """Return for every link its pieces.

    Parameters
    ----------
    layout
        In inches.
    radius
        Of a node, in inches.
    """
    return [_pieces(layout, number, link.ends, radius + STUB) for number, link in enumerate(machine.links)]


def _pieces(layout: NodeLayout, number: int, ends: tuple[int, int], reach: float) -> list[Piece]:
    first, second = (layout.points[end] for end in ends)
    if number in layout.stubs:
        across, up = layout.stubs[number]
        dx, dy = (reach * part / math.hypot(across, up) for part in (across, up))
        return [[first, (first[0] + dx, first[1] + dy)], [second, (second[0] - dx, second[1] - dy)]]
    bow = layout.bends.get(number, 0.0)
    return [_bowed(first, second, bow) if bow else [first, _middle(first, second), second]]


def _middle(first: Point, second: Point) -> Point:
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2


def _bowed(first: Point, second: Point, bow: float) -> Piece:
    """Return half a sine wave between two points, to the left of the way."""
    across, up = second[0] - first[0], second[1] - first[1]
    found = []
    for corner in range(CORNERS + 1):
        way = corner / CORNERS
        side = bow * math.sin(math.pi * way)
        found.append((first[0] + way * across - side * up, first[1] + way * up + side * across))
    return found


GROUPS: Final = ("#E69F00", "#F0E442", "#56B4E9", "#CC79A7")
"""Of the groups of the first two levels (Okabe and Ito's palette, its lighter half: black text can be read on it)."""
SWITCH: Final = "#999999"
IDLE: Final = "#BBBBBB"

Stroke: TypeAlias = "tuple[float, float, float, float]"
"""Two ends of a straight stroke: x, y, x, y."""
INCH: Final = 72.0
"""Pixels; links that wrap around are so many inches long."""
INSIDE: Final = 16
"""Up to so many accelerators have their labels inside wherever they stand."""
CHARACTER: Final = 6.2
"""Pixels of a label's letter."""
ROOM, LEAST, MOST = 95.0, 380.0, 1600.0
"""Pixels of the longer side: times the root of the nodes, but no more than the second, at the least; at the most."""


@dataclass(frozen=True)
class Geometry:
    """What stands where.

    Parameters
    ----------
    dot
        Diameter of a node.
    inside
        Whether labels stand inside the nodes.
    layout
        In pixels.
    halves
        By link and direction, the strokes of the half that begins at the first node.
    box
        Around all of it, labels included: left, low, right, high.
    """

    dot: float
    inside: bool
    layout: NodeLayout
    halves: dict[Hop, tuple[Stroke, ...]]
    box: tuple[float, float, float, float]

    def beyond(self, node: int) -> dict[str, Any]:
        """Return where a label outside its node begins, the angle that it runs at, and whether it ends there."""
        if self.inside or node >= len(self.layout.outward):
            return {}
        (x, y), (across, up) = self.layout.points[node], self.layout.outward[node]
        away = 0.8 * self.dot / math.hypot(across, up)
        angle = math.degrees(math.atan2(up, across))
        ends = abs(angle) > 90.001  # never upside down
        turned = angle - math.copysign(180, angle) if ends else angle
        return {"X": round(x + away * across, 1), "Y": round(y + away * up, 1), "a": round(-turned, 1), "e": ends}


def geometry_of(machine: Machine, levels: int) -> Geometry:
    """Return the picture's geometry; the same for the same array.

    Parameters
    ----------
    levels
        Letters of a leaf's label.
    """
    found = layout_of(machine)
    inside = not found.outward or len(machine.accelerators) <= INSIDE
    label = CHARACTER * max(1, levels)
    dot = max(18.0, label + 9) if inside else 10.0
    layout = _scaled(found, dot * 1.6)
    lines = lines_of(machine, layout.times(1 / INCH), dot / 2 / INCH)
    halves: dict[Hop, tuple[Stroke, ...]] = {}
    for link, pieces in zip(machine.links, lines, strict=True):
        halves[link.ends], halves[link.ends[::-1]] = _halves(pieces)
    beyond = 0.8 * dot + (0.0 if inside else label)
    ends = (end for strokes in halves.values() for one in strokes for end in (one[:2], one[2:]))
    corners = [*layout.points, *ends]
    left, low, right, high = _around(corners)
    return Geometry(dot, inside, layout, halves, (left - beyond, low - beyond, right + beyond, high + beyond))


def _scaled(layout: NodeLayout, near: float) -> NodeLayout:
    """Return the layout in pixels: the two nearest nodes as far apart as given, and none of it tiny or vast."""
    points = layout.points
    nearest = min((math.dist(a, b) for i, a in enumerate(points) for b in points[:i]), default=near)
    left, low, right, high = _around(points)
    longest = max(right - left, high - low)
    least = min(LEAST, ROOM * math.sqrt(len(points)))
    scale = max(near / nearest, least / longest) if longest else 1.0
    return layout.times(min(scale, MOST / longest) if longest else scale)


def _halves(pieces: Sequence[Piece]) -> tuple[tuple[Stroke, ...], tuple[Stroke, ...]]:
    """Cut a link in its middle; one that wraps around is two ends already."""
    if len(pieces) == 2:
        first, second = pieces
        return _strokes(first), _strokes(second)
    (piece,) = pieces
    half = len(piece) // 2
    return _strokes(piece[: half + 1]), _strokes(piece[: half - 1 : -1])


def _strokes(piece: Piece) -> tuple[Stroke, ...]:
    ends = [(x * INCH, y * INCH) for x, y in piece]
    return tuple((*first, *second) for first, second in pairwise(ends))


def _around(points: Sequence[Point]) -> tuple[float, float, float, float]:
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across), min(up), max(across), max(up)
