"""Shares that every layer has of its own: which letters a grid is too fine for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hypar_opt.instance.choices import IDLING, Dimension, choices_of, letters_of
from hypar_opt.instance.mixed_shares import GRID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.text import FieldPath


def too_fine_letters(layer: WorkLayer, letters: str, batch: int, grid: int) -> str:
    """Return the letters that would split a dimension of a layer into more parts than it is long."""
    split = choices_of(layer)
    return "".join(one for one in letters if _length(layer, split[one], batch, grid) < grid)


def grid_fault(spec: InstanceSpec, mixed: MixedArray, layers: Sequence[WorkLayer]) -> tuple[FieldPath, str] | None:
    """Return which layer no letter splits as finely as the grid, or None."""
    said = spec.cost.shares
    if not isinstance(said, Mapping) or GRID not in said:
        return None
    grid = said[GRID]
    for layer in layers:
        letters = letters_of(layer, spec.cost.letters)
        fine = too_fine_letters(layer, letters, spec.batch, grid)
        for level in mixed.split_levels:
            left = [one for one in letters if one not in fine and (one not in IDLING or mixed.may_idle[level])]
            if letters and not left:
                most = max(_length(layer, choices_of(layer)[one], spec.batch, grid) for one in fine)
                message = (
                    f"expected at most {most:,} parts, as finely as '{layer.name}' is split by {' or '.join(fine)}: "
                    f"a grid finer than the dimension; got {grid:,}"
                )
                return ("cost", "shares", GRID), message
    return None


def _length(layer: WorkLayer, split: Dimension, batch: int, grid: int) -> int:
    """Return how long the dimension is that is split; of nothing as long as it has to be."""
    sizes = {
        Dimension.BATCH: (batch,),
        Dimension.INPUT: layer.in_sizes,
        Dimension.OUTPUT: layer.out_sizes,
        Dimension.GROUPS: layer.in_sizes if layer.is_join else (layer.groups,),
    }
    return min(sizes.get(split, (grid,)))
