"""A plan at once: every variable's value that takes the least memory, mended where that is not allowed or does not fit.

It needs arrays only: no compiled loops, which a new machine would have to wait for, and no time to speak of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.tables import FORBIDDEN
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.tables import Tables
    from hypar_opt.costgraph.unary import Array

CHANGES, MOST = 20, 2000
"""Of single values, a variable and in all, after which a plan that is still none is given up."""


def first_plan(tables: Tables, over: Callable[[], bool] = never) -> Array | None:
    """Return an assignment that is allowed and fits, or None where none is found at once; always the same.

    Parameters
    ----------
    over
        Asked before every change: whether there is no time for more.
    """
    if not tables.count:
        return np.zeros(0, dtype=np.int64) if tables.feasible(()) else None
    taken = _taken(tables)
    choices, noise = _least(tables, taken), np.random.default_rng(0)
    for _ in range(min(CHANGES * tables.count, MOST)):
        wrong = _wrong(tables, choices)
        if not len(wrong):
            return choices
        if over():
            return None
        one = int(noise.choice(wrong))
        own = taken[tables.starts[one] : tables.starts[one + 1]]
        clashes = _clashes(tables, one, choices)
        clashes[choices[one]] += 1  # else it might stay as it is
        choices[one] = np.lexsort((own * noise.random(len(own)), clashes))[0]
    return None


def least_users(tables: Tables) -> Array:
    """Return by variable its allowed value that takes the least memory over all rows, of several the cheapest."""
    return _least(tables, _taken(tables))


def _taken(tables: Tables) -> Array:
    """Return by value what it takes of the memory, summed over all rows; in floating point, as it only ranks."""
    memory = tables.memory
    many = np.diff(memory.starts)
    places = ranges(tables.starts[memory.holders], many)
    lasting = np.repeat(np.diff(memory.spans).reshape(-1), many)
    taken = np.zeros(len(tables.unary))
    np.add.at(taken, places, memory.usages.astype(np.float64) * lasting)
    return taken


def _least(tables: Tables, taken: Array) -> Array:
    variables = np.repeat(np.arange(tables.count), tables.sizes)
    order = np.lexsort((tables.unary, taken, tables.unary >= FORBIDDEN, variables))
    chosen: Array = order[tables.starts[:-1]] - tables.starts[:-1]
    return chosen


def _wrong(tables: Tables, choices: Array) -> Array:
    """Return variables one of which has to change: those of what is forbidden, else those in the row that is too full.

    Of the latter those that could take less there; where there are none, all of them.
    """
    banned = tables.terms(choices) >= FORBIDDEN
    if banned.any():
        own = np.flatnonzero(banned[: tables.count])
        found: Array = np.union1d(own, tables.ends[banned[tables.count :]])
        return found
    memory = tables.memory
    over = memory.used(choices) - memory.room
    if not len(over) or over.max() <= 0:
        return np.zeros(0, dtype=np.int64)
    row = int(over.argmax())
    within = np.flatnonzero((memory.spans[:, 0] <= row) & (row < memory.spans[:, 1]))
    least = np.minimum.reduceat(memory.usages, memory.starts[:-1])
    less = within[memory.usages[memory.starts[within] + choices[memory.holders[within]]] > least[within]]
    holders: Array = memory.holders[less if len(less) else within]
    return holders


def _clashes(tables: Tables, one: int, choices: Array) -> Array:
    """Return by value of a variable how much of it is forbidden: itself, and with its neighbours' values."""
    clashes = (tables.own(one) >= FORBIDDEN).astype(np.int64)
    edges, starts = tables.incident
    for edge in edges[starts[one] : starts[one + 1]].tolist():
        first, second = tables.ends[edge].tolist()
        costs = tables.table(edge)
        clashes += (costs[:, choices[second]] if first == one else costs[choices[first]]) >= FORBIDDEN
    return clashes
