"""What it costs to have an operator of a pipeline in the stage before its own, or in the one behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.plan_cells import names_axis, row_step
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.stage_regrets import SIDES, regret_text, stage_regrets_table, uniqueness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.report.content.content import LayerRegrets

MOST_ROWS: Final = 150
"""Operators of a picture that can still be read."""
WIDE: Final = 420
"""Pixels."""


def stage_regrets_figure(found: LayerRegrets) -> Figure:
    """Return two marks an operator: what the plan takes more with it in the stage before, and behind."""
    rows = list(_rows(found))
    names = list(dict.fromkeys(row["operator"] for row in rows))
    shown = [row for row in rows if row["operator"] in set(names[:MOST_ROWS])]
    sides = {side: f"in the stage {side}" for side in SIDES}
    scale = alt.Scale(domain=list(sides.values()), range=[PALETTE[0], PALETTE[5]])
    shapes = alt.Scale(domain=list(sides.values()), range=["triangle-up", "triangle-down"])
    legend = alt.Legend(title=None, orient="top", direction="horizontal")
    chart = (
        alt.Chart(inline(shown))
        .transform_calculate(d="datum.operator + ' ' + datum.where + ', ' + datum.devices + ': ' + datum.text")
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            y=alt.Y("operator:N", sort=None, title=None, axis=names_axis(len(names[:MOST_ROWS]))),
            x=alt.X("regret:Q", title="seconds more", axis=alt.Axis(**ticks("s"), tickCount=6)),
            color=alt.Color("where:N", scale=scale, legend=legend),
            shape=alt.Shape("where:N", scale=shapes, legend=legend),
            description=alt.Description("d:N"),
            tooltip=[alt.Tooltip(f"{key}:N") for key in ("operator", "where", "devices", "text")],
        )
        .properties(width=WIDE, height=row_step(len(names[:MOST_ROWS])) * max(1, len(names[:MOST_ROWS])))
    )
    least = sorted(shown, key=lambda row: row["regret"])[:3]
    said = "; ".join(f"{row['operator']} {row['where']} {row['text']}" for row in least)
    more = f" The first {MOST_ROWS} of {len(names):,} are drawn." if len(names) > MOST_ROWS else ""
    alternative = f"Two marks an operator. The least: {said or 'none'}.{more} Said {uniqueness(found.explanation)}."
    title = f"{found.named.name}: what an operator in another stage costs more"
    table = stage_regrets_table(found.named.judged, found.explanation)  # type: ignore[attr-defined]
    return figure("regrets", title, alternative, chart, table)


def _rows(found: LayerRegrets) -> Iterator[dict[str, Any]]:
    regrets = found.explanation.regrets
    for stage in found.named.judged.stages:  # type: ignore[attr-defined]
        for name in stage.operators:
            for side, key in SIDES.items():
                one = regrets[name + key]
                if one is not None:
                    yield {
                        "operator": name, "where": f"in the stage {side}", "devices": one.second_best,
                        "regret": float(one.cost), "text": regret_text(one),
                    }  # fmt: skip


FIGURE: Final = FigureKind(
    "stage-regrets", "Regrets of the operators", "regrets", stage_regrets_figure, "regrets", of=("pipeline",)
)
