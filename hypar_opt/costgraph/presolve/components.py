"""Components: variables that nothing joins to the others are a problem of their own.

Two variables belong together where an edge joins them, or where both have an item in the same row of the memory; and
whoever belongs to one of them belongs to both. An assignment of the whole is one of every component: costs add up, and

    bound(whole, prices side by side) = constant + sum over components of bound(component, its prices).

The links are as many as edges, items and rows: every holder is joined to the first row of an item, and that to the next
as long as some item goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import Memory, Tables, offsets

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array

MOST: Final = 8
"""How many parts tables are taken into: a search of each has a price of its own."""


@dataclass(frozen=True, eq=False)
class Component:
    """A part of tables that nothing joins to the rest: a component, or several.

    Parameters
    ----------
    variables, edges, rows
        Their numbers in the whole, in ascending order.
    tables
        Its own; without the whole's constant.
    """

    variables: Array
    edges: Array
    rows: Array
    tables: Tables

    @property
    def size(self) -> int:
        """Number of costs."""
        return len(self.tables.unary) + len(self.tables.edges)


def count_components(tables: Tables) -> int:
    """Return the number of components."""
    return len(np.unique(_labels(tables)[: tables.count]))


def components(tables: Tables, most: int = MOST) -> tuple[Component, ...]:
    """Return the components, the smallest first.

    Parameters
    ----------
    most
        Where there are more, the smallest are one part.
    """
    labels = _labels(tables)
    found, part = np.unique(labels[: tables.count], return_inverse=True)
    if len(found) <= 1 or most == 1:
        variables, edges, rows = map(np.arange, (tables.count, len(tables.ends), tables.memory.rows))
        return (Component(variables, edges, rows, tables.replace(constant=0)),)
    sizes = np.zeros(len(found), dtype=np.int64)
    np.add.at(sizes, part, tables.sizes)
    np.add.at(sizes, part[tables.ends[:, 0]], np.diff(tables.edge_starts))
    ranks = np.empty(len(found), dtype=np.int64)
    ranks[np.argsort(-sizes, kind="stable")] = np.arange(len(found))
    ranks = np.minimum(ranks, most - 1)
    # a row that nobody takes anything of goes with the largest
    by_label = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    by_label[found] = ranks
    ranked = by_label[labels]
    parts = [_part(tables, ranked == rank) for rank in range(min(len(found), most))]
    return tuple(sorted(parts, key=lambda one: one.size))


def _labels(tables: Tables) -> Array:
    """Return by variable, then by row, the number of its component."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    memory, nodes = tables.memory, tables.count + tables.memory.rows
    taking = memory.spans[:, 0] < memory.spans[:, 1]
    firsts, lasts = memory.spans[taking, 0], memory.spans[taking, 1] - 1
    steps = np.zeros(memory.rows, dtype=np.int64)
    np.add.at(steps, firsts, 1)
    np.subtract.at(steps, lasts, 1)
    going_on = np.flatnonzero(np.cumsum(steps) > 0) + tables.count
    heads = np.concatenate([tables.ends[:, 0], memory.holders[taking], going_on])
    tails = np.concatenate([tables.ends[:, 1], firsts + tables.count, going_on + 1])
    links = csr_array((np.ones(len(heads), dtype=bool), (heads, tails)), shape=(nodes, nodes))
    labels: Array = connected_components(links, directed=False)[1]
    return labels


def _part(tables: Tables, own: Array) -> Component:
    """Return a part.

    Parameters
    ----------
    own
        By variable, then by row, whether it is the part's.
    """
    memory, variables, rows = tables.memory, own[: tables.count], own[tables.count :]
    edges, items = variables[tables.ends[:, 0]], variables[memory.holders]
    numbers, lengths = np.cumsum(variables) - 1, np.diff(memory.starts)
    kept = Memory(
        numbers[memory.holders[items]],
        offsets(rows)[memory.spans[items]],
        offsets(lengths[items]),
        memory.usages[np.repeat(items, lengths)],
        memory.room[rows],
        memory.moments[rows],
    )
    unary = tables.unary[np.repeat(variables, tables.sizes)]
    costs = tables.edges[np.repeat(edges, np.diff(tables.edge_starts))]
    part = Tables(tables.sizes[variables], unary, numbers[tables.ends[edges]], costs, kept)
    return Component(np.flatnonzero(variables), np.flatnonzero(edges), np.flatnonzero(rows), part)
