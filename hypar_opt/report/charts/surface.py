"""An exploration as a chart: a heat map where two things are free, else the sorted gains."""

from __future__ import annotations

from typing import Final

import altair as alt
import numpy as np

from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.surface_marks import BASE, BEST, MISSING, cell, grid_of, is_best, map_of
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.exploration import free_layers, verdict
from hypar_opt.report.numbers import unit_of
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.studies.sweep import Exploration, counted

MOST_DRAWN: Final = 400
"""Points of a curve."""
FIRST: Final = 100
"""Ranks that are all drawn."""


def curve_of(found: Exploration) -> alt.TopLevelMixin:
    """Return the sorted gains of what is allowed, the base plan marked."""
    name, space = found.components[0], found.space
    order = found.order(space.count)
    many = len(order) > MOST_DRAWN
    rows = [{"rank": rank + 1, **cell(found, rank, order[rank])} for rank in drawn_ranks(len(order))]
    x = alt.X(
        "rank:Q",
        title=f"rank{' (logarithmic)' if many else ''}",
        scale=alt.Scale(type="log" if many else "linear", zero=False, nice=False),
        axis=alt.Axis(format="~s", tickCount=5),
    )
    y = alt.Y("gain:Q", title=f"gain in {name}", scale=alt.Scale(zero=False))
    tips = [alt.Tooltip("rank:Q"), alt.Tooltip("cost:N", title=name), alt.Tooltip("gain:Q", format=".5~g")]
    line = alt.Chart(inline(rows)).mark_line(point={"size": 12}, color=PALETTE[0])
    return alt.layer(line.encode(x=x, y=y, tooltip=tips), _base(found, tips)).properties(width=440, height=240)


def drawn_ranks(count: int) -> list[int]:
    """Return all ranks; of many the first hundred, then fewer and fewer up to the last, as the axis has them."""
    if count <= MOST_DRAWN:
        return list(range(count))
    spaced = MOST_DRAWN - FIRST
    ratio = (count - 1) / FIRST
    return sorted({*range(FIRST), *(round(FIRST * ratio ** (i / (spaced - 1))) for i in range(spaced))})


def _base(found: Exploration, tips: list[alt.Tooltip]) -> alt.Chart:
    index = found.space.base_index
    at = [{"rank": found.rank(index), "mark": BASE, **cell(found, 0, index)}] if found.allowed[index] else []
    shape = alt.Shape(
        "mark:N", scale=alt.Scale(domain=[BASE], range=["square"]), legend=alt.Legend(orient="bottom", title=None)
    )
    marks: alt.Chart = alt.Chart(inline(at)).mark_point(size=140, strokeWidth=2, color=PALETTE[5], opacity=1)
    return marks.encode(x="rank:Q", y="gain:Q", shape=shape, tooltip=tips)


MOST_ROWS = 1024
"""Combinations in the table, those of least cost; explorations have up to a million."""


def surface_figure(found: Exploration) -> Figure:
    """Return every combination's gain in what is compared, the base plan and the best marked by shapes.

    Two free layers, or two free levels, span a map; whatever else is free is a curve of the sorted gains.
    """
    grid = grid_of(found)
    name = found.components[0]
    title = f"Gain in {name} over {found.against}: {counted(found.space.count, 'combination')}"
    what = "A curve of the sorted gains" if grid is None else f"A map of {grid.rows} (rows) by {grid.columns} (columns)"
    alternative = " ".join(f"{line[0].upper()}{line[1:]}." for line in (title, what, *verdict(found)))
    chart = curve_of(found) if grid is None else map_of(found, grid)
    return figure("surface", title, alternative, chart, _table(found))


def _table(found: Exploration) -> Table:
    """Return the combinations of least cost, then those that are not allowed, as many as there is room for."""
    space, layers = found.space, free_layers(found)
    columns = (
        Column("rank", "Rank"),
        *(Column(f"layer{position}", layer) for position, layer in enumerate(layers)),
        *(Column(name, name.capitalize(), unit_of(name), digits=6, best="least") for name in found.components),
        Column("gain", f"Gain in {found.components[0]}", digits=4, best="most"),
        Column("mark", "Marked"),
    )
    shown = list(found.order(MOST_ROWS))
    shown += [index for index in range(min(space.count, MOST_ROWS)) if not found.allowed[index]][
        : MOST_ROWS - len(shown)
    ]
    first, rows = found.values[found.components[0]], []
    ordered = np.sort(first[found.allowed])
    for index in shown:
        words, allowed, best = space.strategies(index), bool(found.allowed[index]), is_best(found, index)
        rank = 1 + int(np.searchsorted(ordered, first[index]))
        costs = (found.value(name, index) for name in found.components)
        gain = Entry(found.gain(found.components[0], index), best=best)
        own = (words[layer] for layer in layers)
        rows.append((rank if allowed else None, *own, *costs, gain, _marked(found, index, best=best)))
    left = space.count - len(rows)
    notes = (
        f"Gains are over {found.against}.",
        *verdict(found),
        *((f"{left:,} more are not listed.",) if left else ()),
    )
    return Table("surface", "Combinations", columns, entry_rows(columns, rows), notes)


def _marked(found: Exploration, index: int, *, best: bool) -> str | None:
    kinds = {BEST: best, BASE: index == found.space.base_index, MISSING: not found.allowed[index]}
    return ", ".join(kind for kind, holds in kinds.items() if holds) or None


FIGURE: Final = FigureKind(
    "surface", "A corner of the search space", "exploration", surface_figure, "exploration", accepts=lambda _: True
)
