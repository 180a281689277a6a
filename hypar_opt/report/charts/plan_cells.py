"""The cells of a plan's grid, and the marks in them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import altair as alt

from hypar_opt.instance.choices import CHOICES
from hypar_opt.report.charts.plan_formulas import Amount, crossed, summed
from hypar_opt.report.charts.quantities import ticks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import Bytes
    from hypar_opt.instance.network import Boundary, WorkLayer
    from hypar_opt.report.content import NamedPlan

MOST_ROWS: Final = 150
"""Layers of a picture that can still be read."""
MOST_CELLS: Final = 2_000
"""Layers times levels of a page that still opens quickly."""


@dataclass(frozen=True)
class BoundaryTransfer:
    """One boundary that a layer reads, at one level.

    Parameters
    ----------
    producer, choice
        Which layer wrote it, and how that is split.
    feature, error
        Bytes of F on its way forward, and of E on its way back.
    feature_from, error_from
        The formulae, or why there is none.
    """

    producer: str
    choice: str
    feature: Bytes
    error: Bytes
    feature_from: Amount | str
    error_from: Amount | str


@dataclass(frozen=True)
class PlanCell:
    """One layer at one level.

    Parameters
    ----------
    row, level
        Positions, from 0.
    choice
        The letter.
    intra
        Bytes of partial sums.
    summed
        Of which tensor, and the formula; or why there are none.
    crossings
        Of all boundaries that the layer reads.
    """

    row: int
    level: int
    choice: str
    intra: Bytes
    summed: tuple[str, Amount] | str
    crossings: tuple[BoundaryTransfer, ...]

    @property
    def feature(self) -> Bytes:
        """Bytes of all F that the layer reads."""
        return sum(one.feature for one in self.crossings)

    @property
    def error(self) -> Bytes:
        """Bytes of all E that it sends back."""
        return sum(one.error for one in self.crossings)


@dataclass(frozen=True)
class PlanRows:
    """A plan as rows: layers, or as many as a picture can show.

    Parameters
    ----------
    named
        The plan.
    """

    named: NamedPlan

    @cached_property
    def layers(self) -> tuple[WorkLayer, ...]:
        """Those that are shown."""
        return self.named.problem.work.layers[: shown_rows(self.named.problem.instance.levels)]

    @cached_property
    def cells(self) -> tuple[PlanCell, ...]:
        """Layer by layer, root level first."""
        levels = range(self.named.problem.instance.levels)
        return tuple(self._cell(row, h) for row in range(len(self.layers)) for h in levels)

    def intra(self, row: int) -> Bytes:
        """Return a layer's bytes of partial sums, over all levels."""
        return sum(self.named.breakdown.intra[row])

    def inter(self, row: int) -> Bytes:
        """Return the bytes of the boundaries that a layer reads, over all levels."""
        return sum(sum(self.named.breakdown.inter[number]) for number, _ in self._read_by[row])

    @cached_property
    def _read_by(self) -> Mapping[int, Sequence[tuple[int, Boundary]]]:
        found: dict[int, list[tuple[int, Boundary]]] = defaultdict(list)
        for number, edge in enumerate(self.named.problem.work.boundaries):
            found[edge.reader].append((number, edge))
        return found

    def _cell(self, row: int, h: int) -> PlanCell:
        layer, words = self.layers[row], self.named.strategies
        crossings = tuple(self._crossing(number, edge, h) for number, edge in self._read_by[row])
        own = summed(self.named.problem, layer, words[layer.name], h)
        return PlanCell(row, h, words[layer.name][h], self.named.breakdown.intra[row][h], own, crossings)

    def _crossing(self, number: int, edge: Boundary, h: int) -> BoundaryTransfer:
        problem, words, found = self.named.problem, self.named.strategies, self.named.breakdown
        producer = problem.work.layers[edge.producer].name
        feature, error = found.forward[number][h], found.backward[number][h]
        return BoundaryTransfer(producer, words[producer][h], feature, error, *crossed(problem, edge, words, h))


def shown_rows(levels: int) -> int:
    """Return how many layers a picture of so many levels shows at the most."""
    return min(MOST_ROWS, MOST_CELLS // max(1, levels))


def left_out(rows: PlanRows) -> list[str]:
    """Return a sentence where layers are not shown."""
    shown, layers = len(rows.layers), len(rows.named.problem.work.layers)
    return [f"The first {shown:,} of {layers:,} layers; all of them stand in the plan file."] if shown < layers else []


MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{one.letter: f"{one.letter}: {one.label}" for one in CHOICES.values()},
        "i": "intra-layer bytes: partial sums",
        "j": "inter-layer bytes: F and E of the boundaries before",
    }
)
"""Of the letters in a strategy, and of the kinds of bytes."""
FEW_ROWS, ROOMY, TIGHT = 40, 19, 14
"""Pixels of a row up to so many, and of more."""
KINDS: Final[Mapping[str, str]] = MappingProxyType({"i": "#555555", "j": "#FFFFFF"})
"""Intra-layer and inter-layer bytes: dark and empty, so that they are told apart on paper too."""


def row_step(rows: int) -> int:
    """Return the pixels of a row."""
    return ROOMY if rows <= FEW_ROWS else TIGHT


def bytes_axis(field: str, *, title: str = "bytes a step", some: bool = True) -> alt.X:
    """Return the axis of bytes, from 0; without any it would stand in the middle."""
    scale = alt.Scale(zero=True) if some else alt.Scale(domain=[0, 1])
    axis = alt.Axis(**ticks("B"), tickCount=4 if some else 1, orient="top")
    return alt.X(f"{field}:Q", title=title, axis=axis, scale=scale)


def levels_axis() -> alt.Axis:
    """Return the axis of levels, above the grid."""
    return alt.Axis(title="level", orient="top", labelAngle=0, domain=False, ticks=False)


def names_axis(rows: int) -> alt.Axis:
    """Return the axis of layers, each of them named."""
    size = 11 if rows <= FEW_ROWS else 10
    return alt.Axis(title=None, labelOverlap=False, labelFontSize=size, labelLimit=200, domain=False, ticks=False)


def plan_colour(field: str, choices: str, kinds: Mapping[str, str] = KINDS) -> alt.Color:
    """Return the colour of a choice or a kind of bytes, with one legend that says what each of them is."""
    letters = {one.letter: one.colour for one in CHOICES.values() if one.letter in choices}
    colours = {**letters, **kinds}
    said = {key: MEANINGS[key] for key in colours}
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", labelExpr=f"{said}[datum.value]", labelLimit=400,
        symbolType="square", symbolStrokeColor="#333", symbolStrokeWidth=0.8,
    )  # fmt: skip
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{field}:N", scale=scale, legend=legend)


def on_dark(field: str) -> str:
    """Return whether a field's letter stands on a dark colour, as an expression of Vega."""
    dark = [f"datum.{field} === '{one.letter}'" for one in CHOICES.values() if one.is_dark]
    return dark[0] if len(dark) == 1 else f"({' || '.join(dark)})"


def letter_text(base: alt.Chart, field: str, rows: int) -> alt.Chart:
    """Return the letters in the cells, black or white by what they stand on."""
    size = 12 if rows <= FEW_ROWS else 10
    ink = alt.ExprRef(f"{on_dark(field)} ? 'white' : 'black'")
    marks: alt.Chart = base.mark_text(fontSize=size, fontWeight="bold", color=ink, aria=False)
    return marks.encode(text=alt.Text(f"{field}:N"))
