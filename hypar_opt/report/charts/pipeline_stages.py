"""Stages of a pipeline: how long each computes, reads and sends, and which one all others wait for."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_si
from hypar_opt.report.pipeline_tables import PARTS, stages_table
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.pipeline import JudgedPipeline

COLOURS: Final[Mapping[str, str]] = MappingProxyType(dict(zip(PARTS, ("#0072B2", "#E69F00", "#CC79A7"), strict=True)))
WIDE: Final = 560
ROW: Final = 26
"""Pixels: of the slowest stage, and of a row."""


def pipeline_figure(judged: JudgedPipeline) -> Figure:
    """Return a bar a stage, or one below the other where a stage computes, reads and sends at the same time."""
    data = list(pieces_of(judged))
    slowest, overlapped = judged.slowest, judged.instance.overlapped
    mark = f"slowest: {slowest.devices}, {in_si(slowest.seconds, 's')}"
    scale = alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
    legend = alt.Legend(orient="top", title=None, symbolType="square")
    width = alt.Scale(domain=[0, float(slowest.seconds) or 1], nice=False)
    beside: dict[str, Any] = {"yOffset": alt.YOffset("doing:N", sort=list(PARTS))} if overlapped else {}
    rows = alt.Y("stage:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.25))
    bars = (
        alt.Chart(inline(data))
        .transform_calculate(said="datum.stage + ', ' + datum.doing + ': ' + datum.exact")
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("begin:Q", title="seconds a sample", scale=width, axis=alt.Axis(**ticks("s"), tickCount=6)),
            x2="end:Q",
            y=rows,
            color=alt.Color("doing:N", scale=scale, legend=legend),
            tooltip=[alt.Tooltip(f"{name}:N") for name in ("stage", "operators", "doing", "short", "exact")],
            description=alt.Description("said:N"),
            **beside,
        )
    )
    line = alt.Chart(inline([{"at": float(slowest.seconds), "mark": mark}]))
    line = line.mark_rule(color="#D55E00", strokeWidth=2).encode(x=alt.X("at:Q", scale=width), tooltip="mark:N")
    height = ROW * len(judged.stages) * (2 if overlapped else 1)
    title = alt.TitleParams(mark, anchor="end", fontSize=11, color="#D55E00")
    chart = alt.layer(bars, line).properties(width=WIDE, height=height, title=title)
    said = "; ".join(f"{stage.devices} {in_si(stage.seconds, 's')}" for stage in judged.stages[:12])
    how = "at the same time" if overlapped else "one after the other"
    alternative = f"Bars, a stage each, of what it computes, reads and sends {how}. {said}. The {mark}."
    return figure("pipeline", f"Stages of {judged.instance.name}", alternative, chart, stages_table(judged))


def pieces_of(judged: JudgedPipeline) -> Iterator[dict[str, Any]]:
    """Yield what every stage does, from when to when."""
    for number, stage in enumerate(judged.stages, start=1):
        begin = stage.computing * 0
        own = f"{stage.operators[0]} to {stage.operators[-1]}" if len(stage.operators) > 1 else stage.operators[0]
        for doing, seconds in zip(PARTS, (stage.computing, stage.reading, stage.sending), strict=True):
            if seconds:
                yield {
                    "stage": f"{number}: {stage.devices}", "operators": own, "doing": doing, "begin": float(begin),
                    "end": float(begin + seconds), "short": in_si(seconds, "s"), "exact": f"{exact(seconds)} s",
                }  # fmt: skip
            begin += seconds * (not stage.overlapped)


FIGURE: Final = FigureKind(
    "pipeline", "Stages of a pipeline", "plan", lambda named: pipeline_figure(named.judged), of=("pipeline",)
)
