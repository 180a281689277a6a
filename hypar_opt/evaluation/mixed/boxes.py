"""What a half of a group has of a tensor: a box, relative to the group's.

The first half of a group has the front part of what is cut, as long as its share, and the second half what is behind
it. A tensor that is not cut is whole in both halves. Where the letter is n nothing is cut: one half has everything,
and the other nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hypar_opt.evaluation.choices import halving_of

if TYPE_CHECKING:
    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.instance.network import WorkLayer

Number: TypeAlias = Fraction
"""Exact: fractions, or roots that are computed and compared with these."""
Interval: TypeAlias = tuple[Number, Number]
"""From, up to; empty where both are one."""
NONE: Final = "n"
"""The letter of what is not split: one half of a group has it all."""
ALL: Final[Interval] = (Fraction(0), Fraction(1))
NOTHING: Final[Interval] = (Fraction(0), Fraction(0))


class TensorBox(NamedTuple):
    """A part of a tensor: of its batch (or rows), and of its channels (or columns)."""

    rows: Interval = ALL
    columns: Interval = ALL

    @property
    def size(self) -> Number:
        """How much of the tensor it is."""
        return (self.rows[1] - self.rows[0]) * (self.columns[1] - self.columns[0])

    def lacking(self, other: TensorBox) -> Number:
        """Return how much of it is not in another."""
        return self.size - TensorBox(_common(self.rows, other.rows), _common(self.columns, other.columns)).size


def _common(one: Interval, other: Interval) -> Interval:
    start = max(one[0], other[0])
    return start, max(start, min(one[1], other[1]))


class HalfCut(NamedTuple):
    """One half of a group.

    Parameters
    ----------
    part
        What it gets of whatever is cut.
    is_busy
        Whether it does what is not split.
    """

    part: Interval
    is_busy: bool = True

    @property
    def share(self) -> Number:
        """How long the part is."""
        return self.part[1] - self.part[0]


def box_of(layer: WorkLayer, letter: str, operand: Operand, cut: HalfCut) -> TensorBox:
    """Return what one half has of a layer's tensor, relative to its group."""
    if letter == NONE:
        return TensorBox() if cut.is_busy else TensorBox(NOTHING, NOTHING)
    rows, columns = getattr(halving_of(layer, letter), operand)
    return TensorBox(cut.part if rows else ALL, cut.part if columns else ALL)


def worked(layer: WorkLayer, letter: str, cut: HalfCut) -> Number:
    """Return how much of its group's operations on a layer one half does."""
    if letter == NONE:
        return Fraction(int(cut.is_busy))
    return Fraction(1) if halving_of(layer, letter).splits is None else cut.share
