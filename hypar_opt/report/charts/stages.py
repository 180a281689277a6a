"""What one accelerator computes, layer by layer and phase by phase, as stacked bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.step import PHASES, Stage
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.numbers import in_si
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import NamedPlan


def stages_figure(named: NamedPlan) -> Figure:
    """Return how long one accelerator computes at every layer of a plan, by phase.

    Raises
    ------
    Refusal
        If the array does not say what accelerators can do.
    """
    step, model = named.step, named.problem.instance.accelerator
    if step is None or model is None:
        raise Refusal("the array does not say what accelerators can do")
    title = f"{named.name}: seconds that one accelerator computes, by layer and phase (modelled {model.model})"
    sums: dict[str, Any] = {}
    for one in step.stages:
        sums[one.layer] = sums.get(one.layer, 0) + one.seconds
    longest = sorted(sums, key=lambda layer: -sums[layer])[:3]
    most = "; ".join(f"{layer} {in_si(float(sums[layer]), 's')}" for layer in longest)
    alternative = f"A bar a layer, stacked by phase; {in_si(float(step.compute_time), 's')} in all. Longest: {most}."
    return figure("stages", title, alternative, _chart(step.stages), _table(step.stages))


def _table(stages: Sequence[Stage]) -> Table:
    columns = (
        Column("layer", "Layer"),
        Column("phase", "Phase"),
        Column("seconds", "Time", "s", digits=4),
        Column("operations", "Operations", digits=4),
        Column("sram", "SRAM accesses", digits=4),
        Column("dram", "DRAM accesses", digits=4),
    )
    values = ((one.layer, one.phase, one.seconds, one.multiplies + one.adds, one.sram, one.dram) for one in stages)
    rows = entry_rows(columns, values)
    return Table("stages", "What one accelerator computes", columns, rows, ("Accesses are to elements.",))


def _chart(stages: Sequence[Stage]) -> alt.TopLevelMixin:
    rows = []
    for one in stages:
        if one.seconds:
            row = {"layer": one.layer, "phase": one.phase, "order": PHASES.index(one.phase)}
            rows.append(row | {"seconds": float(one.seconds), "exact": f"{exact(one.seconds)} s"})
    used = [phase for phase in PHASES if any(row["phase"] == phase for row in rows)]
    scale = alt.Scale(domain=used, range=[PALETTE[PHASES.index(phase)] for phase in used])
    made: alt.Chart = (
        alt.Chart(inline(rows))
        .transform_calculate(said="datum.layer + ', ' + datum.phase + ': ' + datum.exact")
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("seconds:Q", title="time", stack=True, axis=alt.Axis(**ticks("s"), tickCount=6)),
            y=alt.Y("layer:N", sort=None, title=None),
            color=alt.Color("phase:N", scale=scale, legend=alt.Legend(orient="top", title=None, columns=4)),
            order=alt.Order("order:Q"),
            tooltip=[alt.Tooltip("layer:N"), alt.Tooltip("phase:N"), alt.Tooltip("exact:N", title="exactly")],
            description=alt.Description("said:N"),
        )
        .properties(width=520, height=alt.Step(15))
    )
    return made


FIGURE: Final = FigureKind(
    "stages",
    "What one accelerator computes",
    "plan",
    stages_figure,
    "costs",
    accepts=lambda named: named.step is not None,
)
