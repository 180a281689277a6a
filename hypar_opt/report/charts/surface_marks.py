"""The marks of an exploration's chart, and the two things that span its map."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.theme import MONO, inline
from hypar_opt.report.exploration import free_layers
from hypar_opt.report.numbers import unit_of
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.sweep import Exploration

BASE, BEST, MISSING = "base plan", "best", "not allowed"
SHAPES: Final = {
    BASE: "M-.5,-.5h1v1h-1v-1ZM-.34,-.34v.68h.68v-.68h-.68Z",
    BEST: "M0,-.28L.28,0L0,.28L-.28,0Z",
    MISSING: "M-.22,-.22L.22,.22M.22,-.22L-.22,.22",
}
"""A frame, a diamond that fits into it, and a cross."""
TITLE: Final = -48
"""Pixels from the map to an axis' title: words of up to six letters are between them."""
CELL: Final = 15
"""Pixels of a cell's height."""
SIZE: Final = 4 * (CELL - 2) ** 2
"""Of a mark, as Vega counts it, for whom a shape is twice as wide: its frame fits into a cell."""


def map_of(found: Exploration, grid: Grid) -> alt.TopLevelMixin:
    """Return the heat map; names come in as values of parameters and as data."""
    name = found.components[0]
    rows = [cell(found, place, index) for place, index in enumerate(i for row in grid.indices for i in row)]
    words = [
        alt.param(name="rowWords", value=list(grid.row_words)),
        alt.param(name="columnWords", value=list(grid.column_words)),
        alt.param(name="names", value=[grid.rows, grid.columns]),
    ]
    tips = [alt.Tooltip("plan:N"), alt.Tooltip("cost:N", title=name), alt.Tooltip("gain:Q", format=".5~g")]
    legend = alt.Legend(orient="bottom", format="~r", gradientLength=240)
    colour = alt.Color("gain:Q", title=f"gain in {name}", scale=alt.Scale(scheme="viridis", zero=False), legend=legend)
    cells = _placed(rows, grid).transform_filter("isValid(datum.gain)").mark_rect(stroke="white", strokeWidth=0.5)
    layers = [cells.encode(color=colour, tooltip=tips, description=alt.Description("said:N")), _marks(rows, grid, tips)]
    layers += [_title(grid.rows, down=True), _title(grid.columns, down=False)]
    whole = alt.layer(*layers).properties(width=420, height=alt.Step(CELL))
    return whole.add_params(*words)


def cell(found: Exploration, place: int, index: int) -> dict[str, Any]:
    """Return what is drawn of a combination; no gain where it is not allowed, or costs nothing."""
    name = found.components[0]
    gain = found.gain(name, index) if found.allowed[index] else None
    known = {} if gain is None else {"gain": float(f"{float(gain):.7g}")}
    kinds = {BASE: index == found.space.base_index, BEST: is_best(found, index), MISSING: not found.allowed[index]}
    marks = [kind for kind, holds in kinds.items() if holds]
    cost = f"{exact(found.value(name, index))} {unit_of(name)}"
    return {"i": place, "cost": cost, **known, **({"marks": marks} if marks else {})}


def is_best(found: Exploration, index: int) -> bool:
    """Return whether no combination costs less; there may be a million, and as many equal ones."""
    first = found.values[found.components[0]]
    return bool(found.best) and bool(found.allowed[index]) and bool(first[index] == first[found.best[0]])


def _placed(rows: Sequence[dict[str, Any]], grid: Grid) -> alt.Chart:
    """Return a chart with a place for every combination, and its words."""
    count = len(grid.column_words)
    return (
        alt.Chart(inline(rows))
        .transform_calculate(row=f"rowWords[floor(datum.i / {count})]", column=f"columnWords[datum.i % {count}]")
        .transform_calculate(plan="names[0] + ': ' + datum.row + ', ' + names[1] + ': ' + datum.column")
        .transform_calculate(said="datum.plan + (isValid(datum.gain) ? ', gain ' + format(datum.gain, '.5~g') : '')")
        .encode(x=_words(alt.X, "column", grid.column_words), y=_words(alt.Y, "row", grid.row_words))
    )


def _words(channel: Any, field: str, words: Sequence[str]) -> Any:
    where: Any = "top" if field == "column" else "left"
    axis = alt.Axis(orient=where, labelFont=MONO, labelOverlap=False, ticks=False, domain=False, labelFontSize=10)
    return channel(f"{field}:N", scale=alt.Scale(domain=list(words)), sort=None, title=None, axis=axis)


def _marks(rows: Sequence[dict[str, Any]], grid: Grid, tips: Sequence[alt.Tooltip]) -> alt.Chart:
    """Return the marks, white with a black edge so that they stand out from every colour."""
    marked = [{**row, "mark": mark} for row in rows for mark in row.get("marks", ())]
    used = [kind for kind in SHAPES if any(row["mark"] == kind for row in marked)]
    scale = alt.Scale(domain=used, range=[SHAPES[kind] for kind in used])
    legend = alt.Legend(orient="bottom", title=None, symbolSize=SIZE, symbolFillColor="white", symbolStrokeWidth=0.7)
    black = alt.Scale(domain=used, range=["black"])  # a legend takes the edge of its symbols from a scale only
    made: alt.Chart = (
        _placed(marked, grid)
        .transform_calculate(saidOfMark="datum.mark + ': ' + datum.said")
        .mark_point(filled=False, fill="white", strokeWidth=0.6, size=SIZE, opacity=1)
        .encode(
            shape=alt.Shape("mark:N", scale=scale, legend=legend),
            stroke=alt.Stroke("mark:N", scale=black, legend=legend),
            tooltip=[*tips, alt.Tooltip("mark:N")],
            description=alt.Description("saidOfMark:N"),
        )
    )
    return made


def _title(text: str, *, down: bool) -> alt.Chart:
    """Return an axis' title as a mark, since a name is data."""
    middle = alt.value({"expr": "height / 2" if down else "width / 2"})
    x, y = (alt.value(TITLE), middle) if down else (middle, alt.value(TITLE))
    chart = alt.Chart(inline([{"text": text}]))
    marks: alt.Chart = chart.mark_text(fontSize=11, color="#222", angle=270 if down else 0, aria=False)
    return marks.encode(x=x, y=y, text="text:N")


MOST_TICKS: Final = 32
"""Rows, or columns, of a map that can still be read."""


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
