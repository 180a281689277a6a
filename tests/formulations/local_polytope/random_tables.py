"""Random tables, as a graph has them, and every assignment of them."""

from __future__ import annotations

from itertools import product

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Memory, Tables, offsets


def random_tables(seed, variables=5, most=3, forbidden=0.15, room=None):
    """Return tables with a few edges, forbidden entries and three rows of memory."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, most + 1, variables)
    pairs = [(i, j) for i in range(variables) for j in range(i + 1, variables) if rng.random() < 0.5]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    unary = rng.integers(0, 30, int(sizes.sum()))
    edges = rng.integers(0, 30, int((sizes[ends[:, 0]] * sizes[ends[:, 1]]).sum()))
    for costs in (unary, edges):
        costs[rng.random(len(costs)) < forbidden] = FORBIDDEN
    firsts = rng.integers(0, 3, variables)
    spans = np.stack([firsts, firsts + 1 + rng.integers(0, 3 - firsts)], axis=1)
    limit = int(rng.integers(6, 4 * variables)) if room is None else room
    memory = Memory(
        np.arange(variables),
        spans,
        offsets(sizes),
        rng.integers(0, 8, int(sizes.sum())),
        np.full(3, limit),
        np.arange(3),
    )
    return Tables(sizes, unary, ends, edges, memory)


def assignments(tables):
    """Return every assignment; shape (assignments, variables)."""
    return np.array(list(product(*(range(size) for size in tables.sizes.tolist()))), dtype=np.int64)


def least(tables):
    """Return the least cost of a feasible assignment, or None."""
    values = [tables.value(one) for one in assignments(tables) if tables.feasible(one)]
    return min(values, default=None)


def random_duals(tables, seed, size=20):
    """Return messages and prices that are not good ones."""
    from hypar_opt.costgraph import Duals

    rng = np.random.default_rng(seed)
    zero = Duals.zero(tables)
    first, second = (rng.integers(-size, size, len(one)) for one in (zero.first, zero.second))
    return Duals(1, first, second, rng.integers(0, 3, len(zero.prices)))
