"""Links in a picture: straight, bowed, or as two ends where they wrap around."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from hypar_opt.array import Machine
    from hypar_opt.report.arrays.layout import Layout, Point

Piece: TypeAlias = "list[Point]"
STUB = 0.22
"""Inches of each end of a link that wraps around, beyond its node."""
CORNERS = 16
"""Of a bow."""


def lines_of(machine: Machine, layout: Layout, radius: float) -> list[list[Piece]]:
    """Return for every link its pieces.

    Parameters
    ----------
    layout
        In inches.
    radius
        Of a node, in inches.
    """
    return [_pieces(layout, number, link.ends, radius + STUB) for number, link in enumerate(machine.links)]


def _pieces(layout: Layout, number: int, ends: tuple[int, int], reach: float) -> list[Piece]:
    first, second = (layout.points[end] for end in ends)
    if number in layout.stubs:
        across, up = layout.stubs[number]
        dx, dy = (reach * part / math.hypot(across, up) for part in (across, up))
        return [[first, (first[0] + dx, first[1] + dy)], [second, (second[0] - dx, second[1] - dy)]]
    bow = layout.bends.get(number, 0.0)
    return [_bowed(first, second, bow) if bow else [first, second]]


def _bowed(first: Point, second: Point, bow: float) -> Piece:
    """Return half a sine wave between two points, to the left of the way."""
    across, up = second[0] - first[0], second[1] - first[1]
    found = []
    for corner in range(CORNERS + 1):
        way = corner / CORNERS
        side = bow * math.sin(math.pi * way)
        found.append((first[0] + way * across - side * up, first[1] + way * up + side * across))
    return found
