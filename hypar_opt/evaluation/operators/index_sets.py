"""Sets of a tensor's indices, and how much of it they are.

An index of a dimension is a number of as many digits as there are axes, a digit of an axis being as large as the axis.
To split the dimension on an axis is to keep those indices whose digit is the device's coordinate. A set is what it says
of digits; of a dimension that does not divide they are digits of fractions, and measures stay exact, or it is padded:
then a set has as many indices as the largest of those that differ from it in digits only.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.instance.operators import Tensor
    from hypar_opt.util.partition import Partition

IndexSet: TypeAlias = "Mapping[tuple[int, int], int]"
"""By dimension and axis, what the digit has to be; other digits are free."""
FLAT: Final = -1
"""In place of a dimension: all numbers of a device in a row, which are cut anywhere and never padded."""


def held(placement: Placement, device: Sequence[int]) -> IndexSet:
    """Return the indices of which a device, given by its coordinates, holds something."""
    return {(entry.position, axis): device[axis] for axis, entry in enumerate(placement) if entry.position is not None}


def common(one: IndexSet, other: IndexSet) -> IndexSet | None:
    """Return the indices that are in both, or None where none are."""
    if any(one[digit] != other[digit] for digit in one.keys() & other.keys()):
        return None
    return {**one, **other}


def measure(indices: IndexSet | None, sizes: Sequence[int], shape: Sequence[int] | None = None) -> Fraction:
    """Return the share of a tensor's elements that are in a set; those that pad it count as well.

    Parameters
    ----------
    indices
        None is the empty set.
    sizes
        Of the axes.
    shape
        Of the tensor, where it is padded.
    """
    if indices is None:
        return Fraction(0)
    parts: dict[int, int] = {}
    for position, axis in indices:
        parts[position] = parts.get(position, 1) * sizes[axis]
    return prod((_share(shape, position, count) for position, count in parts.items()), start=Fraction(1))


def _share(shape: Sequence[int] | None, position: int, parts: int) -> Fraction:
    if shape is None or position == FLAT:
        return Fraction(1, parts)
    return Fraction(-(-shape[position] // parts), shape[position])


def local_sizes(partition: Partition, *, is_padded: bool) -> Callable[[Tensor, Placement], int]:
    """Return a function that tells what every device has of a tensor that lies somehow, in 1 / devices of a byte.

    Parts divide the devices, so that these are whole numbers; equal ones are measured once.

    Parameters
    ----------
    partition
        The axes.
    is_padded
        Whether tensors are, so that each device counts what the largest part has.
    """
    axes = [axis.size for axis in partition.axes]
    first = [0] * len(axes)  # stands for all: their index sets are equally large

    @cache
    def size(placement: Placement, shape: tuple[int, ...] | None, whole: int) -> int:
        found = whole * measure(held(placement, first), axes, shape) * partition.leaves
        assert found.denominator == 1
        return found.numerator

    return lambda tensor, placement: size(placement, tensor.sizes if is_padded else None, tensor.bytes)
