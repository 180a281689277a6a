"""An array of several kinds with the groups of one level as its accelerators: what a search level by level sees."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.hardware.mixed import AcceleratorKind, MixedArray
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence


def first_levels(array: MixedArray, levels: int) -> MixedArray:
    """Return the array that a partition's first levels make of it.

    Its accelerators are the groups below: each computes as fast as all its members together, and reads at the bandwidth
    that it has as a half. Memories are left out.
    """
    size = array.partition.leaves >> levels
    members = [
        tuple(array.partition.accelerator(leaf) for leaf in range(first, first + size))
        for first in range(0, array.partition.leaves, size)
    ]
    groups = list(dict.fromkeys(members))
    types = tuple(groups.index(one) for one in members)
    kinds = tuple(_together(array, [array.kinds[kind] for kind in group]) for group in groups)
    return MixedArray(kinds, replace(halves(levels), types=types), array.reads)


def _together(array: MixedArray, members: Sequence[AcceleratorKind]) -> AcceleratorKind:
    """Return accelerators as one."""
    first = members[0]
    each = [one.bandwidth for one in members]
    left_to_mappings = any(one.accelerator.utilisation is None for one in members)
    reached = None if left_to_mappings else Fraction(1)  # each reaches a share of its own
    rate = _sum([one.accelerator.rate if reached is None else one.accelerator.pace for one in members])
    bandwidth = _sum(each) if array.reads == "accelerator" else min(each)
    name = "+".join(dict.fromkeys(one.name for one in members))
    return AcceleratorKind(name, replace(first.accelerator, rate=rate, utilisation=reached, capacity=None), bandwidth)


def _sum(values: Sequence[Fraction]) -> Fraction:
    return sum(values[1:], start=values[0])
