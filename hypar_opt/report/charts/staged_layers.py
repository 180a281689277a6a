"""Stages of a network: how long each computes, exchanges, reads and sends, and which one all others wait for."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_si
from hypar_opt.report.plan_rows import first_to_last
from hypar_opt.report.staged.plan import leaves_text, words_text
from hypar_opt.report.staged.tables import PARTS, stages_table
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.stages import JudgedStages

COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    dict(zip(PARTS, ("#0072B2", "#009E73", "#E69F00", "#CC79A7"), strict=True))
)
WIDE: Final = 560
ROW: Final = 26
"""Pixels: of the slowest stage, and of a row."""


def staged_figure(judged: JudgedStages) -> Figure:
    """Return a bar a stage, of a microbatch."""
    slowest, each = judged.slowest, judged.microbatches
    mark = f"slowest: {leaves_text(slowest)}, {in_si(slowest.seconds / each, 's')}"
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    width = alt.Scale(domain=[0, float(slowest.seconds / each) or 1], nice=False)
    axis = alt.Axis(**ticks("s"), tickCount=6)
    bars = (
        alt.Chart(inline(list(pieces_of(judged))))
        .transform_calculate(said="datum.stage + ', ' + datum.doing + ': ' + datum.exact")
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("begin:Q", title="seconds a microbatch", scale=width, axis=axis),
            x2="end:Q",
            y=alt.Y("stage:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.25)),
            color=alt.Color("doing:N", scale=scale, legend=legend),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("stage", "layers", "words", "doing", "short", "exact")],
            description=alt.Description("said:N"),
        )
    )
    title = alt.TitleParams(mark, anchor="end", fontSize=11, color="#D55E00")
    chart = bars.properties(width=WIDE, height=ROW * len(judged.stages), title=title)
    said = "; ".join(f"{leaves_text(one)} {in_si(one.seconds / each, 's')}" for one in judged.stages[:12])
    alternative = f"Bars, a stage each, of what it computes, exchanges, reads and sends. {said}. The {mark}."
    return figure("staged", f"Stages of {judged.instance.name}", alternative, chart, stages_table(judged))


def pieces_of(judged: JudgedStages) -> Iterator[dict[str, Any]]:
    """Yield what every stage does for a microbatch, from when to when."""
    for number, stage in enumerate(judged.stages, start=1):
        begin = stage.computing * 0
        parts = (stage.computing, stage.exchanging, stage.reading, stage.sending)
        for doing, seconds in zip(PARTS, (one / judged.microbatches for one in parts), strict=True):
            if seconds:
                yield {
                    "stage": f"{number}: {leaves_text(stage)}", "layers": first_to_last(stage.layers),
                    "words": words_text(stage),
                    "doing": doing, "begin": float(begin), "end": float(begin + seconds),
                    "short": in_si(seconds, "s"), "exact": f"{exact(seconds)} s",
                }  # fmt: skip
            begin += seconds
