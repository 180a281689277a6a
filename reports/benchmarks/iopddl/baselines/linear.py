"""Integer programmes as sparse arrays: what the formulations of others state, and the solvers read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Tables, offsets

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class Rows:
    """Constraints low <= matrix x <= high; a side that is free is infinite."""

    matrix: csr_array
    low: Array
    high: Array


@dataclass(frozen=True, eq=False)
class Linear:
    """Minimise constant + costs x, subject to rows, 0 <= x <= tops, x integer but for levels of memory.

    Parameters
    ----------
    costs, tops
        By column; the first columns are the tables' values, in their order, and 0 is the top of what is forbidden.
    rows
        Family by family.
    levels
        How many of the last columns are levels of memory, which are integers wherever all others are.
    constant
        Integer.
    """

    costs: Array
    tops: Array
    rows: tuple[Rows, ...]
    levels: int = 0
    constant: int = 0


def sparse(entries: list[tuple[Array, Array, Array | float]], shape: tuple[int, int]) -> csr_array:
    """Return a matrix of entries: rows, columns, and their coefficients or the one of all."""
    from scipy.sparse import coo_array

    values = np.concatenate(
        [np.broadcast_to(np.asarray(value, dtype=np.float64), rows.shape) for rows, _, value in entries]
    )
    rows = np.concatenate([rows for rows, _, _ in entries])
    columns = np.concatenate([columns for _, columns, _ in entries])
    return coo_array((values, (rows, columns)), shape=shape).tocsr()


def one_each(starts: Array, first: int, columns: int) -> Rows:
    """Return, for parts of consecutive columns from `first` on, that one of each is chosen: sum of x = 1."""
    from scipy.sparse import csr_array

    count = int(starts[-1])
    indices = np.arange(first, first + count, dtype=np.int32)
    matrix = csr_array((np.ones(count), indices, starts.astype(np.int32)), shape=(len(starts) - 1, columns))
    ones = np.ones(len(starts) - 1)
    return Rows(matrix, ones, ones)


def split(costs: Array) -> tuple[Array, Array]:
    """Return finite costs, 0 where there is none, and tops: 1, or 0 of what is forbidden."""
    allowed = costs < FORBIDDEN
    return np.where(allowed, costs, 0), allowed.astype(np.float64)


def pair_values(tables: Tables) -> tuple[Array, Array]:
    """Return for every pair of values of an edge the places of both in `unary`."""
    rows, columns = tables.edge_sizes[:, 0], tables.edge_sizes[:, 1]
    lengths = rows * columns
    within = np.arange(len(tables.edges)) - np.repeat(tables.edge_starts[:-1], lengths)
    wide = np.repeat(columns, lengths)
    first, second = (np.repeat(tables.starts[tables.ends[:, side]], lengths) for side in (0, 1))
    return first + within // wide, second + within % wide


def folded(tables: Tables) -> Tables:
    """Return tables without the edges of variables of one value: what they cost is the other variable's."""
    single = (tables.edge_sizes == 1).any(axis=1)
    dropped, wide = (
        np.repeat(one, np.prod(tables.edge_sizes, axis=1)) for one in (single, tables.edge_sizes[:, 0] > 1)
    )
    places = np.where(wide, *pair_values(tables))[dropped]
    costs, allowed = split(tables.edges[dropped])
    unary = tables.unary.copy()
    np.add.at(unary, places, costs)
    unary[places[allowed == 0]] = FORBIDDEN
    unary[tables.unary >= FORBIDDEN] = FORBIDDEN
    return tables.replace(unary=unary, ends=tables.ends[~single], edges=tables.edges[~dropped])


def chosen(tables: Tables, columns: Array) -> Array:
    """Return every variable's value whose column is largest, the first of several."""
    values = np.asarray(columns, dtype=np.float64)[: len(tables.unary)]
    largest = np.repeat(np.maximum.reduceat(values, tables.starts[:-1]), tables.sizes)
    places = np.where(values == largest, np.arange(len(values)), len(values))
    found: Array = np.minimum.reduceat(places, tables.starts[:-1]) - offsets(tables.sizes)[:-1]
    return found
