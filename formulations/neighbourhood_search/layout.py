"""Tables laid out for the loops: what a variable needs stands together, and every edge's costs both ways round."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Memory, Tables, offsets


class TableLayout(NamedTuple):
    """Costs in floating point; memory in integers. A tuple, because compiled loops take those.

    An *arc* is an edge as seen from one of its ends: every edge has two.

    Parameters
    ----------
    starts, unary
        As in `Tables`.
    arcs
        Where a variable's arcs begin; shape (variables + 1,).
    others
        By arc, the variable at its other end.
    mine
        By arc, where in `pairs` its costs begin with the variable's own values by row.
    theirs
        By arc, where they begin with the other's values by row.
    pairs
        Costs of all arcs.
    items
        Where a variable's items begin; shape (variables + 1,).
    first, last
        By item, the rows [first, last) in which it takes memory.
    usage_starts, usages
        By item, where its usages begin; and all usages.
    room
        By row of the memory.
    """

    starts: Array
    unary: Array
    arcs: Array
    others: Array
    mine: Array
    theirs: Array
    pairs: Array
    items: Array
    first: Array
    last: Array
    usage_starts: Array
    usages: Array
    room: Array


def layout_of(tables: Tables, forbidden: float = np.inf) -> TableLayout:
    """Return the arrays of tables.

    Parameters
    ----------
    forbidden
        What stands for the cost of what is not allowed.
    """
    order = ends_in_turn(tables)
    edge, side = order // 2, order % 2
    areas = np.diff(tables.edge_starts)[edge]
    mine = offsets(areas)
    arc_of = np.empty(len(order), dtype=np.int64)
    arc_of[order] = np.arange(len(order))
    pairs = np.empty(mine[-1])
    floats, sizes = _floats(tables.edges, forbidden), tables.edge_sizes.tolist()
    begins, ends = tables.edge_starts[edge].tolist(), tables.edge_starts[edge + 1].tolist()
    for arc, number in enumerate(edge.tolist()):
        costs = floats[begins[arc] : ends[arc]].reshape(sizes[number])
        pairs[mine[arc] : mine[arc + 1]] = (costs.T if side[arc] else costs).reshape(-1)
    return TableLayout(
        tables.starts,
        _floats(tables.unary, forbidden),
        np.searchsorted(tables.ends.reshape(-1)[order], np.arange(tables.count + 1)),
        tables.ends[edge, 1 - side],
        mine[:-1],
        mine[arc_of[order ^ 1]],
        pairs,
        *_memory(tables.memory, tables.count),
    )


def ends_in_turn(tables: Tables) -> Array:
    """Return what each arc is of `ends`, 2 x edge + side: the arcs of the first variable, of the second, and so on."""
    return np.argsort(tables.ends.reshape(-1), kind="stable")


def _floats(costs: Array, forbidden: float) -> Array:
    return np.where(costs < FORBIDDEN, costs.astype(np.float64), forbidden)


def _memory(memory: Memory, variables: int) -> tuple[Array, ...]:
    """Return the last six fields: the items variable by variable."""
    order = np.argsort(memory.holders, kind="stable")
    items = np.searchsorted(memory.holders[order], np.arange(variables + 1))
    first, last = (np.ascontiguousarray(memory.spans[order, side]) for side in (0, 1))
    return items, first, last, memory.starts[:-1][order], memory.usages, memory.room
