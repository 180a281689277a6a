"""The picture of the study: times of each array beside lockstep with whole messages."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import inline
from reports.operators.picture import colours, figure_of

WAYS = ("greedy, packets", "in order, packets", "lockstep, packets", "lockstep, messages")
TITLE = "MultiTree's all-reduces by the network's interface"


def interface_figure(rows):
    """Return a panel a size, in it a group of bars an array: how many times as long as the last way."""
    data = [
        {"array": row["array"], "bytes": row["bytes"], "way": way, "times": float(row[way] / row[WAYS[-1]])}
        for row in rows
        for way in WAYS
    ]
    arrays = list(dict.fromkeys(row["array"] for row in rows))
    sizes = list(dict.fromkeys(row["bytes"] for row in rows))
    panels = [
        alt.Chart(inline(one for one in data if one["bytes"] == size))
        .mark_bar()
        .encode(
            x=alt.X("array:N", sort=arrays, title=None, axis=alt.Axis(labelAngle=-40, labelFontSize=8)),
            xOffset=alt.XOffset("way:N", sort=list(WAYS)),
            y=alt.Y(
                "times:Q",
                title=f"times lockstep with whole messages, {size}",
                scale=alt.Scale(domain=[0, max(one["times"] for one in data)]),
            ),
            color=colours("way", WAYS),
        )
        .properties(width=260, height=200)
        for size in sizes
    ]

    def said(one):
        return f"{one['array']}, {one['bytes']}, {one['way']}: {one['times']:.3f}"

    return figure_of("network-interface", TITLE, alt.hconcat(*panels), data, said)
