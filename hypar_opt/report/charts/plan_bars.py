"""Each layer's bytes as bars, beside a plan's grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.plan_file import in_full
from hypar_opt.report.charts.plan_marks import bytes_axis, names_axis, plan_colour, row_step
from hypar_opt.report.numbers import in_bytes

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.report.charts.plan_cells import PlanRows

BY_LAYER: Final = "layers"
"""What the bars' data are called."""
BARS: Final = 300
"""Pixels."""


def layer_rows(rows: PlanRows) -> list[dict[str, Any]]:
    """Return of every layer its bytes, as numbers to be drawn and as text with all digits."""
    data = []
    for row, layer in enumerate(rows.layers):
        intra, inter = rows.intra(row), rows.inter(row)
        exact = {"I": in_full(intra), "J": in_full(inter), "T": in_full(intra + inter)}
        short = in_bytes(intra + inter)
        data.append({"l": layer.name, "i": intra, "j": float(inter), "t": float(intra + inter), "s": short, **exact})
    return data


def plan_bars(rows: PlanRows) -> alt.LayerChart | alt.FacetChart:
    """Return intra-layer and inter-layer bytes, stacked, with their sum behind them."""
    import altair as alt

    said = {"l": "layer", "I": "intra-layer bytes", "J": "inter-layer bytes before it", "T": "bytes in all"}
    base = alt.Chart(alt.NamedData(BY_LAYER)).encode(
        y=alt.Y("l:N", sort=None, axis=None if rows.cells else names_axis(len(rows.layers))),
        tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in said.items()],
    )
    bars = (
        base.transform_fold(["i", "j"], as_=["k", "b"])
        .transform_calculate(d="datum.l + ': intra-layer ' + datum.I + ' bytes, inter-layer before it ' + datum.J")
        .mark_bar(height=row_step(len(rows.layers)) - 4, stroke="#333", strokeWidth=0.8)
        .encode(
            x=bytes_axis("b", some=bool(rows.named.breakdown.total)),
            color=plan_colour("k", rows.named.problem.instance.choices),
            order=alt.Order("k:O"),
            description=alt.Description("d:N"),
        )
    )
    totals = base.mark_text(align="left", dx=4, fontSize=10, color="#222", aria=False).encode(
        x=alt.X("t:Q"), text=alt.Text("s:N")
    )
    return alt.layer(bars, totals).properties(width=BARS, height=row_step(len(rows.layers)) * len(rows.layers))
