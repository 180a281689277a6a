"""The picture: the front of bytes against error, and where rules and static bits are."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import PALETTE, figure, inline
from hypar_opt.report.tables import Column, Table, entry_rows

TITLE = "Bytes a batch against the error of what is sent"


def front_figure(front, ways):
    """Return the front as steps, and a mark for everything that is compared.

    Parameters
    ----------
    front, ways
        Rows with a name, bytes a batch and error.
    """
    names = list(dict.fromkeys(way["way"] for way in ways))
    x = alt.X("kilobytes:Q", title="kB a batch", scale=alt.Scale(zero=False))
    y = alt.Y("error:Q", title="error", scale=alt.Scale(type="symlog", constant=0.001))
    steps = alt.Chart(inline(_points(front))).mark_line(interpolate="step-after", color="#999999").encode(x=x, y=y)
    marks = (
        alt.Chart(inline(_points(ways)))
        .mark_point(filled=True, size=70)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "way:N",
                scale=alt.Scale(domain=names, range=list(PALETTE[: len(names)])),
                legend=alt.Legend(title=None, orient="bottom", columns=2),
            ),
        )
    )
    said = "; ".join(f"{one['way']}: {float(one['bytes']) / 1000:.1f} kB, {float(one['error']):.4g}" for one in ways)
    columns = (Column("way", "way"), Column("bytes", "bytes", "B"), Column("error", "error"))
    rows = entry_rows(columns, ((one["way"], one["bytes"], one["error"]) for one in (*front, *ways)))
    chart = (steps + marks).properties(width=420, height=260)
    return figure("front", TITLE, said, chart, Table("front", TITLE, columns, rows))


def _points(rows):
    return [{"way": one["way"], "kilobytes": float(one["bytes"]) / 1000, "error": float(one["error"])} for one in rows]
