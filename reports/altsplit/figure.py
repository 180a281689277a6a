"""The picture of the study: bytes over processes, a line a plan, a panel a depth."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import PALETTE, figure, inline
from hypar_opt.report.tables import Column, Table, entry_rows

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
    colour = alt.Color(
        "plan:N",
        sort=list(PLANS),
        scale=alt.Scale(domain=list(PLANS), range=list(PALETTE[: len(PLANS)])),
        legend=alt.Legend(title=None, orient="bottom"),
    )
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
            color=colour,
        )
        .properties(width=280, height=220)
        for hidden in sorted({one["hidden"] for one in data})
    ]
    said = "; ".join(
        f"{one['hidden']} hidden layers, {one['processes']} processes, {one['plan']}: {one['gigabytes']:.4g} GB"
        for one in data
    )
    columns = tuple(Column(name, name) for name in ("hidden", "processes", "plan", "gigabytes"))
    table = Table("altsplit", TITLE, columns, entry_rows(columns, (tuple(one.values()) for one in data)))
    return figure("altsplit", TITLE, said, alt.hconcat(*panels), table)
