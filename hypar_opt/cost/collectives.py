"""What the collectives of a boundary move: slices, then reduce-scatter, one fused all-to-all, then all-gather.

A level's placement of a tensor is Shard (of the batch or of the channels), Replicate, or Partial: whole on both
sides, to be added up. Between two of them a program holds, level by level, a share of the tensor before the
reduce-scatter, one behind it, a part of that which the all-to-all leaves in place, and what is needed in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.cost.layout import TensorLayout, layout_of, local_quarters, needed_quarters

if TYPE_CHECKING:
    from hypar_opt.instance.choices import Dimension, LayerTensor


@dataclass(frozen=True)
class Held:
    """What a side holds of a tensor on its way from one placement to another, in quarters of it.

    Parameters
    ----------
    sliced
        Behind the slices, which move nothing: what partial sums are of, if they are.
    reduced
        Behind the reduce-scatter.
    kept
        Of that, what the all-to-all need not send.
    needed
        Behind the all-gather.
    """

    sliced: int
    reduced: int
    kept: int
    needed: int


def held(left: Dimension, tensor: LayerTensor, reads: Dimension, read_as: LayerTensor) -> Held:
    """Return what a side holds where one layer leaves a tensor and another needs it.

    Parameters
    ----------
    left, tensor
        What the layer that leaves it splits, and what it is to that layer.
    reads, read_as
        The same of the one that needs it.
    """
    has, needs = layout_of(left, tensor), layout_of(reads, read_as)
    needed = needed_quarters(needs)
    if left.partial_sums is tensor:
        scattered = needed_quarters(TensorLayout.B)  # along either dimension, as much
        return Held(needed_quarters(has), scattered, scattered, needed)
    if has is TensorLayout.R:
        return Held(needed, needed, needed, needed)
    return Held(needed_quarters(has), needed_quarters(has), local_quarters(has, needs), needed)
