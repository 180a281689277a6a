"""The loops over memory: what values pay at given prices, and what an assignment uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.neighbourhood_search.layout import TableLayout
    from hypar_opt.costgraph import Array

FORGETTING: Final = 0.1
"""The weight of the newest use in the average."""
FLOOR: Final = 1e-9
"""No price is further below the highest: one that has all but vanished would not come back in time."""


def first_prices(bound: float, room: Array) -> Array:
    """Return prices to begin with: all rows together, when full, pay the bound."""
    prices: Array = max(bound, 1.0) / (np.maximum(room, 1.0) * max(len(room), 1))
    return prices


@njit(cache=True, nogil=True)
def priced(layout: TableLayout, prices: Array) -> Array:
    """Return what every value costs, with what it pays for memory: usage x the sum of its rows' prices."""
    sums = np.zeros(len(prices) + 1)
    for row in range(len(prices)):
        sums[row + 1] = sums[row] + prices[row]
    costs = layout.unary.copy()
    for one in range(len(layout.starts) - 1):
        start, end = layout.starts[one], layout.starts[one + 1]
        for item in range(layout.items[one], layout.items[one + 1]):
            each = sums[layout.last[item]] - sums[layout.first[item]]
            if each > 0.0:
                at = layout.usage_starts[item]
                for a in range(end - start):
                    costs[start + a] += each * layout.usages[at + a]
    return costs


@njit(cache=True, nogil=True)
def used(layout: TableLayout, choices: Array) -> Array:
    """Return what an assignment uses, by row."""
    steps = np.zeros(len(layout.room) + 1, np.int64)
    for one in range(len(choices)):
        for item in range(layout.items[one], layout.items[one + 1]):
            use = layout.usages[layout.usage_starts[item] + choices[one]]
            steps[layout.first[item]] += use
            steps[layout.last[item]] -= use
    return np.cumsum(steps)[:-1]


@njit(cache=True, nogil=True)
def value(layout: TableLayout, choices: Array) -> float:
    """Return what an assignment costs, nearly."""
    total = 0.0
    for one in range(len(choices)):
        total += layout.unary[layout.starts[one] + choices[one]]
    for one in range(len(choices)):
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[arc]
            if one < other:
                width = layout.starts[other + 1] - layout.starts[other]
                total += layout.pairs[layout.mine[arc] + choices[one] * width + choices[other]]
    return total


@njit(cache=True, nogil=True)
def excess(layout: TableLayout, costs: Array, messages: Array, begins: Array, choices: Array) -> Array:
    """Return by variable what an assignment pays above the bound of messages; of an edge, half goes to either end.

    With what its rows' room is worth and it leaves unused, they sum up to all that it costs above the bound.

    Parameters
    ----------
    costs
        What every value costs, its memory included.
    messages, begins
        As in `formulations.lagrangian.passing.passed`.
    """
    found = np.zeros(len(choices))
    for one in range(len(choices)):
        size = layout.starts[one + 1] - layout.starts[one]
        total = costs[layout.starts[one] : layout.starts[one + 1]].copy()
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other, (my_begin, their_begin) = layout.others[arc], begins[arc]
            mine = messages[my_begin : my_begin + size]
            total += mine
            if one < other:
                width = layout.starts[other + 1] - layout.starts[other]
                least, at = np.inf, layout.mine[arc]
                for a in range(size):
                    for b in range(width):
                        least = min(least, layout.pairs[at + a * width + b] - mine[a] - messages[their_begin + b])
                a, b = choices[one], choices[other]
                own = layout.pairs[at + a * width + b] - mine[a] - messages[their_begin + b]
                found[one] += (own - least) / 2
                found[other] += (own - least) / 2
        found[one] += total[choices[one]] - total.min()
    return found


@njit(cache=True, nogil=True)
def move(prices: Array, average: Array, use: Array, room: Array, steps: Array) -> None:
    """Move the prices by what the rows use on average: p_r <- p_r exp(step_r (use_r / room_r - 1)).

    Without the average the prices follow the noise of a single assignment, and settle nowhere.

    Parameters
    ----------
    prices, average
        Changed in place.
    """
    most = 0.0
    for row in range(len(prices)):
        average[row] += FORGETTING * (use[row] - average[row])
        prices[row] *= np.exp(steps[row] * min(average[row] / max(room[row], 1.0) - 1.0, 1.0))
        most = max(most, prices[row])
    for row in range(len(prices)):
        prices[row] = max(prices[row], FLOOR * most)
