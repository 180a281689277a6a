"""What pictures of studies have in common: a colour a value, the rows in words and as a table."""

from __future__ import annotations

import altair as alt

from hypar_opt.report.charts.theme import PALETTE, figure
from hypar_opt.report.tables import Column, Table, entry_rows


def colours(field, values, palette=PALETTE, title=None):
    """Return a colour for each value of a field, in their order, with a legend below."""
    domain, drawn = list(values), list(palette[: len(values)])
    legend = alt.Legend(title=title, orient="bottom")
    return alt.Color(f"{field}:N", sort=domain, scale=alt.Scale(domain=domain, range=drawn), legend=legend)


def figure_of(name, title, chart, rows, said):
    """Return a picture with its rows as a table, and what it says of each in words."""
    columns = tuple(Column(one, one) for one in rows[0])
    table = Table(name, title, columns, entry_rows(columns, (tuple(one.values()) for one in rows)))
    return figure(name, title, "; ".join(map(said, rows)), chart, table)
