"""Values of an edge's variables that the edge does not tell apart, and so need one row between them.

Rows a and a' of a table that differ by a constant, c(a, b) - c(a', b) = s(a) - s(a') for every b, and forbid the same,
are one row of a smaller table: the constants go to the variable's own costs. A solution of the larger polytope
summed over a class is one of the smaller, and one of the smaller, split in proportion to x(a), is one of the larger:
the bound is the same. So for columns. A table of which one row and one column remain is separable and needs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array


@dataclass(frozen=True, eq=False)
class EdgeSide:
    """One variable of an edge.

    Parameters
    ----------
    labels
        By value, its class; -1 where the edge, or the variable, forbids it.
    shifts
        By value, what of the edge's costs is its own.
    """

    labels: Array
    shifts: Array

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.labels.max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class Merged:
    """An edge's costs by classes: c(a, b) = first.shifts[a] + second.shifts[b] + table[class of a, class of b].

    Parameters
    ----------
    first, second
        The two variables' values.
    table
        Not negative; FORBIDDEN where a pair is not allowed.
    """

    first: EdgeSide
    second: EdgeSide
    table: Array

    @property
    def separable(self) -> bool:
        """Whether the shifts say all."""
        return self.table.size <= 1


def merged(table: Array, first: Array, second: Array) -> Merged:
    """Return an edge's costs by classes.

    Parameters
    ----------
    table
        Costs of all pairs.
    first, second
        Which values of the two variables count.
    """
    one, rows = _classes(np.where(second, table, FORBIDDEN), first)
    two, columns = _classes(np.ascontiguousarray(rows.T), second)
    return Merged(one, two, np.ascontiguousarray(columns.T))


def _classes(table: Array, counts: Array) -> tuple[EdgeSide, Array]:
    """Return the classes of a table's rows, and a row of every class, its least entry 0."""
    least = table.min(axis=1, initial=FORBIDDEN)
    alive = counts & (least < FORBIDDEN)
    shifts = np.where(alive, least, 0)
    reduced = np.where(table < FORBIDDEN, table - shifts[:, None], FORBIDDEN)
    known: dict[bytes, int] = {}
    labels = np.full(len(table), -1, dtype=np.int64)
    picked: list[int] = []
    for row in np.flatnonzero(alive).tolist():
        label = known.setdefault(reduced[row].tobytes(), len(known))
        labels[row] = label
        if label == len(picked):
            picked.append(row)
    return EdgeSide(labels, shifts), reduced[picked]
