"""One rule behind HyPar's Tables 1 and 2 and AccPar's entries.

A weighted layer multiplies F[l] (batch x in) by W[l] (in x out) into F[l+1] (batch x out). A choice
splits one of the three dimensions in two. Everything else follows: a tensor that has the dimension is
halved along it, one that lacks it is whole on both sides, and the phase that sums over the dimension
ends in partial sums of the tensor that lacks it.

In a grouped convolution every group of filters reads its own group of channels: the groups are a fourth dimension,
which all tensors have, and mp splits that one. A join has no weights, and each of its channels is a group of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.choices import Dimension, LayerTensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.util.partition import Partition


class TensorLayout(Enum):
    """How a tensor lies on two groups."""

    B = "batch halves"
    C = "channel halves"
    R = "whole on both"


def layout_of(split: Dimension, tensor: LayerTensor) -> TensorLayout:
    """Return how F[l] or F[l+1] of a layer lies on the two groups where a dimension of it is split."""
    if not split.halves(tensor):
        return TensorLayout.R
    return TensorLayout.B if split is Dimension.BATCH else TensorLayout.C


_EXTENT: Final = MappingProxyType({TensorLayout.B: (1, 2), TensorLayout.C: (2, 1), TensorLayout.R: (2, 2)})
"""Of one side's box, in halves of the batch and of the channels; both begin at the origin."""


def needed_quarters(needs: TensorLayout) -> int:
    """Return what one side needs, in quarters of the tensor."""
    return prod(_EXTENT[needs])


def local_quarters(has: TensorLayout, needs: TensorLayout) -> int:
    """Return what one side needs and has, in quarters of the tensor: both boxes begin at the origin."""
    return prod(map(min, _EXTENT[needs], _EXTENT[has]))


def remote_quarters(has: TensorLayout, needs: TensorLayout) -> int:
    """Return what one side reads remotely, in quarters of the tensor: |needs| - |needs and has|."""
    return needed_quarters(needs) - local_quarters(has, needs)


def moved_quarters(has: TensorLayout, needs: TensorLayout) -> int:
    """Return what of that one side reads because it needs all, in quarters of the tensor."""
    return remote_quarters(has, needs) if needs is TensorLayout.R else 0


def turned_quarters(has: TensorLayout, needs: TensorLayout) -> int:
    """Return what of that one side reads because it needs another cut, in quarters of the tensor."""
    return 0 if needs is TensorLayout.R else remote_quarters(has, needs)


@dataclass(frozen=True)
class CostModel:
    """How a workload is charged.

    Parameters
    ----------
    batch
        Samples of one step.
    partition
        How the array is cut.
    accounting
        A name of `ACCOUNTINGS`.
    choices
        Letters, in the order d, m, o.
    bytes_per_element
        An even number.
    divisible
        Whether a strategy is allowed only where every split dimension divides.
    fix
        Given strategies, by layer.
    input_error
        Whether the error of the network's input is computed and summed, which no weights are updated by.
    microbatches
        Into how many the batch is cut: what has to divide is one of them.

    Raises
    ------
    ValueError
        If a level does not halve every group: the rule knows no others.
    """

    batch: int
    partition: Partition
    accounting: str = "published"
    choices: str = "dm"
    bytes_per_element: int = 4
    divisible: bool = False
    fix: Mapping[str, str] | None = None
    input_error: bool = True
    microbatches: int = 1

    def __post_init__(self) -> None:
        self.partition.check_halves()

    @property
    def levels(self) -> int:
        """H."""
        return self.partition.levels

    @property
    def parts(self) -> int:
        """How many units of the costs make a byte."""
        return self.partition.leaves if ACCOUNTINGS[self.accounting].by_leaves else 1

    def summed(self, layer: WorkLayer) -> Mapping[LayerTensor, int]:
        """Return the elements of what the phases of a layer end in where the dimension that they sum over is split.

        What a boundary reduces is its own, and 0 here.
        """
        rule = ACCOUNTINGS[self.accounting]
        out = layer.written if rule.by_leaves else layer.feature_out
        has_error = self.input_error or not layer.reads_input
        return {
            LayerTensor.F_IN: self.batch * layer.feature_in if has_error and not rule.collectives else 0,
            LayerTensor.WEIGHT: layer.weight,
            LayerTensor.F_OUT: self.batch * out if layer.writes_output or not rule.collectives else 0,
        }
