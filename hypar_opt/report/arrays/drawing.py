"""The parts of an array's picture: links, nodes and their labels, the colour bar and the legend."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.report.arrays.style import GROUPS, IDLE, LINK, SWITCH, UNUSED, group_colour, map_of_loads
from hypar_opt.report.numbers import in_bytes, in_si

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hypar_opt.report.arrays.layout import Layout
    from hypar_opt.report.arrays.lines import Piece
    from hypar_opt.report.arrays.picture import Picture

LABEL: Final = 7.0
"""Points of all text but the title."""
LINE: Final = 0.18
"""Inches of a line of the title."""
THINNEST, THICK, THIN = 1.0, 5.0, 2.8
"""Points of a link that carries something, and of the fullest one where there is room and where there is not."""
MANY: Final = 150
"""Links from which idle ones get thinner."""


def links(axes: Axes, picture: Picture, lines: Sequence[Sequence[Piece]], *, thick: bool) -> None:
    """Draw every link, by its busier direction, the fuller ones over the emptier ones."""
    from matplotlib.collections import LineCollection

    loads = both_ways(picture)
    most = max(loads, default=Fraction(0))
    colours, _ = map_of_loads(most)
    fullest = THICK if thick else THIN
    idle = min(THINNEST, MANY / max(1, len(lines)))
    plain = (LINK, THINNEST, "solid") if picture.loads is None else (IDLE, idle, "dashed")
    drawn = []
    for number in sorted(range(len(lines)), key=loads.__getitem__):
        share = float(loads[number] / most) if most else 0.0
        style = (colours(share), THINNEST + share * (fullest - THINNEST), "solid") if share else plain
        drawn += [(piece, *style) for piece in lines[number]]
    axes.add_collection(
        LineCollection(
            [piece for piece, *_ in drawn],
            colors=[colour for _, colour, _, _ in drawn],
            linewidths=[width for _, _, width, _ in drawn],
            linestyles=[style for *_, style in drawn],
            zorder=1,
        )
    )


def bar(figure: Figure, axes: Axes, picture: Picture) -> None:
    """Draw what the links' colours say, where there is traffic."""
    from matplotlib.ticker import MaxNLocator

    most = max(both_ways(picture), default=Fraction(0))
    if not most:
        return
    written, what = (_seconds, "time") if picture.by_time else (in_bytes, "bytes")
    wide = figure.get_figwidth()
    place = axes.get_position()
    side = figure.add_axes((1 - 1.05 / wide, place.y0 + 0.1 * place.height, 0.14 / wide, 0.8 * place.height))
    scale = figure.colorbar(map_of_loads(most)[1], cax=side)
    ticks = [tick for tick in MaxNLocator(5).tick_values(0, float(most)) if tick <= float(most)]
    scale.set_ticks(ticks, labels=[written(Fraction(float(tick))) for tick in ticks])
    scale.ax.tick_params(labelsize=LABEL)
    scale.set_label(f"a step's {what}, the busier direction; at most {written(most)}", fontsize=LABEL)


def _seconds(time: Fraction) -> str:
    return in_si(float(time), "s")


def both_ways(picture: Picture) -> list[Fraction]:
    """Return of every link the load of its busier direction."""
    loads, nothing = picture.loads or {}, Fraction(0)
    return [max(loads.get(link.ends, nothing), loads.get(link.ends[::-1], nothing)) for link in picture.machine.links]


def nodes(axes: Axes, picture: Picture, layout: Layout, dot: float, *, inside: bool) -> None:
    """Draw accelerators, coloured by their group and labelled with their leaf, and switches."""
    count = len(picture.machine.accelerators)
    leaf_of = {site: leaf for leaf, site in enumerate(picture.placed)}
    levels = len(picture.placed).bit_length() - 1
    colours = [group_colour(leaf_of.get(site), levels) for site in range(count)]
    _dots(axes, layout, range(count), colours, dot**2, "o")
    switches = range(count, len(picture.machine.names))
    _dots(axes, layout, switches, [SWITCH] * len(switches), dot**2 * (0.35 if inside else 0.5), "s")
    for site, leaf in leaf_of.items():
        _label(axes, layout, site, f"{leaf:0{levels}b}" if levels else "-", 0.0 if inside else 0.75 * dot / 72)


def _dots(axes: Axes, layout: Layout, which: range, colours: list[str], size: float, marker: str) -> None:
    places = [layout.points[node] for node in which]
    axes.scatter(
        [x for x, _ in places], [y for _, y in places], s=size, c=colours, marker=marker, edgecolors="black",
        linewidths=0.6, zorder=3,
    )  # fmt: skip


def _label(axes: Axes, layout: Layout, site: int, word: str, away: float) -> None:
    """Write inside a node, or beside it along the direction in which there is room."""
    (x, y), (dx, dy) = layout.points[site], layout.outward[site] if away else (1.0, 0.0)
    angle = math.degrees(math.atan2(dy, dx))
    turned = angle > 90.001 or angle < -89.999  # never upside down
    axes.text(
        x + dx / math.hypot(dx, dy) * away,
        y + dy / math.hypot(dx, dy) * away,
        word,
        rotation=angle - 180 if turned else angle,
        rotation_mode="anchor",
        ha=("right" if turned else "left") if away else "center",
        va="center_baseline",
        fontsize=LABEL,
        family="DejaVu Sans Mono",
        zorder=4,
    )


def legend(figure: Figure, picture: Picture) -> None:
    """Say what colours, marks and labels are."""
    from matplotlib.lines import Line2D

    shown = min(len(picture.placed).bit_length() - 1, 2)
    marks = [("o", f"group {i:0{shown}b}" if shown else "the leaf", GROUPS[i]) for i in range(1 << shown)]
    if len(picture.placed) < len(picture.machine.accelerators):
        marks.append(("o", "unused", UNUSED))
    if picture.machine.switches:
        marks.append(("s", "switch", SWITCH))
    handles = [
        Line2D([], [], marker=mark, color="none", markerfacecolor=colour, markeredgecolor="black", label=name)
        for mark, name, colour in marks
    ]
    if picture.loads is not None and 0 in both_ways(picture):
        handles.append(Line2D([], [], color=IDLE, linestyle="dashed", label="idle link"))
    title = f"label: leaf of the partition tree, the root's side first; colour: its group at level {max(shown, 1)}"
    figure.legend(
        handles=handles, loc="lower center", ncols=len(handles), fontsize=LABEL, frameon=False, columnspacing=1.2,
        title=title, title_fontsize=LABEL,
    )  # fmt: skip
