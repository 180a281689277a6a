"""The loops of `value_removal.drop_dominated`, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hypar_opt.costgraph import FORBIDDEN

Integers = NDArray[np.int64]
Edges = tuple[Integers, Integers, Integers, Integers, Integers, Integers]
Items = tuple[Integers, Integers, Integers, Integers]


@njit(cache=True)
def better_values(starts: Integers, unary: Integers, graph: Edges, memory: Items) -> Integers:
    """Return for every value where one stands that dominates it, itself if none.

    Parameters
    ----------
    starts, unary
        As in `Tables`.
    graph
        Ends, edge_sizes, edge_starts and edges of `Tables`, and both parts of its `incident`.
    memory
        The items by holder, where a holder's begin, and starts and usages of `Memory`.
    """
    instead = np.empty(len(unary), np.int64)
    for value in range(len(unary)):
        instead[value] = value
    for variable in range(len(starts) - 1):
        first, last = starts[variable], starts[variable + 1]
        if last - first == 1:
            continue
        rows = _rows(variable, graph)
        mins = _mins(last - first, rows)
        least = unary[first:last].copy()
        for a in range(last - first):
            for edge in range(len(rows)):  # a sum along an axis takes seconds to compile
                least[a] += mins[a, edge]
        for a in range(last - first):
            for b in range(last - first):
                if (
                    b != a
                    and instead[first + b] == first + b
                    and least[b] <= least[a]
                    and _uses_no_more(variable, a, b, memory)
                    and _never_costs_more(a, b, least, rows, mins)
                ):
                    instead[first + a] = first + b
                    break
    return instead


@njit(cache=True)
def _rows(variable: int, graph: Edges) -> list[Integers]:
    """Return the costs of a variable's edges, its own values by row."""
    ends, edge_sizes, edge_starts, edges, incident, incident_starts = graph
    found = []
    for edge in incident[incident_starts[variable] : incident_starts[variable + 1]]:
        costs = edges[edge_starts[edge] : edge_starts[edge + 1]].reshape(edge_sizes[edge, 0], edge_sizes[edge, 1])
        found.append(costs.copy() if ends[edge, 0] == variable else costs.T.copy())
    return found


@njit(cache=True)
def _mins(size: int, rows: list[Integers]) -> Integers:
    """Return by value and edge the least that the edge costs with it."""
    mins = np.empty((size, len(rows)), dtype=np.int64)
    for edge, costs in enumerate(rows):
        for a in range(size):
            least = costs[a, 0]
            for b in range(1, costs.shape[1]):
                least = min(least, costs[a, b])
            mins[a, edge] = least
    return mins


@njit(cache=True)
def _uses_no_more(variable: int, a: int, b: int, memory: Items) -> bool:
    items, item_starts, starts, usages = memory
    for item in items[item_starts[variable] : item_starts[variable + 1]]:
        if usages[starts[item] + b] > usages[starts[item] + a]:
            return False
    return True


@njit(cache=True)
def _never_costs_more(a: int, b: int, least: Integers, rows: list[Integers], mins: Integers) -> bool:
    """Return whether b costs no more than a whatever the neighbours are.

    The largest difference of an edge is no less than that of the least costs: the sum starts from the sum of those, and
    only grows. So the first difference that is too large settles it: most pairs take a look or two.
    """
    total = least[b] - least[a]
    for edge, costs in enumerate(rows):
        apart = mins[b, edge] - mins[a, edge]
        worst = apart
        for y in range(costs.shape[1]):
            if costs[a, y] < FORBIDDEN:
                if costs[b, y] >= FORBIDDEN:
                    return False
                worst = max(worst, costs[b, y] - costs[a, y])
                if worst - apart > -total:
                    return False
        total += worst - apart
    return True
