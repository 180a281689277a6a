"""A schedule of a collective in space and time: which link carries whose chunk when."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.space_time_cells import busy_figure
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.collective.homes import home_of
from hypar_opt.report.collective.tables import sends_table
from hypar_opt.report.numbers import in_si

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.instance.collective import Send

WIDE: Final = 720
ROW: Final = 12
"""Pixels: of the whole time, and of a link's row."""
MOST_LINKS: Final = 256
MOST_BARS: Final = 6_000
"""Directions of links that a picture has rows for, and bars on them; larger ones say how busy links are."""
STRENGTHS: Final[Mapping[str, float]] = MappingProxyType({"added": 0.5, "copied": 1.0})
"""Of colours, by what becomes of a chunk where it arrives."""
MOST_TICKS: Final = 32
MOST_NAMED: Final = 400
"""Sends that have their chunk's name written on them."""


def space_time_figure(judged: JudgedCollective) -> Figure:
    """Return a row a direction of a link, and on it its chunks, coloured by where they begin or are summed up.

    Of a schedule with very many links or sends it is how busy links are, several in a row.
    """
    instance, timed = judged.instance, judged.steps is None
    crossed = sum(len(one.route) - 1 for one in judged.schedule.sends)
    for count, most, what in ((len(judged.bytes_by_link), MOST_LINKS, "links"), (crossed, MOST_BARS, "sends")):
        if count > most:
            return busy_figure(judged, f"{count:,} {what} are too many to be drawn one by one")
    rows = list(_bars(judged))
    last = max(row["end"] for row in rows)
    across = alt.Scale(domain=[0, last], nice=False)
    whole = list(range(0, judged.steps + 1, 1 + judged.steps // MOST_TICKS)) if judged.steps else []
    marks = alt.Axis(**ticks("s"), tickCount=8) if timed else alt.Axis(values=whole, format="d", grid=True)
    x = alt.X("begin:Q", title="seconds" if timed else "synchronous steps", scale=across, axis=marks)
    y = alt.Y("link:N", title=None, sort=None, scale=alt.Scale(paddingInner=0.1), axis=alt.Axis(labelFontSize=8))
    colour = alt.Color("of:N", sort=None, scale=alt.Scale(scheme="tableau20"), legend=None)
    strength = alt.Scale(domain=list(STRENGTHS), range=list(STRENGTHS.values()))
    mixed = len({row["how"] for row in rows}) > 1
    how = alt.Legend(title=None, orient="bottom", symbolType="square") if mixed else None
    bars = (
        alt.Chart(inline(rows))
        .transform_calculate(said="datum.chunk + ', ' + datum.link + ', ' + datum.when")
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=x,
            x2="end:Q",
            y=y,
            color=colour,
            opacity=alt.Opacity("how:O", scale=strength, legend=how),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("chunk", "link", "when", "how")],
            description=alt.Description("said:N"),
        )
    )
    layers = [bars]
    if len(rows) <= MOST_NAMED:
        names = alt.Chart(inline(rows)).mark_text(fontSize=7)
        layers.append(names.encode(x=alt.X("middle:Q", scale=across), y=y, text="chunk:N"))
    height = ROW * len({row["link"] for row in rows})
    said = f"{instance.collective}: {in_si(float(last), 's') if timed else f'{judged.steps:,} steps'}"
    title = alt.TitleParams(said, anchor="start", fontSize=12, fontWeight="normal")
    chart = alt.layer(*layers).properties(width=WIDE, height=height, title=title)
    alternative = f"{instance.name}, {said}. A row a direction of a link, bars where it carries a chunk."
    return figure("schedule", f"A schedule of {instance.name}", alternative, chart, sends_table(judged))


def _bars(judged: JudgedCollective) -> Iterator[dict[str, Any]]:
    """Yield for every send its links; those that a step has of one link stand one after the other in it."""
    instance = judged.instance
    together: dict[tuple[tuple[int, int], Any], list[Send]] = {}
    for one in sorted(judged.schedule.sends, key=lambda one: (one.begin, one)):
        for hop in pairwise(one.route):
            together.setdefault((hop, one.begin), []).append(one)
    for (hop, begin), sends in sorted(together.items()):
        for place, one in enumerate(sends):
            chunk = instance.chunks[one.chunk]
            width = float(one.end - begin) / len(sends)
            yield {
                "link": instance.machine.path(hop),
                "chunk": chunk.name,
                "of": instance.machine.names[home_of(instance, one.chunk)],
                "begin": float(begin) + place * width,
                "middle": float(begin) + (place + 0.5) * width,
                "end": float(begin) + (place + 1) * width,
                "when": f"{one.begin} s to {one.end} s" if judged.steps is None else f"step {one.end}",
                "how": "added" if one.adds else "copied",
            }
