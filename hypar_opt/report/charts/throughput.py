"""What batches take, leave idle and get done by the number of their microbatches, a curve a schedule."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.numbers import in_si, share
from hypar_opt.report.throughput import in_rate, throughput_table
from hypar_opt.studies.schedules.rules import RULES
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.schedules.throughput import Throughput

DASHES: Final = ((1, 0), (6, 3), (2, 2), (8, 2, 2, 2), (4, 2))
SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross")
WIDE, HIGH = 520, 150
"""Pixels of a panel."""
PANELS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = MappingProxyType(
    {
        "rate": ("samples a second", {"tickCount": 5}),
        "bubble": ("bubbles", {"format": "%", "tickCount": 5}),
        "seconds": ("a batch", {**ticks("s"), "tickCount": 5}),
    }
)
"""By field, its axis."""
MOST_MARKED: Final = 24
"""Sizes whose points are marked."""


def throughput_figure(name: str, found: Throughput) -> Figure:
    """Return samples a second with what they never pass, bubbles, and what a batch takes, over its microbatches.

    Raises
    ------
    ValueError
        If no schedule has a batch of any of the sizes.
    """
    rows = [
        {
            "schedule": one.schedule, "microbatches": one.microbatches, "seconds": float(one.seconds),
            "bubble": float(one.bubble or 0), "rate": float(one.rate or 0), "exact": f"{exact(one.seconds)} s",
            "said": f"{one.schedule}, {one.microbatches} microbatches: {in_si(one.seconds, 's')}, "
            f"{share(one.bubble or 0, 1)} bubbles, {in_rate(one.rate)}",
        }
        for one in found.points if one.seconds is not None
    ]  # fmt: skip
    if not rows:
        raise ValueError("there is no schedule to draw")
    panels = [_panel(rows, found, field) for field in PANELS]
    chart = alt.vconcat(*panels, spacing=14).resolve_scale(x="shared")
    last = found.sizes[-1]
    ends = "; ".join(str(row["said"]) for row in rows if row["microbatches"] == last)
    limit = "" if found.most is None else f" Nothing passes {in_rate(found.most)}, the slowest device's."
    alternative = f"Curves, a schedule each, over the microbatches of a batch. {ends}.{limit}"
    return figure(
        "throughput",
        f"Throughput of {name} by the microbatches of a batch",
        alternative,
        chart,
        throughput_table(name, found),
    )


def _panel(rows: Sequence[Mapping[str, Any]], found: Throughput, field: str) -> alt.LayerChart | alt.FacetChart:
    title, axis = PANELS[field]
    sizes = found.sizes
    across = alt.Scale(type="log", base=2, nice=False, domain=[sizes[0], max(sizes[-1], 2 * sizes[0])])
    powers = [2**power for power in range(sizes[-1].bit_length()) if 2**power >= sizes[0]]
    x = alt.X(
        "microbatches:Q",
        title="microbatches of a batch" if field == "seconds" else None,
        scale=across,
        axis=alt.Axis(values=powers or list(sizes), format="d"),
    )
    y = alt.Y(f"{field}:Q", title=title, scale=alt.Scale(zero=True), axis=alt.Axis(**axis))
    base = alt.Chart(inline(rows)).encode(x=x, y=y)
    colour, dash, shape = (_by_schedule(kind, found.schedules) for kind in (alt.Color, alt.StrokeDash, alt.Shape))
    layers: list[alt.Chart] = [base.mark_line(strokeWidth=1.6, aria=False).encode(color=colour, strokeDash=dash)]
    if len(sizes) <= MOST_MARKED:
        points = base.mark_point(size=34, opacity=1, strokeWidth=1.2, fill="white")
        tooltip = [alt.Tooltip("said:N", title="batch"), alt.Tooltip("exact:N")]
        layers.append(points.encode(color=colour, shape=shape, tooltip=tooltip, description=alt.Description("said:N")))
    if field == "rate" and found.most is not None:
        limit = alt.Chart(inline([{"at": float(found.most), "of": sizes[0], "text": "1 / slowest"}]))
        layers.append(limit.mark_rule(color="#777", strokeDash=[3, 3], aria=False).encode(y="at:Q"))
        words = limit.mark_text(align="left", dx=4, dy=-6, color="#555", aria=False)
        layers.append(words.encode(x="of:Q", y="at:Q", text="text:N"))
    return alt.layer(*layers).properties(width=WIDE, height=HIGH)


def _by_schedule(channel: Any, there: Sequence[str]) -> Any:
    """Return a channel with its range by schedule: the same in all panels, and in every picture."""
    ranges: Mapping[str, Sequence[Any]] = {"Color": PALETTE, "StrokeDash": DASHES, "Shape": SHAPES}
    known = {one: ranges[channel.__name__][place] for place, one in enumerate(RULES) if one in there}
    values = [list(one) if isinstance(one, tuple) else one for one in known.values()]
    scale = alt.Scale(domain=list(known), range=values)
    return channel("schedule:N", scale=scale, title=None, legend=alt.Legend(orient="bottom", columns=3))


FIGURE: Final = FigureKind(
    "throughput",
    "Throughput over microbatches",
    "plan",
    lambda named: throughput_figure(named.problem.instance.name, named.throughput),
    "throughput",
    of=("pipeline",),
)
