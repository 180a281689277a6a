"""The loops over forests: which variables to free, and how those hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def find(above: Array, one: int) -> int:
    """Return the root of a variable's component; paths are halved on the way."""
    while above[one] != one:
        above[one] = above[above[one]]
        one = above[one]
    return one


@njit(cache=True, nogil=True)
def members(layout: Layout, order: Array) -> Array:
    """Return whether each variable is in the forest to which they are added in an order, where they close no cycle."""
    count = len(layout.starts) - 1
    above = np.arange(count)
    seen = np.full(count, -1)
    inside = np.zeros(count, dtype=np.bool_)
    for one in order:
        own = layout.others[layout.arcs[one] : layout.arcs[one + 1]]
        free = True
        for other in own:
            if inside[other]:
                root = find(above, other)
                if seen[root] == one:
                    free = False
                    break
                seen[root] = one
        if free:
            inside[one] = True
            for other in own:
                if inside[other]:
                    above[find(above, other)] = one
    return inside


@njit(cache=True, nogil=True)
def rooted(layout: Layout, inside: Array, order: Array) -> tuple[Array, Array, Array]:
    """Return a forest as `formulations.windows.trees.settle` takes it.

    Returns
    -------
    sequence, hangs, place
        Its variables, every one after the one above it; by which arc it hangs there (-1: a root); and where in the
        sequence each variable of the graph is (-1: it is not).
    """
    sequence = np.empty(len(order), dtype=np.int64)
    hangs = np.full(len(order), -1)
    place = np.full(len(layout.starts) - 1, -1)
    done = found = 0
    for root in order:
        if not inside[root] or place[root] >= 0:
            continue
        sequence[found], place[root] = root, found
        found += 1
        while done < found:
            one = sequence[done]
            for arc in range(layout.arcs[one], layout.arcs[one + 1]):
                other = layout.others[arc]
                if not inside[other]:
                    continue
                if place[other] >= 0:
                    hangs[done] = arc  # there is no cycle: of what comes before, only the one above is beside it
                else:
                    sequence[found], place[other] = other, found
                    found += 1
            done += 1
    return sequence[:found], hangs[:found], place
