"""The loop over windows: each a tree, its best values under prices of its own until they fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numba import njit

from formulations.neighbourhood_search.trees import change, charge, fullest, grow, settle, step, take

if TYPE_CHECKING:
    from formulations.neighbourhood_search.layout import TableLayout
    from hypar_opt.costgraph import Array

SMALLEST: Final = 30
LARGEST: Final = 5000
"""Windows have so many variables, small and large ones equally often; large ones trade memory between far parts."""
TRIES: Final = 8
"""How often the prices of a window are changed."""
COLDEST: Final = 1e-5
HOTTEST: Final = 1e-1
"""The noise of a value, as a share of the slack."""


@njit(cache=True, nogil=True)
def descend(
    layout: TableLayout, choices: Array, used: Array, windows: int, slack: float, noise: np.random.Generator
) -> float:
    """Make an assignment that fits better, window by window; with slack, another one instead.

    Parameters
    ----------
    choices, used
        The assignment, and what it uses by row; changed in place.
    windows
        How many are tried.
    slack
        By how much the cost may rise in all. If above 0, half of the windows are searched under noise.

    Returns
    -------
    change
        Of the cost; not above the slack.
    """
    count = len(layout.starts) - 1
    members, hangs, found = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.int64)
    place = np.full(count, -1)
    costs, total = layout.unary.copy(), np.empty(len(layout.unary))
    steps = np.zeros(len(layout.room) + 1, np.int64)
    changed = 0.0
    for _ in range(windows):
        most = int(SMALLEST * (LARGEST / SMALLEST) ** noise.random())
        size = grow(layout, int(noise.random() * count), most, noise.random() < 0.5, noise, members, hangs, place)
        own = members[:size]
        if slack > 0.0 and noise.random() < 0.5:
            _shake(layout, costs, own, slack * COLDEST * (HOTTEST / COLDEST) ** noise.random(), noise)
        left = slack - changed if slack > 0.0 else 0.0
        changed += _search(layout, costs, own, hangs[:size], place, choices, used, total, found[:size], steps, left)
        for one in own:
            place[one] = -1
            for at in range(layout.starts[one], layout.starts[one + 1]):
                costs[at] = layout.unary[at]
    return changed


@njit(cache=True, nogil=True)
def _shake(layout: TableLayout, costs: Array, members: Array, mean: float, noise: np.random.Generator) -> None:
    """Add exponential noise to what the values of a window's variables cost."""
    for one in members:
        for at in range(layout.starts[one], layout.starts[one + 1]):
            costs[at] += mean * noise.standard_exponential()


@njit(cache=True, nogil=True)
def _search(
    layout: TableLayout,
    costs: Array,
    members: Array,
    hangs: Array,
    place: Array,
    choices: Array,
    used: Array,
    total: Array,
    found: Array,
    steps: Array,
    left: float,
) -> float:
    """Take a window's best values that fit, if the true cost rises by no more than what is left; return its change.

    Where the best values use too much of a row, that row's price rises until they only tie with the old ones: if they
    save g and use u more, by g / u. The best at that price are the next vertex of the lower convex hull of cost over
    usage (Handler and Zang, A Dual Algorithm for the Constrained Shortest Path Problem, 1980); here for one row after
    the other. Where the best fit but cost too much, half of what was added last is taken off again.
    """
    charged, price = -1, 0.0
    for _ in range(TRIES):
        settle(layout, costs, members, hangs, place, choices, total, found)
        gain = -change(layout, costs, members, place, choices, found)
        if not gain >= 0.0:
            return 0.0
        first, last = step(layout, members, choices, found, steps)
        row, more = fullest(layout, used, steps, first, last)
        true = change(layout, layout.unary, members, place, choices, found) if row < 0 else 0.0
        accepted = row < 0 and true <= left
        if accepted:
            take(members, choices, found, used, steps, first, last)
        for at in range(first, last + 1):
            steps[at] = 0
        if accepted:
            return true
        if row >= 0:
            charged, price = row, gain / more
        elif charged >= 0:
            price = -abs(price) / 2
        else:
            return 0.0
        charge(layout, costs, members, charged, price)
    return 0.0
