"""The loop of the polish: small trees settled exactly, kept where they cost less and everything still fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from formulations.lagrangian.pricing import priced, used
from formulations.neighbourhood_search.trees import change, fullest, settle, step, take

if TYPE_CHECKING:
    from formulations.neighbourhood_search.layout import TableLayout
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def find(above: Array, one: int) -> int:
    """Return the root of a variable's component; paths are halved on the way."""
    while above[one] != one:
        above[one] = above[above[one]]
        one = above[one]
    return one


@njit(cache=True, nogil=True)
def members(layout: TableLayout, order: Array) -> Array:
    """Return whether each variable is in the forest to which they are added in an order, where they close no cycle."""
    count = len(layout.starts) - 1
    above = np.arange(count)
    seen = np.full(count, -1)
    inside = np.zeros(count, dtype=np.bool_)
    for one in order:
        own = layout.others[layout.arcs[one] : layout.arcs[one + 1]]
        free = True
        for other in own:
            if inside[other]:
                root = find(above, other)
                if seen[root] == one:
                    free = False
                    break
                seen[root] = one
        if free:
            inside[one] = True
            for other in own:
                if inside[other]:
                    above[find(above, other)] = one
    return inside


@njit(cache=True, nogil=True)
def rooted(layout: TableLayout, inside: Array, order: Array) -> tuple[Array, Array, Array]:
    """Return a forest as `formulations.neighbourhood_search.trees.settle` takes it.

    Returns
    -------
    sequence, hangs, place
        Its variables, every one after the one above it; by which arc it hangs there (-1: a root); and where in the
        sequence each variable of the graph is (-1: it is not).
    """
    sequence = np.empty(len(order), dtype=np.int64)
    hangs = np.full(len(order), -1)
    place = np.full(len(layout.starts) - 1, -1)
    done = found = 0
    for root in order:
        if not inside[root] or place[root] >= 0:
            continue
        sequence[found], place[root] = root, found
        found += 1
        while done < found:
            one = sequence[done]
            for arc in range(layout.arcs[one], layout.arcs[one + 1]):
                other = layout.others[arc]
                if not inside[other]:
                    continue
                if place[other] >= 0:
                    hangs[done] = arc  # there is no cycle: of what comes before, only the one above is beside it
                else:
                    sequence[found], place[other] = other, found
                    found += 1
            done += 1
    return sequence[:found], hangs[:found], place


LEAST, MOST = 30, 1000
"""Variables around which a tree is grown; evenly in the logarithm."""
CHEAPEST, DEAREST = 0.25, 4.0
"""By what the prices are multiplied, likewise: whether a move fits is only known afterwards."""


@njit(cache=True, nogil=True)
def polish(
    layout: TableLayout, choices: Array, prices: Array, free: Array, moves: int, noise: np.random.Generator
) -> float:
    """Try moves of an assignment that fits; return what they saved.

    Parameters
    ----------
    choices
        Changed in place.
    free
        The variables that have a choice.
    """
    paid = priced(layout, prices) - layout.unary
    taken = used(layout, choices)
    costs, steps = layout.unary.copy(), np.zeros(len(layout.room) + 1, np.int64)
    saved = 0.0
    for _ in range(moves):
        size = int(LEAST * (MOST / LEAST) ** noise.random())
        order = around(layout, free[int(noise.random() * len(free))], size, noise)
        sequence, hangs, place = rooted(layout, members(layout, order), order)
        factor = CHEAPEST * (DEAREST / CHEAPEST) ** noise.random()
        for one in sequence:
            for at in range(layout.starts[one], layout.starts[one + 1]):
                costs[at] = layout.unary[at] + factor * paid[at]
        found = np.empty_like(sequence)
        settle(layout, costs, sequence, hangs, place, choices, costs, found)
        more = change(layout, layout.unary, sequence, place, choices, found)
        if more < 0.0:
            first, last = step(layout, sequence, choices, found, steps)
            if fullest(layout, taken, steps, first, last)[0] < 0:
                take(sequence, choices, found, taken, steps, first, last)
                saved -= more
            steps[first : last + 1] = 0
    return saved


@njit(cache=True, nogil=True)
def around(layout: TableLayout, root: int, size: int, noise: np.random.Generator) -> Array:
    """Return the variables nearest to one, at most so many; which of those that are equally near is random."""
    found = np.empty(size, dtype=np.int64)
    reached = np.zeros(len(layout.starts) - 1, dtype=np.bool_)
    found[0], count, done = root, 1, 0
    reached[root] = True
    while done < count < size:
        one = found[done]
        done += 1
        for other in noise.permutation(layout.others[layout.arcs[one] : layout.arcs[one + 1]]):
            if count < size and not reached[other]:
                reached[other] = True
                found[count] = other
                count += 1
    return found[:count]


@njit(cache=True, nogil=True)
def sweep(
    layout: TableLayout, choices: Array, prices: Array, temperature: float, order: Array, noise: np.random.Generator
) -> int:
    """Give the variables of one random forest the values that are best together under prices and noise.

    Parameters
    ----------
    choices
        Changed in place.
    temperature
        The mean of the exponential noise that every value costs besides.
    order
        The variables that have a choice; shuffled in place.

    Returns
    -------
    changed
        How many values changed.
    """
    for k in range(len(order) - 1, 0, -1):
        other = int(noise.random() * (k + 1))
        order[k], order[other] = order[other], order[k]
    sequence, hangs, place = rooted(layout, members(layout, order), order)
    costs = priced(layout, prices)
    if temperature > 0.0:
        for one in sequence:
            for at in range(layout.starts[one], layout.starts[one + 1]):
                costs[at] += temperature * noise.standard_exponential()
    found = np.empty_like(sequence)
    settle(layout, costs, sequence, hangs, place, choices, costs, found)
    changed = int(np.sum(choices[sequence] != found))
    choices[sequence] = found
    return changed
