"""An exploration as a chart: a heat map where two things are free, else the sorted gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.exploring import counted
from hypar_opt.report.charts.surface_curve import curve_of
from hypar_opt.report.charts.surface_marks import is_best, map_of
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.explorations.picture import grid_of
from hypar_opt.report.explorations.terminal import free_layers, verdict
from hypar_opt.report.numbers import unit_of
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from hypar_opt.exploring import Exploration
    from hypar_opt.report.charts.figure import Figure

MOST_ROWS = 1024
"""Combinations in the table, those of least cost; explorations have up to a million."""


def surface_figure(found: Exploration) -> Figure:
    """Return every combination's gain in what is compared, the base plan and the best marked by shapes.

    Two free layers, or two free levels, span a map; whatever else is free is a curve of the sorted gains.
    """
    grid = grid_of(found)
    name = found.components[0]
    title = f"Gain in {name} over {found.against}: {counted(found.space.count, 'combination')}"
    what = (
        f"A map of {grid.rows} (rows) by {grid.columns} (columns)"
        if grid is not None
        else "A curve of the sorted gains"
    )
    alternative = f"{title}. {what}. {_sentences(found)}"
    chart = curve_of(found) if grid is None else map_of(found, grid)
    return figure("surface", title, alternative, chart, _table(found))


def _sentences(found: Exploration) -> str:
    return " ".join(f"{line[0].upper()}{line[1:]}." for line in verdict(found))


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
        rows.append(
            {"rank": Entry(rank if allowed else None)}
            | {f"layer{position}": Entry(words[layer]) for position, layer in enumerate(layers)}
            | {name: Entry(found.value(name, index)) for name in found.components}
            | {
                "gain": Entry(found.gain(found.components[0], index), best=best),
                "mark": Entry(_marked(found, index, best=best)),
            }
        )
    left = space.count - len(rows)
    notes = (
        f"Gains are over {found.against}.",
        *verdict(found),
        *((f"{left:,} more are not listed.",) if left else ()),
    )
    return Table("surface", "Combinations", columns, tuple(rows), notes)


def _marked(found: Exploration, index: int, *, best: bool) -> str | None:
    said = [
        *(["best"] if best else []),
        *(["base plan"] if index == found.space.base_index else []),
        *([] if found.allowed[index] else ["not allowed"]),
    ]
    return ", ".join(said) or None
