"""An exploration as a picture of a page: a map where two things are free, else the sorted gains."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from hypar_opt.report.charts.surface_marks import grid_of
from hypar_opt.studies.sweep import counted

MOST_DRAWN = 10_000
"""Points of a curve; of more, equally spaced ranks are drawn."""


def figure_of(found):
    """Return a map where two layers or two levels are free, else a curve."""
    from matplotlib.figure import Figure

    grid = grid_of(found)
    if grid is None:
        figure = Figure(figsize=(7.5, 4.4), layout="constrained")
        _curve(figure.add_subplot(), found)
    else:
        size = 2.6 + 0.24 * max(len(grid.row_words), len(grid.column_words))
        figure = Figure(figsize=(max(5.5, size + 1.2), max(4.2, size)), layout="constrained")
        draw_map(figure.add_subplot(), found, grid)
    return figure


def draw_map(axes, found, grid):
    """Draw gains as colours, the base plan as a ring, the best as crosses."""
    name = found.components[0]
    gains = np.array([[_number(found, index) for index in row] for row in grid.indices])
    drawn = axes.imshow(gains, cmap="viridis", aspect="auto")
    axes.figure.colorbar(drawn, ax=axes, label=f"gain in {name} over {found.against}")
    axes.set_xticks(range(len(grid.column_words)), grid.column_words, rotation=90, family="monospace", fontsize=8)
    axes.set_yticks(range(len(grid.row_words)), grid.row_words, family="monospace", fontsize=8)
    axes.set_xlabel(grid.columns)
    axes.set_ylabel(grid.rows)
    place = {index: (j, i) for i, line in enumerate(grid.indices) for j, index in enumerate(line)}
    best = [place[index] for index in found.best]
    if best:
        axes.plot([x for x, _ in best], [y for _, y in best], "x", color="red", ms=7, label="best")
    column, row = place[found.space.base_index]
    axes.plot([column], [row], "o", mfc="none", mec="white", ms=12, mew=1.6, label="base plan")
    axes.set_title(f"{found.space.problem.instance.name}: {counted(found.space.count, 'combination')}", fontsize=10)
    axes.legend(loc="upper left", bbox_to_anchor=(0, -0.16), ncols=2, fontsize=8, facecolor="0.6")


def _number(found, index):
    gain = found.gain(found.components[0], index) if found.allowed[index] else None
    return float("nan") if gain is None else float(gain)


def _curve(axes, found):
    name, space = found.components[0], found.space
    order = found.order(space.count)
    step = Fraction(max(len(order) - 1, 0), max(min(len(order), MOST_DRAWN) - 1, 1))
    ranks = sorted({*range(min(len(order), 1000)), *(int(step * i) for i in range(min(len(order), MOST_DRAWN)))})
    axes.plot([rank + 1 for rank in ranks], [_number(found, order[rank]) for rank in ranks], color="tab:blue")
    if found.allowed[space.base_index]:
        at = found.rank(space.base_index)
        axes.plot([at], [_number(found, space.base_index)], "o", mfc="none", ms=11, color="tab:red", label="base plan")
        axes.legend(fontsize=8)
    axes.set_xscale("log" if len(order) > 1000 else "linear")
    axes.set_xlabel("rank")
    axes.set_ylabel(f"gain in {name} over {found.against}")
    axes.set_title(f"{space.problem.instance.name}: {counted(space.count, 'combination')}", fontsize=10)
    axes.grid(visible=True, alpha=0.3)
