"""An exploration as a picture: a map where two things are free, else the sorted gains."""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.exploring import counted
from hypar_opt.report.explore_table import free_layers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hypar_opt.exploring import Exploration

DOTS: Final = 110
"""An inch."""
MOST_TICKS: Final = 32
"""Rows, or columns, of a map that can still be read."""
MOST_DRAWN: Final = 10_000
"""Points of a curve; of more, equally spaced ranks are drawn."""


@dataclass(frozen=True)
class Grid:
    """The two things that span a map: what they are, their words, and a combination for every pair of words."""

    rows: str
    columns: str
    row_words: tuple[str, ...]
    column_words: tuple[str, ...]
    indices: tuple[tuple[int, ...], ...]


def grid_of(found: Exploration) -> Grid | None:
    """Return the map of an exploration of two layers, or of two levels; None where neither is, or it is too large."""
    space = found.space
    if len(space.free) == 2 and max(space.shape) <= MOST_TICKS:
        words = [space.problem.base.variables[i].words for i in space.free]
        named = [
            tuple(one.word(choice) for choice in space.candidates[i])
            for one, i in zip(words, space.free, strict=True)
            if one is not None
        ]
        columns = space.shape[1]
        indices = tuple(tuple(i * columns + j for j in range(columns)) for i in range(space.shape[0]))
        first, second = free_layers(found)
        return Grid(first, second, named[0], named[1], indices)
    return _by_level(found)


def _by_level(found: Exploration) -> Grid | None:
    """Return the map of two levels: a word is a letter of every free layer, in their order."""
    space = found.space
    letters = space.problem.instance.choices
    count = len(letters) ** len(space.free)
    if len(space.levels) != 2 or count > MOST_TICKS or prod(space.shape) != count**2 or not space.free:
        return None
    # a layer's candidates come in the order of its letters: the upper level's first, then the lower one's
    positions = list(product(range(len(letters)), repeat=len(space.free)))
    spelt = tuple("".join(letters[one] for one in word) for word in positions)
    indices = tuple(tuple(_index(upper, lower, len(letters)) for lower in positions) for upper in positions)
    upper, lower = space.levels
    names = ", ".join(free_layers(found))
    return Grid(f"level {upper}: {names}", f"level {lower}: {names}", spelt, spelt, indices)


def _index(upper: tuple[int, ...], lower: tuple[int, ...], letters: int) -> int:
    index = 0
    for first, second in zip(upper, lower, strict=True):
        index = index * letters**2 + first * letters + second
    return index


def picture(found: Exploration) -> bytes:
    """Return a PNG of the gains in what is compared."""
    figure = figure_of(found)
    stream = io.BytesIO()
    figure.savefig(stream, dpi=DOTS, metadata={"Software": None})
    return stream.getvalue()


def figure_of(found: Exploration) -> Figure:
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


def draw_map(axes: Axes, found: Exploration, grid: Grid) -> None:
    """Draw gains as colours, the base plan as a ring, the best as crosses."""
    import numpy as np

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


def _number(found: Exploration, index: int) -> float:
    gain = found.gain(found.components[0], index) if found.allowed[index] else None
    return float("nan") if gain is None else float(gain)


def _curve(axes: Axes, found: Exploration) -> None:
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
