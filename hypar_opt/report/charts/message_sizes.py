"""What a collective takes over its bytes, both logarithmic: a curve an algorithm, and below them what is proven."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.collective.message_sizes import alike, heading_of, in_binary, sizes_table
from hypar_opt.report.numbers import in_component
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.collectives import MessageSizes

COLOURS: Final = (*PALETTE[:6], "#777777")
DASHES: Final = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2))
"""Curves beyond one a colour have the next dashes."""
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right")
WIDE, HIGH = 560, 340
"""Pixels."""
MOST_TICKS: Final = 8
MOST_MARKED: Final = 24
"""Sizes whose points are marked."""
BOUNDS: Final = {"bounds": (1, 0), "any_chunks": (3, 3)}
"""Of the study, with their dashes."""


def message_sizes_figure(found: MessageSizes) -> Figure:
    """Return times over bytes; algorithms that take the same at every size share a curve.

    Raises
    ------
    Refusal
        If no algorithm has a schedule.
    """
    curves = {", ".join(names): seconds for seconds, names in alike(found).items()}
    if not curves:
        raise Refusal("no algorithm has a schedule of any of the sizes; --json says why")
    rows: list[dict[str, Any]] = [
        {
            "bytes": size, "seconds": float(time), "algorithm": name, "exact": f"{exact(time)} s",
            "said": f"{name}, {in_binary(size)}: {in_component(TIME, time)}",
        }
        for name, seconds in curves.items()
        for size, time in zip(found.sizes, seconds, strict=True) if time is not None
    ]  # fmt: skip
    sizes = found.sizes
    across = alt.Scale(type="log", base=2, nice=False, domain=[sizes[0], max(sizes[-1], 2 * sizes[0])])
    powers = [2**power for power in range(sizes[-1].bit_length()) if 2**power >= sizes[0]]
    x = alt.X(
        "bytes:Q",
        title="bytes of all chunks together",
        scale=across,
        axis=alt.Axis(values=powers[:: 1 + len(powers) // MOST_TICKS] or list(sizes), labelExpr=_binary_labels()),
    )
    floor = float(min(found.any_chunks)) / 3
    high = 1.5 * max(row["seconds"] for row in rows)
    scale = alt.Scale(type="log", domain=[floor, high], nice=False)
    tens = [10.0**power for power in range(math.ceil(math.log10(floor)), math.floor(math.log10(high)) + 1)]
    y = alt.Y("seconds:Q", title="time", scale=scale, axis=alt.Axis(**ticks("s"), values=tens))
    layers = [*_below(found, floor, x, scale), *_drawn(rows, list(curves), x, y, marked=len(sizes) <= MOST_MARKED)]
    chart = alt.layer(*layers).properties(width=WIDE, height=HIGH)
    ends = "; ".join(str(row["said"]) for row in rows if row["bytes"] == sizes[-1])
    bound = in_component(TIME, found.bounds[-1])
    alternative = f"{heading_of(found)}. Curves, an algorithm each, over the bytes. {ends}; no schedule below {bound}."
    title = f"Times of {found.instance.name} over its bytes (logarithmic)"
    return figure("message-sizes", title, alternative, chart, sizes_table(found))


def _binary_labels() -> str:
    """Return the expression of Vega that writes bytes as 1 KiB, 64 MiB."""
    parts = " : ".join(
        f"datum.value >= {size} ? format(datum.value / {size}, '~r') + ' {unit}'"
        for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
    )
    return f"{parts} : datum.value + ' B'"


def _below(found: MessageSizes, floor: float, x: alt.X, scale: alt.Scale) -> list[alt.Chart]:
    """Return where no schedule is: grey up to the bound, and the lines of both bounds."""
    y = alt.Y("seconds:Q", scale=scale)
    rows = {
        field: [
            {"bytes": size, "seconds": float(time), "floor": floor}
            for size, time in zip(found.sizes, getattr(found, field), strict=True)
        ]
        for field in BOUNDS
    }
    area = alt.Chart(inline(rows["bounds"])).mark_area(color="#bbbbbb", opacity=0.35, aria=False)
    layers = [area.encode(x=x, y=y, y2="floor:Q")]
    for field, dash in BOUNDS.items():
        line = alt.Chart(inline(rows[field])).encode(x=x, y=y)
        layers.append(line.mark_line(color="black", strokeDash=list(dash), strokeWidth=1.2, aria=False))
    how = "no schedule of these chunks" if found.instance.goal == TIME else "no schedule of these chunks in lockstep"
    corner = alt.Chart(inline([{"bytes": found.sizes[-1], "seconds": floor, "text": how}]))
    layers.append(corner.mark_text(align="right", dx=-8, dy=-12, aria=False).encode(x=x, y=y, text="text:N"))
    if found.bounds != found.any_chunks:
        words = alt.Chart(inline([{**rows["any_chunks"][0], "text": "below: however the bytes are cut"}]))
        layers.append(words.mark_text(align="left", dx=6, dy=12, aria=False).encode(x=x, y=y, text="text:N"))
    return layers


def _drawn(
    rows: Sequence[Mapping[str, Any]], names: Sequence[str], x: alt.X, y: alt.Y, *, marked: bool
) -> list[alt.Chart]:
    base = alt.Chart(inline(rows)).encode(x=x, y=y)
    colour, dash, shape = (_by_algorithm(kind, names) for kind in (alt.Color, alt.StrokeDash, alt.Shape))
    layers: list[alt.Chart] = [base.mark_line(strokeWidth=1.6, aria=False).encode(color=colour, strokeDash=dash)]
    if marked:
        points = base.mark_point(size=30, opacity=1, strokeWidth=1.2, fill="white")
        tooltip = [alt.Tooltip("said:N", title="time"), alt.Tooltip("exact:N")]
        layers.append(points.encode(color=colour, shape=shape, tooltip=tooltip, description=alt.Description("said:N")))
    return layers


def _by_algorithm(channel: Any, names: Sequence[str]) -> Any:
    """Return a channel with its range by curve: colours in turn, then dashes."""
    place = range(len(names))
    ranges: Mapping[str, list[Any]] = {
        "Color": [COLOURS[i % len(COLOURS)] for i in place],
        "StrokeDash": [list(DASHES[i // len(COLOURS) % len(DASHES)]) for i in place],
        "Shape": [SHAPES[(i + 3 * (i // len(COLOURS))) % len(SHAPES)] for i in place],
    }
    scale = alt.Scale(domain=list(names), range=ranges[channel.__name__])
    return channel("algorithm:N", scale=scale, title=None, legend=alt.Legend(orient="bottom", columns=2))


FIGURE: Final = FigureKind("message-sizes", "Times over bytes", "sizes", message_sizes_figure)
