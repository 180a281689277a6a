"""The picture of the study: times of each array beside lockstep with whole messages."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import PALETTE, figure, inline
from hypar_opt.report.tables import Column, Table, entry_rows

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
    colour = alt.Color(
        "way:N",
        sort=list(WAYS),
        scale=alt.Scale(domain=list(WAYS), range=list(PALETTE[: len(WAYS)])),
        legend=alt.Legend(title=None, orient="bottom"),
    )
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
            color=colour,
        )
        .properties(width=260, height=200)
        for size in sizes
    ]
    said = "; ".join(f"{one['array']}, {one['bytes']}, {one['way']}: {one['times']:.3f}" for one in data)
    columns = tuple(Column(name, name) for name in ("array", "bytes", "way", "times"))
    table = Table("network-interface", TITLE, columns, entry_rows(columns, (tuple(one.values()) for one in data)))
    return figure("network-interface", TITLE, said, alt.hconcat(*panels), table)
