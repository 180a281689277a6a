"""Sets of a tensor's indices, and how much of it they are.

An index of a dimension is a number of as many digits as there are axes, a digit of an axis being as large as the axis.
To split the dimension on an axis is to keep those indices whose digit is the device's coordinate. A set is what it says
of digits; of a dimension that does not divide they are digits of fractions, and measures stay exact.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement

IndexSet: TypeAlias = "Mapping[tuple[int, int], int]"
"""By dimension and axis, what the digit has to be; other digits are free."""


def held(placement: Placement, device: Sequence[int]) -> IndexSet:
    """Return the indices of which a device, given by its coordinates, holds something."""
    return {(entry.position, axis): device[axis] for axis, entry in enumerate(placement) if entry.position is not None}


def common(one: IndexSet, other: IndexSet) -> IndexSet | None:
    """Return the indices that are in both, or None where none are."""
    if any(one[digit] != other[digit] for digit in one.keys() & other.keys()):
        return None
    return {**one, **other}


def measure(indices: IndexSet | None, sizes: Sequence[int]) -> Fraction:
    """Return the share of a tensor's elements that are in a set.

    Parameters
    ----------
    indices
        None is the empty set.
    sizes
        Of the axes.
    """
    share = Fraction(0 if indices is None else 1)
    for _, axis in indices or ():
        share /= sizes[axis]
    return share
