"""What the leaves of the array really read of a boundary's tensors, each leaf's own boxes laid out.

A level cuts a dimension into one part for each of its groups, and a leaf takes its own group's part. So what a leaf has
of a tensor is the set of all elements that agree with the leaf's coordinates on some levels: (batch, h) for every level
that split the batch, and (channel, h) for every level that split the channels. Each of these leaves its group's share
of the tensor, and what a leaf needs and has is what agrees with it on the levels of both. Summed over all leaves that
is a product over the levels: of level h the sum over its groups of share^(dimensions that it splits).

An element that a leaf lacks is held nearest by the leaves that first part from it at the topmost level on which the
element misses: that is the level at which it is read.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.choices import Box
    from hypar_opt.util.partition import Partition

Cut: TypeAlias = frozenset[str]
"""The dimensions that a level splits."""


def by_tensor(
    elements: int, written: Sequence[Box], read: Sequence[Box], partition: Partition
) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return the elements of F[l+1], and those of E[l+1], that all leaves together read remotely, by level.

    Parameters
    ----------
    elements
        Of the tensor.
    written, read
        How each level of the layer that writes F[l+1], and of the one that reads it, splits the tensor.
    partition
        Axes of any sizes and shares.
    """
    had, needed = list(map(_cut, written)), list(map(_cut, read))
    return _lacking(elements, needed, had, partition), _lacking(elements, had, needed, partition)


def _cut(halved: Box) -> Cut:
    rows, columns = halved
    return frozenset(name for name, times in (("batch", rows), ("channel", columns)) if times)


def _lacking(elements: int, needed: list[Cut], had: list[Cut], partition: Partition) -> tuple[Fraction, ...]:
    """Return by level what is needed, agrees with what is had on all levels above, and not there; over all leaves."""
    left = Fraction(elements)
    for axis, cut in zip(partition.axes, needed, strict=True):
        left *= 1 if cut else axis.size
    lacking = []
    for axis, cut, other in zip(partition.axes, needed, had, strict=True):
        agreeing = left
        if other - cut:
            agreeing = left * axis.squares if cut else left / axis.size
        lacking.append(left - agreeing)
        left = agreeing
    return tuple(lacking)
