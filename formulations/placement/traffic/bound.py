"""The bound of Gilmore and Lawler on quadratic assignments, in exact integers.

A device that stands on a site pays at least the scalar product of its flows, the largest first, with the site's costs
to others, the least first. The least sum of these over all assignments counts every pair twice (Gilmore, SIAM Journal
on Applied Mathematics 10, 1962; Lawler, Management Science 9, 1963).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement.traffic import TrafficGraph

EXACT = 2**50
"""A linear assignment of integers whose sum is below it is exact in floating point."""


def gilmore_lawler(graph: TrafficGraph) -> int:
    """Return what no placement falls below, in the graph's unit."""
    from scipy.optimize import linear_sum_assignment

    if graph.leaves < 2:
        return graph.base
    flows = -np.sort(-_others(graph.flows.astype(object)), axis=1)
    costs = np.sort(_others(graph.costs.astype(object)), axis=1)[:, : graph.leaves - 1]
    least = flows @ costs.T
    unit = max(1, -(-int(least.max()) * graph.leaves // EXACT))
    small = (least // unit).astype(np.float64)
    if graph.allowed is not None:
        small[~graph.allowed] = np.inf
    rows, columns = linear_sum_assignment(small)
    twice = unit * int(small[rows, columns].astype(object).sum())
    return graph.base - (-twice // 2)


def _others(table: Array) -> Array:
    """Return a square table without its diagonal; shape (n, n - 1)."""
    count = len(table)
    found: Array = table[~np.eye(count, dtype=bool)].reshape(count, count - 1)
    return found
