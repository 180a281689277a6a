"""What the steps share: sums in which FORBIDDEN stays FORBIDDEN, and edges of one shape at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Tables, offsets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scipy.sparse import csr_array


MOST: Final = 2**20
"""So many entries at most are worked on at once, if they are of more than one edge: what they take besides is small."""


def plus(first: Array, second: Array) -> Array:
    """Return the sum of costs, FORBIDDEN where either is."""
    either = (first >= FORBIDDEN) | (second >= FORBIDDEN)
    total: Array = np.where(either, FORBIDDEN, np.where(either, 0, first) + np.where(either, 0, second))
    return total


def added_at(costs: Array, places: Array, more: Array) -> None:
    """Add costs at places, any of which may come more than once."""
    forbidden = (more >= FORBIDDEN) | (costs[places] >= FORBIDDEN)
    np.add.at(costs, places[~forbidden], more[~forbidden])
    costs[places[forbidden]] = FORBIDDEN


def adjacency(nodes: int, heads: Array, tails: Array) -> csr_array:
    """Return arrows between nodes, some of which may be there more than once, as a sparse matrix."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(heads), dtype=np.int64), (heads, tails)), shape=(nodes, nodes))


def side_starts(tables: Tables, side: int) -> Array:
    """Return where an edge's begin in an array of one number a value of its first (0) or second (1) variable."""
    return offsets(tables.edge_sizes[:, side])


def same_shape(sizes: Array) -> Iterator[Array]:
    """Yield the numbers of edges of one shape together, many edges in parts.

    Parameters
    ----------
    sizes
        By edge, the numbers of values of its two ends; shape (edges, 2).
    """
    order = np.lexsort((sizes[:, 1], sizes[:, 0]))
    changes = np.flatnonzero((np.diff(sizes[order], axis=0) != 0).any(axis=1)) + 1
    for group in np.split(order, changes) if len(order) else ():
        at_once = max(1, MOST // max(1, int(sizes[group[0]].prod())))
        yield from (group[at : at + at_once] for at in range(0, len(group), at_once))


def blocks(tables: Tables) -> Iterator[tuple[Array, Array]]:
    """Yield edges of one shape together: their numbers, and their costs; shape (edges, first size, second size)."""
    for group in same_shape(tables.edge_sizes):
        rows, columns = tables.edge_sizes[group[0]].tolist()
        where = tables.edge_starts[group][:, None] + np.arange(rows * columns)
        yield group, tables.edges[where].reshape(-1, rows, columns)


def side_places(tables: Tables, group: Array, side: int) -> Array:
    """Return where in `unary` the values of one side of edges of one shape stand; shape (edges, size)."""
    size = int(tables.edge_sizes[group[0], side])
    found: Array = tables.starts[tables.ends[group, side]][:, None] + np.arange(size)
    return found
