"""A picture of an array: its nodes and links, who stands where, and what the links carry."""

from __future__ import annotations

import io
import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from hypar_opt.errors import Refusal
from hypar_opt.report.arrays.drawing import LABEL, LINE, bar, legend, links, nodes
from hypar_opt.report.arrays.layout import layout_of
from hypar_opt.report.arrays.lines import lines_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from matplotlib.figure import Figure

    from hypar_opt.array import Hop, Machine
    from hypar_opt.report.arrays.layout import Layout
    from hypar_opt.report.arrays.lines import Piece

MOST_NODES: Final = 256
"""Of a picture that can still be read."""
INCH: Final = 72.0
"""Points."""
INSIDE: Final = 16
"""Up to so many accelerators have their labels inside wherever they stand."""
NARROWEST, LOWEST, LEAST, MOST = 6.5, 2.4, 5.0, 40.0
"""Inches: a picture's width and height at the least; of the nodes' longer side the least and the most."""
MARGIN, BELOW, RIGHT = 0.35, 0.75, 1.3
"""Inches around the nodes, for the legend and for the colour bar."""
DOTS: Final = 110
"""An inch, of a PNG."""


@dataclass(frozen=True)
class Picture:
    """What to draw.

    Parameters
    ----------
    machine
        The array.
    placed
        An accelerator's position for every leaf.
    title
        Lines above it.
    loads
        Bytes by link and direction, or seconds; None draws the links alike.
    by_time
        Whether they are seconds.
    """

    machine: Machine
    placed: tuple[int, ...]
    title: tuple[str, ...] = ()
    loads: Mapping[Hop, Fraction] | None = None
    by_time: bool = False


def draw(picture: Picture, form: Literal["png", "svg"]) -> bytes:
    """Return the picture as a file's content; the same for the same array, byte by byte.

    Raises
    ------
    Refusal
        If it has too many nodes for a picture.
    """
    count = len(picture.machine.names)
    if count > MOST_NODES:
        raise Refusal(
            f"a picture of {count:,} nodes cannot be read, at most {MOST_NODES} are drawn; "
            "without a picture the array is shown as text, and as JSON in full"
        )
    import matplotlib as mpl

    with mpl.rc_context({"svg.hashsalt": "hypar-opt", "font.family": "DejaVu Sans"}):
        figure = _figure(picture)
        stream = io.BytesIO()
        unsaid = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(stream, format=form, dpi=DOTS, metadata=unsaid)
    return stream.getvalue()


def _figure(picture: Picture) -> Figure:
    from matplotlib.figure import Figure

    machine = picture.machine
    found = layout_of(machine)
    inside = not found.outward or len(machine.accelerators) <= INSIDE
    label = LABEL * 0.62 * max(1, len(picture.placed).bit_length() - 1)
    dot = max(15.0, label + 7) if inside else 8.0
    layout = _scaled(found, dot * (1.5 if inside else 1.6) / INCH)
    lines = lines_of(machine, layout, dot / 2 / INCH)
    beyond = MARGIN + (0.0 if inside else label / INCH) + 0.6 * dot / INCH
    box = _box(layout, lines)
    right = RIGHT if picture.loads else 0.0
    width, height = box[2] - box[0] + 2 * beyond, max(LOWEST, box[3] - box[1] + 2 * beyond)
    wide = max(width + right, NARROWEST)
    title = [line for text in picture.title for line in textwrap.wrap(text, int(wide * 14))]
    above = LINE * (len(title) + 1)
    figure = Figure(figsize=(wide, height + BELOW + above))
    tall = height + BELOW + above
    axes = figure.add_axes(((wide - right - width) / 2 / wide, BELOW / tall, width / wide, height / tall))
    middle = (box[1] + box[3]) / 2
    axes.set(xlim=(box[0] - beyond, box[2] + beyond), ylim=(middle - height / 2, middle + height / 2))
    axes.set_axis_off()
    links(axes, picture, lines, thick=inside)
    nodes(axes, picture, layout, dot, inside=inside)
    bar(figure, axes, picture)
    legend(figure, picture)
    figure.text(0.5, 1 - 0.5 * LINE / tall, "\n".join(title), ha="center", va="top", fontsize=9.0)
    return figure


def _scaled(layout: Layout, least: float) -> Layout:
    """Return the layout in inches: the two nearest nodes as far apart as given, and none of it tiny or vast."""
    points = layout.points
    near = min((math.dist(a, b) for i, a in enumerate(points) for b in points[:i]), default=least)
    left, low, right, high = _box(layout, [])
    longest = max(right - left, high - low)
    scale = max(least / near, LEAST / longest if longest else 1.0)
    return layout.times(min(scale, MOST / longest) if longest else scale)


def _box(layout: Layout, lines: Sequence[Sequence[Piece]]) -> tuple[float, float, float, float]:
    drawn = [*layout.points, *(corner for pieces in lines for piece in pieces for corner in piece)]
    across, up = [x for x, _ in drawn], [y for _, y in drawn]
    return min(across), min(up), max(across), max(up)
