"""What the halves of a path have and lack where every layer has shares of its own, as whole numbers.

At a level everything is counted in parts of the grid where there is a split, and in halves where there is none. Two
layers that are cut along one dimension have in common what both have of it: the shorter part; along two dimensions the
product of both parts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.mixed.parts import Layout, layout_of
from hypar_opt.instance.choices import Dimension, LayerTensor

if TYPE_CHECKING:
    from collections.abc import Hashable

    from hypar_opt.cost.mixed.grid_words import GridLetter, GridWords, Letters
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware.mixed import Half, MixedArray, Path


@dataclass(frozen=True, eq=False)
class GridParts:
    """Parts of halves.

    Parameters
    ----------
    array
        Whose.
    grid
        Equal parts of what is cut at a split.
    """

    array: MixedArray
    grid: int
    _known: dict[Hashable, Array] = field(default_factory=dict, init=False)

    def unit(self, half: Half) -> int:
        """Return how many parts make a group's whole."""
        return 2 if half.split is None else self.grid

    def left(self, letters: Letters, half: Half, tensor: LayerTensor | None) -> Array:
        """Return by letter how much of a tensor a half has; of none how much of a layer it computes."""
        key = letters, half, tensor
        if key not in self._known:
            self._known[key] = np.array([self._left(one, half, _layout(one, tensor)) for one in letters.all])
        return self._known[key]

    def above(self, words: GridWords, path: Path, tensor: LayerTensor | None) -> list[Array]:
        """Return by level of a path, and by word, what all halves above leave of a tensor; behind these that of all."""
        found = [np.ones(words.size, dtype=np.int64)]
        for level, half in enumerate(path):
            found.append(found[-1] * self.left(words.levels[level], half, tensor)[words.rows[:, level]])
        return found

    def read(self, before: Letters, after: Letters, half: Half, *, forward: bool) -> Array:
        """Return by letters of the producer and the reader what a half needs and lacks, in parts of parts.

        Parameters
        ----------
        forward
            Whether the reader needs what the producer has, or the producer what the reader has.
        """
        key = before, after, half, forward
        if key not in self._known:
            out = [_layout(one, LayerTensor.F_OUT) for one in before.all]
            into = [_layout(one, LayerTensor.F_IN) for one in after.all]
            has, needs = self.left(before, half, LayerTensor.F_OUT), self.left(after, half, LayerTensor.F_IN)
            across = np.array([[{here, there} == {Layout.B, Layout.C} for there in into] for here in out])
            both = np.where(across, np.multiply.outer(has, needs), np.minimum.outer(has, needs) * self.unit(half))
            asked = needs[None, :] if forward else has[:, None]
            self._known[key] = asked * self.unit(half) - both
        return self._known[key]

    def _left(self, one: GridLetter, half: Half, layout: Layout) -> int:
        whole = self.unit(half)
        if layout is Layout.N:
            is_busy = half.split is None or self.array.busy_side(half.split) == half.side
            return whole if is_busy else 0
        if layout is Layout.R:
            return whole
        if half.split is None:
            return 1
        first = one.parts[half.split]
        return whole - first if half.side else first


def _layout(one: GridLetter, tensor: LayerTensor | None) -> Layout:
    """Return how a tensor lies; of what is computed, whether it is cut."""
    if tensor is None:
        return Layout.N if one.splits is Dimension.NOTHING else Layout.B
    return layout_of(one.splits, tensor)
