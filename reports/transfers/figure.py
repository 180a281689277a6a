"""The picture of the study: how late rules end beside the optimum, over bandwidths and start-ups."""

from __future__ import annotations

from statistics import median

import altair as alt

from hypar_opt.report.charts.theme import inline
from reports.operators.picture import colours, figure_of

RULES = ("fifo", "priority", "priority-chunks", "prophet", "prophet-chunks", "merged")
TITLE = "Ends of the forward pass beside the optimum"
SHOWN = ("0", "1/10", "1/2", "1")
"""Start-ups that have a panel."""


def transfers_figure(rows):
    """Return a panel a start-up, in it a line a rule: the median over all steps, by load."""
    data = [
        {"start-up": str(share), "load": float(load), "rule": rule, "times": float(median(found))}
        for share in sorted({row["start-up"] for row in rows})
        if str(share) in SHOWN
        for load in sorted({row["load"] for row in rows})
        for rule in RULES
        if (found := [row[rule] for row in rows if (row["start-up"], row["load"]) == (share, load)])
    ]
    most = max(one["times"] for one in data)
    panels = [
        alt.Chart(inline(one for one in data if one["start-up"] == share))
        .mark_line(point=True)
        .encode(
            x=alt.X("load:Q", title="seconds of transfers over computing", scale=alt.Scale(type="log", base=2)),
            y=alt.Y("times:Q", title="times the optimum", scale=alt.Scale(domain=[1, most])),
            color=colours("rule", RULES),
        )
        .properties(width=200, height=200, title=f"start-up {share} of a chunk")
        for share in SHOWN
    ]

    def said(one):
        return f"start-up {one['start-up']}, load {one['load']}, {one['rule']}: {one['times']:.3f}"

    return figure_of("transfers", TITLE, alt.hconcat(*panels), data, said)
