"""How much k leaves of the partition tree exchange with the others: edge boundaries in a weighted hypercube.

The pairs of all levels are the edges of a hypercube whose dimension h weighs volumes[h]. Of a set S of leaves
c_h(S) pairs of level h have one end in S, so that `sum over h of volumes[h] x c_h(S)` crosses its boundary.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array

MOST_ENUMERATED = 4
"""Levels up to which all sets of leaves are looked at: 2^16 of them."""


@cache
def crossings(levels: int) -> Array:
    """Return c_h of every set of leaves, a set as a mask of bits; shape (levels, 2^(2^levels))."""
    cube = halves(levels)
    masks = np.arange(1 << cube.leaves, dtype=np.int64)
    found = np.empty((levels, len(masks)), dtype=np.int8)
    for h, step in enumerate(cube.bits):
        low = sum(1 << leaf for leaf, _ in cube.pairs(h))
        partners = (masks & low) << step | masks >> step & low
        found[h] = np.bitwise_count(masks & ~partners)
    found.setflags(write=False)
    return found


@cache
def sizes(levels: int) -> Array:
    """Return how many leaves every mask has."""
    return np.bitwise_count(np.arange(1 << halves(levels).leaves, dtype=np.int64)).astype(np.int64)


@cache
def least_crossings(levels: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return for every k the vectors (c_1 .. c_H) of sets of k leaves, without those that another is nowhere above."""
    vectors = crossings(levels)
    found = []
    for k in range(halves(levels).leaves + 1):
        unique = np.unique(vectors[:, sizes(levels) == k], axis=1).T.astype(np.int64)
        smaller = (unique[None] <= unique[:, None]).all(axis=2).sum(axis=1)
        found.append(tuple(tuple(map(int, vector)) for vector in unique[smaller == 1]))
    return tuple(found)


def boundaries(volumes: Sequence[int]) -> Array:
    """Return what crosses the boundary of every set of leaves; exact, of Python's integers where int64 is short."""
    leaves = halves(len(volumes)).leaves
    dtype = np.int64 if sum(volumes) * leaves < 2**62 else object
    total = np.zeros(1 << leaves, dtype=dtype)
    for volume, counts in zip(volumes, crossings(len(volumes)), strict=True):
        total += counts.astype(dtype) * volume
    return total


def least_boundary(volumes: Sequence[int]) -> list[int]:
    """Return for k = 0 .. 2^H what crosses the boundary of any k leaves at least.

    Up to four levels all sets are looked at. Beyond, k leaves have `k x sum(volumes) - 2 F` for what F they
    exchange among themselves, and F is bounded dimension by dimension: of k leaves k0 >= k1 lie on the two sides of
    dimension h, at most k1 of its pairs are inside, and each side is a set in a hypercube without h. So
    `F(k) <= max over k0 + k1 = k of F'(k0) + F'(k1) + volumes[h] x k1`, in whatever order dimensions are taken;
    the lightest first is the tightest (with equal volumes it is Harper's theorem, J. SIAM 12, 1964).
    """
    levels = len(volumes)
    if levels <= MOST_ENUMERATED:
        vectors = least_crossings(levels)
        return [min(sum(v * c for v, c in zip(volumes, one, strict=True)) for one in per_k) for per_k in vectors]
    total = sum(volumes)
    return [k * total - 2 * int(most) for k, most in enumerate(most_inside(volumes))]


def most_inside(volumes: Sequence[int]) -> Array:
    """Return the bound F(k) on what k leaves exchange among themselves, k = 0 .. 2^H."""
    inside = np.zeros(2, dtype=np.int64 if sum(volumes) * halves(len(volumes)).leaves < 2**62 else object)
    for volume in sorted(volumes, reverse=True):
        side = len(inside) - 1
        both = np.zeros(2 * side + 1, dtype=inside.dtype)
        for k1 in range(side + 1):
            target = both[2 * k1 : side + k1 + 1]
            np.maximum(target, inside[k1:] + (inside[k1] + volume * k1), out=target)
        inside = both
    return inside


def least_of_sites(least: Sequence[int], sites: int) -> list[int]:
    """Return for k = 0 .. sites what crosses the boundary of k sites at least, if some sites can stay empty."""
    leaves = len(least) - 1
    spare = sites - leaves
    return [min(least[max(0, k - spare) : min(k, leaves) + 1]) for k in range(sites + 1)]
