"""The loops of the prices' step: what shares use, and the step that is best while the messages stay as they are.

By prices the smoothed dual has the gradient g = use - room, where an item uses what its holder's shares use on average,
and its curvature is at most about H = A' diag(variance / mu) A: A sums an item's rows, and the variance is that of
what its holder's shares use. The step maximises g x - x (H + D) x / 2 with prices + x >= 0: by conjugate gradients, and
a row whose price would be below 0 is held at 0 before they are begun anew.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from formulations.neighbourhood_search.layout import TableLayout
from hypar_opt.costgraph import Array

PRODUCTS, NEAR = 40, 1e-2
"""Of conjugate gradients: as many, or until what is left of the gradient is so small, relative."""
FAINT = 1e-9
"""Of the highest curvature, what every row's is at least: less is noise of sums."""
TRIES = 3
"""Times they are begun, with ever more rows held at 0."""


@njit(cache=True, nogil=True)
def moments(layout: TableLayout, shares: Array) -> tuple[Array, Array]:
    """Return what the rows use on average, and by item the variance of what it uses."""
    variances = np.zeros(len(layout.first))
    steps = np.zeros(len(layout.room) + 1)
    for one in range(len(layout.starts) - 1):
        start, size = layout.starts[one], layout.starts[one + 1] - layout.starts[one]
        for item in range(layout.items[one], layout.items[one + 1]):
            usages = layout.usages[layout.usage_starts[item] : layout.usage_starts[item] + size]
            mean = 0.0
            for a in range(size):
                mean += shares[start + a] * usages[a]
            for a in range(size):
                variances[item] += shares[start + a] * (usages[a] - mean) ** 2
            steps[layout.first[item]] += mean
            steps[layout.last[item]] -= mean
    return np.cumsum(steps)[:-1], variances


@njit(cache=True, nogil=True)
def spread(layout: TableLayout, weights: Array, rows: Array) -> Array:
    """Return A' diag(weights) A rows: by row, the sum over its items of weight x the sum of their rows."""
    sums = np.zeros(len(rows) + 1)
    for row in range(len(rows)):
        sums[row + 1] = sums[row] + rows[row]
    steps = np.zeros(len(rows) + 1)
    for item in range(len(weights)):
        each = weights[item] * (sums[layout.last[item]] - sums[layout.first[item]])
        steps[layout.first[item]] += each
        steps[layout.last[item]] -= each
    return np.cumsum(steps)[:-1]


@njit(cache=True, nogil=True)
def step(layout: TableLayout, prices: Array, gradient: Array, weights: Array, damping: float, reach: Array) -> Array:
    """Return by how much to move the prices.

    Parameters
    ----------
    gradient
        By row, use less room.
    weights
        By item, variance / mu.
    damping
        Of D, in parts of H's diagonal.
    reach
        By row, above 0: nearly the furthest that a price moves where H says nothing.
    """
    diagonal = np.zeros(len(prices) + 1)
    for item in range(len(weights)):
        diagonal[layout.first[item]] += weights[item]
        diagonal[layout.last[item]] -= weights[item]
    diagonal = np.maximum(np.cumsum(diagonal)[:-1], 0.0)
    faint = FAINT * (diagonal.max() if len(diagonal) else 0.0) + 1e-300  # not of what reach damps, which differs by row
    damped = damping * diagonal + np.abs(gradient) / reach + faint
    found = np.zeros(len(prices))
    free = (prices > 0.0) | (gradient > 0.0)
    for _ in range(TRIES):
        _conjugate(layout, gradient, weights, diagonal, damped, free, found)
        below = free & (prices + found < 0.0)
        if not below.any():
            break
        found = np.maximum(found, -prices)
        free &= ~below
    return np.maximum(found, -prices)


@njit(cache=True, nogil=True)
def _conjugate(
    layout: TableLayout, gradient: Array, weights: Array, diagonal: Array, damped: Array, free: Array, found: Array
) -> None:
    """Make a step better in its free rows by conjugate gradients, preconditioned by the diagonal."""
    left = np.where(free, gradient - spread(layout, weights, found) - damped * found, 0.0)
    scaled = left / (diagonal + damped)
    along, square = scaled.copy(), (left * scaled).sum()
    enough = square * NEAR**2
    for _ in range(PRODUCTS):
        if square <= enough:
            break
        curved = np.where(free, spread(layout, weights, along) + damped * along, 0.0)
        far = square / (along * curved).sum()
        found += far * along
        left -= far * curved
        scaled = left / (diagonal + damped)
        before, square = square, (left * scaled).sum()
        along = scaled + (square / before) * along
