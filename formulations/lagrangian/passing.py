"""The loops of the dual: sequential reweighted message passing, forwards and backwards.

At its turn a variable i collects its own costs and what its edges give, theta_i, and hands to each of the n edges ahead
of it gamma_i theta_i, gamma_i = 1 / max(edges ahead, edges behind); an edge (i, j) then gives to j the least that it
costs, by j's value. What is left of the variables' costs sums up to a lower bound, and no pass lowers it
(Kolmogorov, Convergent Tree-Reweighted Message Passing for Energy Minimization, 2006; A New Look at Reweighted Message
Passing, 2015).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.lagrangian.flat import Flat
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def passed(
    flat: Flat, costs: Array, first: Array, second: Array, begins: Array, order: Array, rank: Array, choices: Array
) -> float:
    """Pass messages along an order of the variables.

    Parameters
    ----------
    costs
        What every value costs, its memory included.
    first, second, begins
        What edges give to their first and second variables, and where an edge's begin in either; shape (edges + 1, 2).
        Changed in place.
    order, rank
        The variables in turn, and the turn of each.
    choices
        Set to an assignment: every variable's best value, given those before it and what the edges ahead give.

    Returns
    -------
    bound
        Of every assignment's cost.
    """
    bound = 0.0
    total = np.empty(flat.sizes.max())
    guided = np.empty(flat.sizes.max())
    for one in order:
        size = flat.sizes[one]
        ahead = _collect(flat, costs, first, second, begins, rank, choices, one, total, guided)
        choices[one] = np.argmin(guided[:size])
        behind = flat.incident_starts[one + 1] - flat.incident_starts[one] - ahead
        share = 1.0 / max(ahead, behind, 1)
        bound += (1.0 - ahead * share) * total[:size].min()
        for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
            low, high = flat.ends[edge, 0], flat.ends[edge, 1]
            if rank[low + high - one] > rank[one]:
                _give(flat, first, second, begins, edge, one == low, share, total)
    return bound


@njit(cache=True, nogil=True)
def _collect(
    flat: Flat,
    costs: Array,
    first: Array,
    second: Array,
    begins: Array,
    rank: Array,
    choices: Array,
    one: int,
    total: Array,
    guided: Array,
) -> int:
    """Sum up what a variable's values cost, by messages and by the choices behind it; return its edges ahead."""
    size, ahead = flat.sizes[one], 0
    for a in range(size):
        total[a] = guided[a] = costs[flat.starts[one] + a]
    for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
        low, high = flat.ends[edge, 0], flat.ends[edge, 1]
        given = (
            first[begins[edge, 0] : begins[edge + 1, 0]]
            if low == one
            else second[begins[edge, 1] : begins[edge + 1, 1]]
        )
        for a in range(size):
            total[a] += given[a]
        at, step = flat.edge_starts[edge], 1
        if low == one:
            at, step = at + choices[high], flat.sizes[high]
        else:
            at += choices[low] * size
        if rank[low + high - one] > rank[one]:
            ahead += 1
            for a in range(size):
                guided[a] += given[a]
        else:
            for a in range(size):
                guided[a] += flat.edges[at + a * step]
    return ahead


@njit(cache=True, nogil=True)
def _give(
    flat: Flat, first: Array, second: Array, begins: Array, edge: int, forwards: bool, share: float, total: Array
) -> None:
    """Move a share of a variable's costs onto an edge, and the least of what the edge then costs to its other end."""
    rows, columns = flat.sizes[flat.ends[edge, 0]], flat.sizes[flat.ends[edge, 1]]
    own, other, at = begins[edge, 0], begins[edge, 1], flat.edge_starts[edge]
    if forwards:
        for a in range(rows):
            first[own + a] -= share * total[a]
        for b in range(columns):
            least = np.inf
            for a in range(rows):
                least = min(least, flat.edges[at + a * columns + b] - first[own + a])
            second[other + b] = least
    else:
        for b in range(columns):
            second[other + b] -= share * total[b]
        for a in range(rows):
            least = np.inf
            for b in range(columns):
                least = min(least, flat.edges[at + a * columns + b] - second[other + b])
            first[own + a] = least
