"""What a half of a group has, needs and reads of a tensor, as parts of what the group has.

The rule is |needs| - |needs and has|, as for equal halves; a half gets its share of the dimension that a letter splits.
Of a layer that is not split one half has all and the other nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.choices import Dimension, LayerTensor

if TYPE_CHECKING:
    from hypar_opt.instance.hardware.mixed import Half, MixedArray

EQUAL: Final = Fraction(1, 2)


class Layout(Enum):
    """How a tensor lies on the two halves of a group."""

    B = "cut along the batch"
    C = "cut along the channels"
    R = "whole on both"
    N = "whole on one"


def layout_of(split: Dimension, tensor: LayerTensor) -> Layout:
    """Return how a tensor of a layer lies where a dimension of it is split, or nothing."""
    if split is Dimension.NOTHING:
        return Layout.N
    if not split.halves(tensor):
        return Layout.R
    return Layout.B if split is Dimension.BATCH else Layout.C


@dataclass(frozen=True)
class HalfPart:
    """A half of a group, with what it gets.

    Parameters
    ----------
    share
        Of what is cut.
    is_busy
        Whether it does all of a layer that is not split.
    """

    share: Fraction
    is_busy: bool = True

    def left(self, layout: Layout) -> Fraction:
        """Return the part of a group's tensor that the half has or needs."""
        if layout is Layout.N:
            return Fraction(int(self.is_busy))
        return Fraction(1) if layout is Layout.R else self.share

    def read(self, has: Layout, needs: Layout) -> Fraction:
        """Return the part of a group's tensor that the half needs and lacks."""
        return self.left(needs) - self._both(has, needs)

    def _both(self, has: Layout, needs: Layout) -> Fraction:
        """Return the part that it needs and has: along one dimension the smaller of both, along two their product."""
        if {has, needs} == {Layout.B, Layout.C}:
            return self.share**2
        return min(self.left(has), self.left(needs))


def part_of(array: MixedArray, half: Half, shares: tuple[Fraction, ...]) -> HalfPart:
    """Return what a half of a path gets, at the shares of the first halves by split."""
    if half.split is None:
        return HalfPart(EQUAL)
    first = shares[half.split]
    return HalfPart(1 - first if half.side else first, array.busy_side(half.split) == half.side)
