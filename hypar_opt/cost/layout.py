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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.network import WorkLayer


class Dimension(Enum):
    """What a choice splits."""

    BATCH = "batch"
    IN = "in"
    OUT = "out"
    GROUPS = "groups"


class Tensor(Enum):
    """The tensors of a weighted layer l, by the dimensions they have; errors are laid out as features."""

    F_IN = frozenset({Dimension.BATCH, Dimension.IN, Dimension.GROUPS})
    WEIGHT = frozenset({Dimension.IN, Dimension.OUT, Dimension.GROUPS})
    F_OUT = frozenset({Dimension.BATCH, Dimension.OUT, Dimension.GROUPS})


class Layout(Enum):
    """How a tensor lies on two groups."""

    B = "batch halves"
    C = "channel halves"
    R = "whole on both"


@dataclass(frozen=True)
class Choice:
    """A way of splitting a layer at one level.

    Parameters
    ----------
    name, letter
        As in instance files and in strategies.
    splits
        The dimension of the layer's product that is halved.
    """

    name: str
    letter: str
    splits: Dimension

    def halves(self, tensor: Tensor) -> bool:
        """Return whether a tensor of the layer is halved."""
        return self.splits in tensor.value

    def layout(self, tensor: Tensor) -> Layout:
        """Return how F[l] or F[l+1] of the layer lies on the two groups."""
        if not self.halves(tensor):
            return Layout.R
        return Layout.B if self.splits is Dimension.BATCH else Layout.C

    @property
    def partial_sums(self) -> Tensor | None:
        """The tensor whose halves have to be added up: the one that lacks the split dimension, if one does."""
        return next((tensor for tensor in Tensor if not self.halves(tensor)), None)


DP: Final = Choice("dp", "d", Dimension.BATCH)
MP: Final = Choice("mp", "m", Dimension.IN)
OP: Final = Choice("op", "o", Dimension.OUT)
CHOICES: Final[Mapping[str, Choice]] = MappingProxyType({c.letter: c for c in (DP, MP, OP)})
"""Of a layer without groups, by letter, in the order in which ties are broken."""
CHOICES_OF_GROUPS: Final[Mapping[str, Choice]] = MappingProxyType(
    {DP.letter: DP, MP.letter: Choice(MP.name, MP.letter, Dimension.GROUPS)}
)
"""Of a grouped convolution or a join; to split its filters is to split its groups, so that there is no op."""

_EXTENT: Final = MappingProxyType({Layout.B: (1, 2), Layout.C: (2, 1), Layout.R: (2, 2)})
"""Of one side's box, in halves of the batch and of the channels; both begin at the origin."""


def choices_of(layer: WorkLayer) -> Mapping[str, Choice]:
    """Return what each letter means on a layer, by the letters that it may have."""
    return CHOICES_OF_GROUPS if layer.keeps_layout else CHOICES


def needed_quarters(needs: Layout) -> int:
    """Return what one side needs, in quarters of the tensor."""
    return prod(_EXTENT[needs])


def local_quarters(has: Layout, needs: Layout) -> int:
    """Return what one side needs and has, in quarters of the tensor: both boxes begin at the origin."""
    return prod(map(min, _EXTENT[needs], _EXTENT[has]))


def remote_quarters(has: Layout, needs: Layout) -> int:
    """Return what one side reads remotely, in quarters of the tensor: |needs| - |needs and has|."""
    return needed_quarters(needs) - local_quarters(has, needs)
