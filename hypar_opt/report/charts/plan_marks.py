"""What all pictures of plans share: rows, letters and their colours, axes of bytes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.theme import LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt

MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "d": "d: data parallelism, splits the batch",
        "m": "m: model parallelism, splits the input dimension",
        "o": "o: output parallelism, splits the output dimension",
        "i": "intra-layer bytes: partial sums",
        "j": "inter-layer bytes: F and E of the boundaries before",
    }
)
"""Of the letters in a strategy, and of the kinds of bytes."""
FEW_ROWS, ROOMY, TIGHT = 40, 19, 14
"""Pixels of a row up to so many, and of more."""
KINDS: Final[Mapping[str, str]] = MappingProxyType({"i": "#555555", "j": "#FFFFFF"})
"""Intra-layer and inter-layer bytes: dark and empty, so that they are told apart on paper too."""
BYTES: Final = "datum.value ? replace(format(datum.value, '.4~s'), /([a-zA-Zµ]?)$/, ' $1B') : '0'"
"""A number of bytes at an axis, in an expression of Vega."""


def row_step(rows: int) -> int:
    """Return the pixels of a row."""
    return ROOMY if rows <= FEW_ROWS else TIGHT


def bytes_axis(field: str, *, title: str = "bytes a step", some: bool = True) -> alt.X:
    """Return the axis of bytes, from 0; without any it would stand in the middle."""
    import altair as alt

    scale = alt.Scale(zero=True) if some else alt.Scale(domain=[0, 1])
    axis = alt.Axis(labelExpr=BYTES, tickCount=4 if some else 1, orient="top")
    return alt.X(f"{field}:Q", title=title, axis=axis, scale=scale)


def levels_axis() -> alt.Axis:
    """Return the axis of levels, above the grid."""
    import altair as alt

    return alt.Axis(title="level", orient="top", labelAngle=0, domain=False, ticks=False)


def names_axis(rows: int) -> alt.Axis:
    """Return the axis of layers, each of them named."""
    import altair as alt

    size = 11 if rows <= FEW_ROWS else 10
    return alt.Axis(title=None, labelOverlap=False, labelFontSize=size, labelLimit=200, domain=False, ticks=False)


def plan_colour(field: str, choices: str) -> alt.Color:
    """Return the colour of a choice or a kind of bytes, with one legend that says what each of them is."""
    import altair as alt

    letters = {letter: colour for letter, colour in LETTERS.items() if letter in choices}
    colours = {**letters, **KINDS}
    said = {key: MEANINGS[key] for key in colours}
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", labelExpr=f"{said}[datum.value]", labelLimit=400,
        symbolType="square", symbolStrokeColor="#333", symbolStrokeWidth=0.8,
    )  # fmt: skip
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{field}:N", scale=scale, legend=legend)


def letter_text(base: alt.Chart, field: str, rows: int) -> alt.Chart:
    """Return the letters in the cells, black or white by what they stand on."""
    import altair as alt

    size = 12 if rows <= FEW_ROWS else 10
    dark = alt.ExprRef(f"datum.{field} === 'd' ? 'white' : 'black'")
    marks: alt.Chart = base.mark_text(fontSize=size, fontWeight="bold", color=dark, aria=False)
    return marks.encode(text=alt.Text(f"{field}:N"))
