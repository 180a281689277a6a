"""Sets of sites whose boundary may be worth counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array

MOST_PAIRWISE = 128
"""Sites up to which the half-spaces of all pairs are taken; beyond, of nearest pairs only."""


def candidates(costs: Array) -> Array:
    """Return balls around sites, and half-spaces of the sites nearer to one of two than to the other.

    Returns
    -------
    Array
        Of truth values, shape (sets, sites); no set twice, nor with its complement.
    """
    found = np.concatenate([*_balls(costs), *_halves(costs)]) if len(costs) > 1 else np.zeros((0, 1), dtype=bool)
    return distinct(found)


def distinct(sets: Array) -> Array:
    """Return every set once, as itself or its complement, whichever lacks the last site; without the empty one."""
    without = sets ^ sets[:, -1:]
    packed = np.packbits(without, axis=1)
    _, first = np.unique(packed, axis=0, return_index=True)
    kept = without[np.sort(first)]
    return kept[kept.any(axis=1)]


def _balls(costs: Array) -> Iterator[Array]:
    """Yield for every radius the sites within it of every site; of many radii a few."""
    radii = np.unique(costs)
    for radius in radii[:: max(1, len(radii) // 64)]:
        yield _with_centre(costs <= radius)


def _with_centre(near: Array) -> Array:
    return near | np.eye(len(near), dtype=bool)


def _halves(costs: Array) -> Iterator[Array]:
    """Yield for every site the sites nearer to it than to another, and those at most as far."""
    count = len(costs)
    apart = costs + np.eye(count, dtype=np.int64) * int(costs.max())
    for site in range(count):
        near = apart[site] <= apart[site].min() if count > MOST_PAIRWISE else np.arange(count) != site
        yield costs[site][None, :] < costs[near]
        if count <= MOST_PAIRWISE:
            yield costs[site][None, :] <= costs[near]
