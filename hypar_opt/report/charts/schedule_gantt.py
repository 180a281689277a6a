"""A schedule of a pipeline: what every device does when, what it does nothing in, and what it keeps meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_si, share
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.schedule import JudgedSchedule
    from hypar_opt.studies.schedules.compare import NamedSchedule

COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {"forward": "#56B4E9", "backward": "#E69F00", "gradient": "#009E73", "bubble": "#E4E4E4"}
)
WIDE, ROW, LOW = 720, 26, 22
"""Pixels: of the schedule, and of a device's rows of operations and of memory."""
MOST_NUMBERED: Final = 400
"""Operations that have their microbatch's number written on them."""
NARROWEST: Final = 0.012
"""Of the whole, of an operation with a number on it."""


def schedule_figure(name: str, found: NamedSchedule) -> Figure:
    """Return a schedule as a Gantt chart with the bytes that every device keeps below it.

    Raises
    ------
    ValueError
        If there is no schedule.
    """
    judged = found.judged
    if judged is None or found.bubble is None:
        raise ValueError("there is no schedule to draw")
    rows = list(_bars(judged))
    said = f"{found.name}: {in_si(float(judged.seconds), 's')}, {share(found.bubble, 1)} bubbles"
    title = alt.TitleParams(said, anchor="start", fontSize=12, fontWeight="normal")
    there = [one for one in COLOURS if any(row["phase"] == one for row in rows)]
    across = alt.Scale(domain=[0, float(judged.seconds)], nice=False)
    x = alt.X("begin:Q", title="seconds", scale=across, axis=alt.Axis(**ticks("s"), tickCount=8))
    y = alt.Y("device:O", title="device", scale=alt.Scale(paddingInner=0.15))
    colour = alt.Color(
        "phase:N",
        scale=alt.Scale(domain=there, range=[COLOURS[one] for one in there]),
        legend=alt.Legend(title=None, orient="bottom", direction="horizontal", symbolType="square"),
    )
    bars = alt.Chart(inline(rows)).mark_bar(stroke="white", strokeWidth=0.4).encode(x=x, x2="end:Q", y=y, color=colour)
    layers = [bars]
    if len(judged.spans) <= MOST_NUMBERED:
        least = NARROWEST * float(judged.seconds)
        numbered = [row for row in rows if row["phase"] != "bubble" and row["end"] - row["begin"] >= least]
        layers.append(
            alt.Chart(inline(numbered))
            .mark_text(fontSize=7.5)
            .encode(x=alt.X("middle:Q", scale=across), y=y, text="microbatch:N")
        )
    drawn = alt.layer(*layers).properties(width=WIDE, height=ROW * judged.devices, title=title)
    kept = list(_kept(judged))
    memory = (
        alt.Chart(inline(kept))
        .mark_rect(color="#CC79A7")
        .encode(
            x=alt.X("begin:Q", title=None, scale=across, axis=alt.Axis(labels=False, ticks=False)),
            x2="end:Q",
            y=alt.Y("kept:Q", title=None, axis=alt.Axis(**ticks("B"), tickCount=2)),
            y2=alt.datum(0),
            row=alt.Row("device:O", title="kept, by device", spacing=12, header=alt.Header(labelAngle=0)),
        )
        .properties(width=WIDE, height=LOW)
    )
    chart = alt.vconcat(drawn, memory).resolve_scale(x="shared") if any(row["kept"] for row in kept) else drawn
    alternative = f"{name}, {said}. A row a device: operations of each phase by microbatch, bubbles grey."
    return figure("schedule", f"What the devices of {name} do when", alternative, chart, _table(judged))


def _bars(judged: JudgedSchedule) -> Iterator[dict[str, Any]]:
    """Yield operations and what is between them."""
    whole = float(judged.seconds)
    for device in range(judged.devices):
        own = sorted(span for span in judged.spans if span.device == device and span.begin < span.end)
        edges = [(0.0, 0.0), *((float(span.begin), float(span.end)) for span in own), (whole, whole)]
        for (_, end), (begin, _) in pairwise(edges):
            if begin - end > 1e-9 * whole:
                yield {"device": device + 1, "phase": "bubble", "begin": end, "end": begin, "microbatch": ""}
        for span in own:
            yield {
                "device": device + 1,
                "phase": span.phase,
                "begin": float(span.begin),
                "end": float(span.end),
                "middle": float(span.begin + span.end) / 2,
                "microbatch": str(span.microbatch + 1),
            }


def _kept(judged: JudgedSchedule) -> Iterator[dict[str, Any]]:
    for device in range(judged.devices):
        profile = judged.memory(device)
        for (begin, kept), (end, _) in pairwise((*profile, (judged.seconds, profile[-1][1]))):
            if begin < end:
                yield {"device": device + 1, "begin": float(begin), "end": float(end), "kept": float(kept)}


def _table(judged: JudgedSchedule) -> Table:
    columns = (
        Column("device", "device"), Column("stage", "stage"), Column("microbatch", "microbatch"),
        Column("phase", "phase"), Column("begin_s", "begin", "s"), Column("end_s", "end", "s"),
    )  # fmt: skip
    rows = [
        (span.device + 1, span.stage + 1, span.microbatch + 1, span.phase, exact(span.begin), exact(span.end))
        for span in sorted(judged.spans)
    ]
    return Table("schedule", "Operations of a schedule", columns, entry_rows(columns, rows))
