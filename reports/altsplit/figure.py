"""The picture of the study: bytes over processes, a line a plan, a panel a depth."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import inline
from reports.operators.picture import colours, figure_of

PLANS = ("baseline", "altsplit", "grid", "optimum")
TITLE = "What a step of Altsplit's networks moves"


def bytes_figure(rows):
    """Return a panel a depth: gigabytes of each plan over processes, both on logarithmic scales."""
    data = [
        {
            "hidden": row["hidden"],
            "processes": row["processes"],
            "plan": row["plan"],
            "gigabytes": float(row["bytes"]) / 1e9,
        }
        for row in rows
        if row["plan"] in PLANS
    ]
    panels = [
        alt.Chart(inline(one for one in data if one["hidden"] == hidden))
        .mark_line(point=True)
        .encode(
            x=alt.X(
                "processes:Q",
                title="processes",
                scale=alt.Scale(type="log", base=2),
                axis=alt.Axis(
                    values=sorted({one["processes"] for one in data}), format="d", labelOverlap=False, labelFlush=False
                ),
            ),
            y=alt.Y("gigabytes:Q", title=f"GB a step, {hidden} hidden layers", scale=alt.Scale(type="log")),
            color=colours("plan", PLANS),
        )
        .properties(width=280, height=220)
        for hidden in sorted({one["hidden"] for one in data})
    ]

    def said(one):
        return f"{one['hidden']} hidden layers, {one['processes']} processes, {one['plan']}: {one['gigabytes']:.4g} GB"

    return figure_of("altsplit", TITLE, alt.hconcat(*panels), data, said)
