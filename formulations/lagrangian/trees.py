"""The loop of the polish: small trees settled exactly, kept where they cost less and everything still fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from formulations.lagrangian.forests import members, rooted, settle
from formulations.lagrangian.pricing import priced, used

if TYPE_CHECKING:
    from formulations.lagrangian.flat import Flat
    from hypar_opt.costgraph import Array

LEAST, MOST = 30, 1000
"""Variables around which a tree is grown; evenly in the logarithm."""
CHEAPEST, DEAREST = 0.25, 4.0
"""By what the prices are multiplied, likewise: whether a move fits is only known afterwards."""


@njit(cache=True, nogil=True)
def polish(flat: Flat, choices: Array, prices: Array, free: Array, moves: int, noise: np.random.Generator) -> float:
    """Try moves of an assignment that fits; return what they saved.

    Parameters
    ----------
    choices
        Changed in place.
    free
        The variables that have a choice.
    """
    paid = priced(flat, prices) - flat.unary
    room = flat.room - used(flat, choices)
    costs = flat.unary.copy()
    saved = 0.0
    for _ in range(moves):
        size = int(LEAST * (MOST / LEAST) ** noise.random())
        order = _around(flat, free[int(noise.random() * len(free))], size)
        inside = members(flat, order)
        sequence, hangs = rooted(flat, inside, order)
        factor = CHEAPEST * (DEAREST / CHEAPEST) ** noise.random()
        for one in sequence:
            for at in range(flat.starts[one], flat.starts[one + 1]):
                costs[at] = flat.unary[at] + factor * paid[at]
        before, old = choices[sequence], _within(flat, inside, sequence, choices)
        settle(flat, costs, inside, sequence, hangs, choices)
        new = _within(flat, inside, sequence, choices)
        if new < old and _fits(flat, sequence, before, choices, room):
            saved += old - new
        else:
            choices[sequence] = before
    return saved


@njit(cache=True, nogil=True)
def _around(flat: Flat, root: int, size: int) -> Array:
    """Return the variables nearest to one, at most so many."""
    found = np.empty(size, dtype=np.int64)
    reached = np.zeros(len(flat.sizes), dtype=np.bool_)
    found[0], count, done = root, 1, 0
    reached[root] = True
    while done < count < size:
        one = found[done]
        done += 1
        for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
            other = flat.ends[edge, 0] + flat.ends[edge, 1] - one
            if count < size and not reached[other]:
                reached[other] = True
                found[count] = other
                count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def _within(flat: Flat, inside: Array, sequence: Array, choices: Array) -> float:
    """Return what of an assignment's costs depends on a forest's variables."""
    total = 0.0
    for one in sequence:
        total += flat.unary[flat.starts[one] + choices[one]]
        for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
            low, high = flat.ends[edge, 0], flat.ends[edge, 1]
            cost = flat.edges[flat.edge_starts[edge] + choices[low] * flat.sizes[high] + choices[high]]
            total += cost / 2 if inside[low] and inside[high] else cost
    return total


@njit(cache=True, nogil=True)
def _fits(flat: Flat, sequence: Array, before: Array, choices: Array, room: Array) -> bool:
    """Return whether changes fit into the room that is left, which is then taken."""
    steps = np.zeros(len(room) + 1)
    for k in range(len(sequence)):
        one = sequence[k]
        if choices[one] != before[k]:
            for item in flat.held[flat.held_starts[one] : flat.held_starts[one + 1]]:
                at = flat.usage_starts[item]
                more = flat.usages[at + choices[one]] - flat.usages[at + before[k]]
                steps[flat.spans[item, 0]] += more
                steps[flat.spans[item, 1]] -= more
    more = 0.0
    for row in range(len(room)):
        more += steps[row]
        if more > room[row]:
            return False
    more = 0.0
    for row in range(len(room)):
        more += steps[row]
        room[row] -= more
    return True
