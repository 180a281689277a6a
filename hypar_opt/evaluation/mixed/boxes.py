"""What a half of a group has of a tensor: a box, relative to the group's.

The first half of a group has the front part of what is cut, as long as its share, and the second half what is behind
it. A tensor that is not cut is whole in both halves. Where the letter is n nothing is cut: one half has everything,
and the other nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from hypar_opt.evaluation.choices import halving_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Half
    from hypar_opt.instance.network import WorkLayer

Number: TypeAlias = Fraction
"""Exact: fractions, or other numbers that are added, subtracted, multiplied and compared with these."""
Interval: TypeAlias = tuple[Number, Number]
"""From, up to; empty where both are one."""
NONE: Final = "n"
"""The letter of what is not split: one half of a group has it all."""
EQUAL: Final = Fraction(1, 2)
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


@dataclass(frozen=True)
class Division:
    """An array whose splits have shares.

    Parameters
    ----------
    setting
        Has the array.
    shares
        By name of a split, what its first half gets.
    """

    setting: MixedSetting
    shares: Mapping[str, Number]

    def cuts(self, path: Sequence[Half]) -> tuple[HalfCut, ...]:
        """Return what the halves of a path get, by level."""
        return tuple(self._cuts[half] for half in path)

    @cached_property
    def _cuts(self) -> Mapping[Half, HalfCut]:
        return {half: self._cut(half) for path in self.setting.halves[-1] for half in path}

    def _cut(self, half: Half) -> HalfCut:
        if half.split is None:  # both halves are called the first one: they do the same
            return HalfCut((Fraction(0), EQUAL))
        share = self.shares[self.setting.array.splits[half.split]]
        part = (share, Fraction(1)) if half.side else (Fraction(0), share)
        return HalfCut(part, self.setting.busy[half.split] == half.side)


def box_of(layer: WorkLayer, letter: str, operand: Operand, cut: HalfCut) -> TensorBox:
    """Return what one half has of a layer's tensor, relative to its group."""
    if letter == NONE:
        return TensorBox() if cut.is_busy else TensorBox(NOTHING, NOTHING)
    rows, columns = getattr(halving_of(layer, letter), operand)
    return TensorBox(cut.part if rows else ALL, cut.part if columns else ALL)


def left_of(layer: WorkLayer, word: str, operand: Operand, cuts: Sequence[HalfCut]) -> Number:
    """Return how much the halves of a path leave of a layer's tensor, one in the other."""
    left = Fraction(1)
    for letter, cut in zip(word, cuts, strict=False):  # a path may end above the last level
        left *= box_of(layer, letter, operand, cut).size
    return left


def worked(layer: WorkLayer, word: str, cuts: Sequence[HalfCut]) -> Number:
    """Return how much of a layer's operations the halves of a path leave to one leaf."""
    left = Fraction(1)
    for letter, cut in zip(word, cuts, strict=False):
        if letter == NONE:
            left *= int(cut.is_busy)
        elif halving_of(layer, letter).splits is not None:
            left *= cut.share
    return left
