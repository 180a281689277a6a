"""The limit on memory as linear constraints: row by row, or by the level that changes from row to row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import offsets
from reports.benchmarks.iopddl.baselines.linear import Rows, sparse

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


def every_row(tables: Tables, columns: int) -> Rows:
    """Return every row in full: sum of usage x over what is live <= room.

    The rows are those of the maximal sets of live nodes; all others follow from them. What a value uses stands in
    consecutive rows, so that the matrix is written down by columns.
    """
    from scipy.sparse import csc_array

    places, usages, spans = _uses(tables)
    lengths = spans[:, 1] - spans[:, 0]
    starts = offsets(lengths)
    indices = np.repeat((spans[:, 0] - starts[:-1]).astype(np.int32), lengths)
    indices += np.arange(len(indices), dtype=np.int32)
    data = np.repeat(usages.astype(np.float64), lengths)
    matrix = csc_array((data, indices, starts.astype(np.int32)), shape=(tables.memory.rows, len(places))).tocsr()
    matrix.indices = places.astype(np.int32)[matrix.indices]
    matrix.resize((tables.memory.rows, columns))
    return Rows(matrix, np.full(tables.memory.rows, -np.inf), tables.memory.room.astype(np.float64))


def levels(tables: Tables, first: int, columns: int) -> Rows:
    """Return that level r is level r - 1, plus what begins at row r, less what ended: a few entries a value.

    Levels are columns from `first` on, with the rows' room as their tops.
    """
    places, usages, spans = _uses(tables)
    rows = tables.memory.rows
    own = np.arange(rows)
    entries = [(own, first + own, 1.0), (own[1:], first + own[:-1], -1.0)]
    for side, sign in ((0, -1), (1, 1)):
        inside = spans[:, side] < rows
        entries.append((spans[inside, side], places[inside], sign * usages[inside]))
    return Rows(sparse(entries, (rows, columns)), np.zeros(rows), np.zeros(rows))


def _uses(tables: Tables) -> tuple[Array, Array, Array]:
    """Return all uses of memory: the place of the value in `unary`, how much, and in which rows [first, last)."""
    memory = tables.memory
    lengths = np.diff(memory.starts)
    within = np.arange(len(memory.usages)) - np.repeat(memory.starts[:-1], lengths)
    places = np.repeat(tables.starts[memory.holders], lengths) + within
    used = memory.usages > 0
    return places[used], memory.usages[used], np.repeat(memory.spans, lengths, axis=0)[used]
