"""The loop over windows: each a tree, its best values under prices of its own until they fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numba import njit

from formulations.windows.room import charge, fullest, step, take
from formulations.windows.trees import change, grow, settle

if TYPE_CHECKING:
    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Array

TRIES: Final = 8
"""How often the prices of a window are raised."""
SMALLEST: Final = 10
LARGEST: Final = 300


@njit(cache=True, nogil=True)
def descend(layout: Layout, choices: Array, used: Array, windows: int, noise: np.random.Generator) -> float:
    """Make an assignment that fits better, window by window.

    Parameters
    ----------
    choices, used
        The assignment, and what it uses by row; changed in place.
    windows
        How many are tried.

    Returns
    -------
    change
        Of its cost; not above 0.
    """
    count = len(layout.starts) - 1
    members, hangs, found = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    place = np.full(count, -1)
    costs, total = layout.unary.copy(), np.empty(len(layout.unary))
    steps = np.zeros(len(layout.room) + 1, np.int64)
    gained = 0.0
    for _ in range(windows):
        most = int(SMALLEST * (LARGEST / SMALLEST) ** noise.random())
        size = grow(layout, int(noise.random() * count), most, noise, members, hangs, place)
        own = members[:size]
        gained += _improve(layout, costs, own, hangs[:size], place, choices, used, total, found[:size], steps)
        for one in own:
            place[one] = -1
            start, end = layout.starts[one], layout.starts[one + 1]
            costs[start:end] = layout.unary[start:end]
    return gained


@njit(cache=True, nogil=True)
def _improve(
    layout: Layout,
    costs: Array,
    members: Array,
    hangs: Array,
    place: Array,
    choices: Array,
    used: Array,
    total: Array,
    found: Array,
    steps: Array,
) -> float:
    """Try one window: where its best values use too much of a row, that row's price rises until they only tie.

    The least price p at which values that save g and use u more are no better than the old ones is g / u; the best at
    that price are the next vertex of the lower convex hull of cost over usage (Handler and Zang, A Dual Algorithm for
    the Constrained Shortest Path Problem, 1980), here for one row after the other.
    """
    raised, price = -1, 0.0
    for _ in range(TRIES):
        settle(layout, costs, members, hangs, place, choices, total, found)
        gain = -change(layout, costs, members, place, choices, found)
        if not gain > 0.0:
            return 0.0
        first, last = step(layout, members, choices, found, steps)
        row, more = fullest(layout, used, steps, first, last)
        true = change(layout, layout.unary, members, place, choices, found) if row < 0 else 0.0
        if true < 0.0:
            take(members, choices, found, used, steps, first, last)
        steps[first : last + 1] = 0
        if true < 0.0:
            return true
        if row >= 0:
            raised, price = row, gain / more
        elif raised >= 0:
            price = -abs(price) / 2
        else:
            return 0.0
        charge(layout, costs, members, raised, price)
    return 0.0
