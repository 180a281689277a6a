"""The programme of this folder's docstring as arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.merging import EdgeSide, Merged, merged
from hypar_opt.costgraph import FORBIDDEN, Array, Tables

if TYPE_CHECKING:
    from hypar_opt.costgraph import Duals


@dataclass(frozen=True, eq=False)
class EdgeTies:
    """The rows that tie an edge's pairs to one of its variables, for all edges: flat, edge by edge, value by value.

    Parameters
    ----------
    rows
        The row that a value shares with its class; -1 where it has none.
    shifts
        What of the edge's costs is the value's own.
    """

    rows: Array
    shifts: Array

    def messages(self, duals: Array) -> Array:
        """Return what edges give to values, for the rows' duals."""
        own = np.append(duals, 0.0)[self.rows]
        return own + self.shifts


@dataclass(frozen=True, eq=False)
class LinearProgramme:
    """Columns, rows and costs.

    Parameters
    ----------
    tables
        What is allowed, and what it costs.
    columns
        By value of every variable its column, or -1: it is forbidden, or its variable has no other.
    costs
        By column: of the values first, then of the pairs.
    rows, entries, factors
        The matrix, one triple an entry.
    right
        By row: all are equations.
    first, second
        Where an edge's duals are found.
    constant
        What every solution costs besides.
    """

    tables: Tables
    columns: Array
    costs: Array
    rows: Array
    entries: Array
    factors: Array
    right: Array
    first: EdgeTies
    second: EdgeTies
    constant: int

    @property
    def values(self) -> int:
        """Number of columns of values: these are integral."""
        return int(self.columns.max(initial=-1)) + 1

    def of_costs_before(self, duals: Duals) -> LinearProgramme:
        """Return the programme with its duals read as those of costs before whole messages were taken from them."""
        first, second = (
            replace(side, shifts=side.shifts + messages)
            for side, messages in zip((self.first, self.second), duals.messages, strict=True)
        )
        return replace(self, first=first, second=second)

    def choices(self, solution: Array) -> Array:
        """Return by variable the value with the largest column; one without columns has one value."""
        weights = np.where(self.columns >= 0, np.append(solution, 0.0)[self.columns], -1.0)
        weights = np.where((self.columns < 0) & (self.tables.unary < FORBIDDEN), 2.0, weights)
        return first_of_largest(weights, self.tables.starts)


def first_of_largest(weights: Array, starts: Array) -> Array:
    """Return by part of a flat array the position within it of the first of its largest."""
    most = np.repeat(np.maximum.reduceat(weights, starts[:-1]), np.diff(starts))
    hits = np.flatnonzero(weights == most)
    found: Array = hits[np.searchsorted(hits, starts[:-1])] - starts[:-1]
    return found


def programme_of(tables: Tables) -> LinearProgramme:
    """Draw up the programme of tables every variable of which has an allowed value."""
    alive = tables.unary < FORBIDDEN
    several = np.add.reduceat(alive, tables.starts[:-1], dtype=np.int64) > 1
    free = alive & np.repeat(several, tables.sizes)
    columns = np.where(free, np.cumsum(free) - 1, -1)
    drawing = _Drawing(tables, alive, columns)
    for edge in range(len(tables.ends)):
        drawing.add(edge)
    own = np.where(alive, tables.unary, 0) + drawing.shifted
    constant = sum(own[alive & ~free].tolist()) + drawing.constant
    of_variable = np.repeat(np.cumsum(several) - 1, tables.sizes)[free]
    ones = np.ones(len(of_variable))
    rows = np.concatenate([of_variable, *drawing.rows])
    entries = np.concatenate([columns[free], *drawing.entries])
    factors = np.concatenate([ones, *drawing.factors])
    right = np.concatenate([np.ones(int(several.sum())), np.zeros(drawing.next_row - int(several.sum()))])
    costs = np.concatenate([own[free], *drawing.costs])
    first, second = (
        EdgeTies(np.concatenate(one or [_NONE]), np.concatenate(two or [_NONE])) for one, two in drawing.links
    )
    return LinearProgramme(tables, columns, costs, rows, entries, factors, right, first, second, constant)


_NONE = np.zeros(0, dtype=np.int64)


class _Drawing:
    """What the edges add, one after the other."""

    def __init__(self, tables: Tables, alive: Array, columns: Array) -> None:
        self.tables, self.alive, self.columns = tables, alive, columns
        self.next_row = int((np.add.reduceat(columns >= 0, tables.starts[:-1], dtype=np.int64) > 0).sum())
        self.next_column = int(columns.max(initial=-1)) + 1
        self.shifted = np.zeros(len(alive), dtype=np.int64)
        self.constant = 0
        self.rows: list[Array] = []
        self.entries: list[Array] = []
        self.factors: list[Array] = []
        self.costs: list[Array] = []
        self.links: tuple[tuple[list[Array], list[Array]], ...] = (([], []), ([], []))

    def add(self, edge: int) -> None:
        """Add an edge: a column for every allowed pair of classes, and a row for every class."""
        parts = [slice(*self.tables.starts[end : end + 2]) for end in self.tables.ends[edge].tolist()]
        found = merged(self.tables.table(edge), *(self.alive[part] for part in parts))
        for side, part, links in zip((found.first, found.second), parts, self.links, strict=True):
            self.shifted[part] += side.shifts
            links[1].append(side.shifts)
            links[0].append(self._tie(side, found, part))
        if found.separable:
            self.constant += int(found.table.sum())
            return
        allowed = np.flatnonzero(found.table.reshape(-1) < FORBIDDEN)
        pairs = self.next_column + np.arange(len(allowed))
        one, two = np.divmod(allowed, found.table.shape[1])
        rows = self.next_row + np.concatenate([one, found.first.classes + two])
        self._enter(rows, np.tile(pairs, 2), 1.0)
        self.costs.append(found.table.reshape(-1)[allowed])
        self.next_column += len(allowed)
        self.next_row += found.first.classes + found.second.classes

    def _tie(self, side: EdgeSide, found: Merged, part: slice) -> Array:
        """Add the values' part of the rows: sum over pairs - sum over the class of x = 0."""
        if found.separable:
            return np.full(len(side.labels), -1, dtype=np.int64)
        start = self.next_row + (found.first.classes if side is found.second else 0)
        rows = np.where(side.labels >= 0, start + side.labels, -1)
        columns = self.columns[part]
        held = (rows >= 0) & (columns >= 0)
        self._enter(rows[held], columns[held], -1.0)
        return rows

    def _enter(self, rows: Array, columns: Array, factor: float) -> None:
        self.rows.append(rows)
        self.entries.append(columns)
        self.factors.append(np.full(len(rows), factor))
