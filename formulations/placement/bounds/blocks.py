"""Blocks of near sites that all leaves have to be spread over.

Where there are more sites than leaves any one set of sites may stay empty, so that no single cut around few sites says
much: of three servers with eight accelerators each every one can do without leaves, or hold half of sixteen. But all
cannot: the numbers of leaves of disjoint blocks that cover the array add up to the number of leaves, and those that a
block can hold at little cost are few. So what is ruled out is what leaves no numbers that add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph import Array

Blocks: TypeAlias = "tuple[tuple[int, ...], ...]"
MOST_RADII = 16
"""Of many a few are taken."""


def partitions(apart: Array) -> list[Blocks]:
    """Return by radius the sites as disjoint blocks, each within the radius of its first one; no trivial partitions.

    Parameters
    ----------
    apart
        How far apart any two sites are; shape (sites, sites).
    """
    radii = np.unique(apart)
    found = {_within(apart, radius) for radius in radii[:: -(-len(radii) // MOST_RADII)]}
    return sorted(one for one in found if 1 < len(one) < len(apart))


def _within(apart: Array, radius: int) -> Blocks:
    free, blocks = np.ones(len(apart), dtype=bool), []
    for site in range(len(apart)):
        if free[site]:
            near = free & (apart[site] <= radius)
            near[site] = True
            free &= ~near
            blocks.append(tuple(np.flatnonzero(near).tolist()))
    return tuple(blocks)


def can_hold(numbers: Iterable[Iterable[int]], leaves: int) -> bool:
    """Return whether blocks, each with one of some numbers of leaves, can have all leaves together."""
    sums = 1  # bit n: n leaves are in the blocks so far
    for each in numbers:
        following = 0
        for number in each:
            following |= sums << number
        sums = following
    return bool(sums >> leaves & 1)


def least_highest(costs: Sequence[Sequence[int]], leaves: int) -> int:
    """Return the least that the dearest block costs, over all ways of spreading the leaves.

    Parameters
    ----------
    costs
        By block and its number of leaves; together they have room for all.
    """
    known = sorted({cost for each in costs for cost in each})
    low, high = 0, len(known) - 1
    while low < high:
        middle = (low + high) // 2
        within = ([n for n, cost in enumerate(each) if cost <= known[middle]] for each in costs)
        low, high = (low, middle) if can_hold(within, leaves) else (middle + 1, high)
    return known[low]
