"""Pictures of the study: makespans by workers, and optima as Gantt charts."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import inline
from reports.operators.picture import colours, figure_of

LIGHT = ("#56B4E9", "#E69F00")
"""Of bars with text on them."""


def makespan_figure(rows, variants):
    """Return makespans over workers, a line a variant."""
    title = "Two iterations of three blocks: least makespans"
    data = [
        {"variant": row["variant"], "workers": row["workers"], "makespan": float(row["makespan"])}
        for row in rows
        if row["workers"] > 1
    ]
    chart = (
        alt.Chart(inline(data))
        .mark_line(point=True)
        .encode(
            x=alt.X("workers:Q", title="workers", axis=alt.Axis(tickMinStep=1)),
            y=alt.Y("makespan:Q", title="makespan, seconds of a task", scale=alt.Scale(domainMin=0)),
            color=colours("variant", variants, title="variant"),
            strokeDash=alt.StrokeDash("variant:N", sort=list(variants), legend=None),
        )
        .properties(width=420, height=260)
    )
    return figure_of("makespans", title, chart, data, _said)


def gantt_figure(bars, title):
    """Return a chart a variant, a row a worker; colours are iterations."""
    variants = list(dict.fromkeys(bar["variant"] for bar in bars))
    across = alt.Scale(domain=[0, max(bar["end"] for bar in bars)], nice=False)
    panels = []
    for variant in variants:
        own = [{**bar, "middle": (bar["begin"] + bar["end"]) / 2} for bar in bars if bar["variant"] == variant]
        y = alt.Y("worker:O", title="worker")
        drawn = (
            alt.Chart(inline(own))
            .mark_bar(stroke="white", strokeWidth=0.6)
            .encode(
                x=alt.X("begin:Q", title="seconds of a task", scale=across),
                x2="end:Q",
                y=y,
                color=colours("iteration", (1, 2), LIGHT, "iteration"),
            )
        )
        named = (
            alt.Chart(inline(own)).mark_text(fontSize=6).encode(x=alt.X("middle:Q", scale=across), y=y, text="task:N")
        )
        panels.append((drawn + named).properties(width=620, height=150, title=variant))
    return figure_of("gantt", title, alt.vconcat(*panels), bars, _said)


def _said(one):
    return ", ".join(map(str, one.values()))
