"""The loops over forests: which variables to free, and their best values while all others stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from formulations.lagrangian.flat import Flat
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def find(above: Array, one: int) -> int:
    """Return the root of a variable's component; paths are halved on the way."""
    while above[one] != one:
        above[one] = above[above[one]]
        one = above[one]
    return one


@njit(cache=True, nogil=True)
def members(flat: Flat, order: Array) -> Array:
    """Return whether each variable is in the forest to which they are added in an order, where they close no cycle."""
    count = len(flat.sizes)
    above = np.arange(count)
    seen = np.full(count, -1)
    inside = np.zeros(count, dtype=np.bool_)
    for one in order:
        own = flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]
        free = True
        for edge in own:
            other = flat.ends[edge, 0] + flat.ends[edge, 1] - one
            if inside[other]:
                root = find(above, other)
                if seen[root] == one:
                    free = False
                    break
                seen[root] = one
        if free:
            inside[one] = True
            for edge in own:
                other = flat.ends[edge, 0] + flat.ends[edge, 1] - one
                if inside[other]:
                    above[find(above, other)] = one
    return inside


@njit(cache=True, nogil=True)
def rooted(flat: Flat, inside: Array, order: Array) -> tuple[Array, Array]:
    """Return a forest's variables, every one after the one above it, and by which edge it hangs there (-1: a root)."""
    sequence = np.empty(len(order), dtype=np.int64)
    hangs = np.empty(len(order), dtype=np.int64)
    reached = np.zeros(len(flat.sizes), dtype=np.bool_)
    done = found = 0
    for root in order:
        if not inside[root] or reached[root]:
            continue
        reached[root] = True
        sequence[found], hangs[found] = root, -1
        found += 1
        while done < found:
            one = sequence[done]
            done += 1
            for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
                other = flat.ends[edge, 0] + flat.ends[edge, 1] - one
                if inside[other] and not reached[other]:
                    reached[other] = True
                    sequence[found], hangs[found] = other, edge
                    found += 1
    return sequence[:found], hangs[:found]


@njit(cache=True, nogil=True)
def settle(flat: Flat, costs: Array, inside: Array, sequence: Array, hangs: Array, choices: Array) -> None:
    """Give a forest's variables the values that are best together while all others keep theirs.

    From the leaves up: c_p(b) += min over a of [ c_v(a) + cost_vp(a, b) ]; then down again, by the value above.

    Parameters
    ----------
    costs
        What every value costs; of the forest's values overwritten with what is below them too.
    choices
        Changed in place.
    """
    for one in sequence:
        _add_fixed(flat, costs, inside, one, choices)
    for k in range(len(sequence) - 1, -1, -1):
        if hangs[k] >= 0:
            _pass_up(flat, costs, sequence[k], hangs[k])
    for k in range(len(sequence)):
        _choose(flat, costs, sequence[k], hangs[k], choices)


@njit(cache=True, nogil=True)
def _add_fixed(flat: Flat, costs: Array, inside: Array, one: int, choices: Array) -> None:
    """Add what the values of the neighbours outside the forest make a variable's values cost."""
    start, size = flat.starts[one], flat.sizes[one]
    for edge in flat.incident[flat.incident_starts[one] : flat.incident_starts[one + 1]]:
        low, high = flat.ends[edge, 0], flat.ends[edge, 1]
        at = flat.edge_starts[edge]
        if low == one:
            if not inside[high]:
                width = flat.sizes[high]
                at += choices[high]
                for a in range(size):
                    costs[start + a] += flat.edges[at + a * width]
        elif not inside[low]:
            at += choices[low] * size
            for a in range(size):
                costs[start + a] += flat.edges[at + a]


@njit(cache=True, nogil=True)
def _pass_up(flat: Flat, costs: Array, one: int, edge: int) -> None:
    """Add to what the values above cost what the best value below costs with them."""
    low, high = flat.ends[edge, 0], flat.ends[edge, 1]
    rows, columns = flat.sizes[low], flat.sizes[high]
    at, first, second = flat.edge_starts[edge], flat.starts[low], flat.starts[high]
    if high == one:
        for a in range(rows):
            least = np.inf
            for b in range(columns):
                least = min(least, costs[second + b] + flat.edges[at + a * columns + b])
            costs[first + a] += least
    else:
        for b in range(columns):
            least = np.inf
            for a in range(rows):
                least = min(least, costs[first + a] + flat.edges[at + a * columns + b])
            costs[second + b] += least


@njit(cache=True, nogil=True)
def _choose(flat: Flat, costs: Array, one: int, edge: int, choices: Array) -> None:
    """Take the best of a variable's values, given the one above it."""
    start, size = flat.starts[one], flat.sizes[one]
    at, step = 0, 0
    if edge >= 0:
        low, high = flat.ends[edge, 0], flat.ends[edge, 1]
        at = flat.edge_starts[edge]
        if low == one:
            at, step = at + choices[high], flat.sizes[high]
        else:
            at, step = at + choices[low] * size, 1
    least = np.inf
    for a in range(size):
        cost = costs[start + a]
        if edge >= 0:
            cost += flat.edges[at + a * step]
        if cost < least:
            least = cost
            choices[one] = a
