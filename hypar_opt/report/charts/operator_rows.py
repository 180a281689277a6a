"""The rows of a picture of a plan of operators: an operator each, of equal ones in neighbouring blocks one together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.theme import PALETTE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.content.operator_plan import NamedOperatorPlan

MOST_ROWS: Final = 200
"""Rows of a picture that can still be read."""
WHOLE: Final = "none"
"""The entry of an axis along which all devices compute the same."""
PALE: Final = "#ECECEC"
COLOURS: Final = (*PALETTE[:7], "#882255")
"""Of dimensions; wine for the palette's black, in which words would look like headings."""
DARK: Final = (PALETTE[0], "#882255")
"""Colours on which white is read."""
KINDS: Final[Mapping[str, str]] = {
    "all-reduce": "#555555",
    "reduce-scatter": "#999999",
    "all-gather": "#D9D9D9",
    "all-to-all": "#FFFFFF",
    "collective-permute": "#7A6FBF",
    "halo": "#332288",
}
"""Of collectives, from dark to empty, so that they are told from dimensions, and apart on paper."""


def colours(dimensions: Sequence[str]) -> dict[str, str]:
    """Return a colour a dimension, in order; `none` is pale whatever it is called beside."""
    split = [name for name in dict.fromkeys(dimensions) if name != WHOLE]
    return {**{name: COLOURS[at % len(COLOURS)] for at, name in enumerate(split)}, WHOLE: PALE}


@dataclass(frozen=True)
class PictureRow:
    """What is shown of an operator, or of equal ones together.

    Parameters
    ----------
    label, kind
        Which they are, and what.
    count
        How many.
    word
        An entry an axis.
    received
        Bytes that all devices receive for all of them, by kind of collective.
    """

    label: str
    kind: str
    count: int
    word: tuple[str, ...]
    received: Mapping[str, Fraction]

    @property
    def total(self) -> Fraction:
        """Bytes of all kinds."""
        return sum(self.received.values(), start=Fraction(0))


@dataclass(frozen=True)
class PictureRows:
    """A plan of operators as rows.

    Parameters
    ----------
    named
        The plan.
    """

    named: NamedOperatorPlan

    @cached_property
    def all(self) -> tuple[PictureRow, ...]:
        """Every row, in the order of the network."""
        graph, words, received = self.named.problem.instance.graph, self.named.strategies, self.named.received
        items = [(one.name, (one.kind, words[one.name])) for one in graph.operators]
        rows = []
        for one in self.named.blocks.folded(items):
            kinds: dict[str, Fraction] = {}
            for name in one.names:
                for kind, size in received.get(name, {}).items():
                    kinds[kind] = kinds.get(kind, Fraction(0)) + size
            rows.append(PictureRow(one.label, one.value[0], len(one.names), tuple(one.value[1].split()), kinds))
        return tuple(rows)

    @property
    def shown(self) -> tuple[PictureRow, ...]:
        """Those that a picture has room for."""
        return self.all[:MOST_ROWS]

    @property
    def left_out(self) -> list[str]:
        """A sentence where rows are not shown."""
        shown, rows = len(self.shown), len(self.all)
        return [f"The first {shown:,} of {rows:,} rows; all of them stand in the table below."] if shown < rows else []

    @cached_property
    def colours(self) -> Mapping[str, str]:
        """By dimension that the plan splits, the same colour in all plans of the network; and of none, if there is."""
        graph = self.named.problem.instance.graph
        every = colours([name for one in graph.operators for name in one.splits])
        used = {entry for row in self.shown for entry in row.word}
        return {name: colour for name, colour in every.items() if name in used}

    @property
    def kinds(self) -> Mapping[str, str]:
        """By kind of collective that the plan has, its colour."""
        return {kind: colour for kind, colour in KINDS.items() if any(kind in row.received for row in self.shown)}
