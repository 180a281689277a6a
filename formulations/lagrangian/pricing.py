"""The loops over memory: what values pay at given prices, and what an assignment uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.lagrangian.flat import Flat
    from hypar_opt.costgraph import Array

FORGETTING: Final = 0.1
"""The weight of the newest use in the average."""
FLOOR: Final = 1e-9
"""No price is further below the highest: one that has all but vanished would not come back in time."""


@njit(cache=True, nogil=True)
def priced(flat: Flat, prices: Array) -> Array:
    """Return what every value costs, with what it pays for memory: usage x the sum of its rows' prices."""
    sums = np.zeros(len(prices) + 1)
    for row in range(len(prices)):
        sums[row + 1] = sums[row] + prices[row]
    costs = flat.unary.copy()
    for item in range(len(flat.holders)):
        each = sums[flat.spans[item, 1]] - sums[flat.spans[item, 0]]
        if each > 0.0:
            start, at = flat.starts[flat.holders[item]], flat.usage_starts[item]
            for a in range(flat.usage_starts[item + 1] - at):
                costs[start + a] += each * flat.usages[at + a]
    return costs


@njit(cache=True, nogil=True)
def used(flat: Flat, choices: Array) -> Array:
    """Return what an assignment uses, by row."""
    steps = np.zeros(len(flat.room) + 1)
    for item in range(len(flat.holders)):
        use = flat.usages[flat.usage_starts[item] + choices[flat.holders[item]]]
        steps[flat.spans[item, 0]] += use
        steps[flat.spans[item, 1]] -= use
    return np.cumsum(steps)[:-1]


@njit(cache=True, nogil=True)
def value(flat: Flat, choices: Array) -> float:
    """Return what an assignment costs, nearly."""
    total = 0.0
    for one in range(len(flat.sizes)):
        total += flat.unary[flat.starts[one] + choices[one]]
    for edge in range(len(flat.ends)):
        low, high = flat.ends[edge, 0], flat.ends[edge, 1]
        total += flat.edges[flat.edge_starts[edge] + choices[low] * flat.sizes[high] + choices[high]]
    return total


@njit(cache=True, nogil=True)
def move(prices: Array, average: Array, use: Array, room: Array, step: float) -> None:
    """Move the prices by what the rows use on average: p_r <- p_r exp(step (use_r / room_r - 1)).

    Without the average the prices follow the noise of a single assignment, and settle nowhere.

    Parameters
    ----------
    prices, average
        Changed in place.
    """
    most = 0.0
    for row in range(len(prices)):
        average[row] += FORGETTING * (use[row] - average[row])
        prices[row] *= np.exp(step * min(average[row] / max(room[row], 1.0) - 1.0, 1.0))
        most = max(most, prices[row])
    for row in range(len(prices)):
        prices[row] = max(prices[row], FLOOR * most)
