"""Prices that bound every assignment of tables from below, and the bound in exact integers.

With messages m and prices p >= 0 of the rows' memory every assignment x that fits costs at least

    constant - sum over rows r of p_r room_r
    + sum over variables i of min over a of
          [ cost_i(a) + sum over items of i of usage(a) p(span) + sum over edges of m_e,i(a) ]
    + sum over edges e = (i, j) of min over a, b of [ cost_e(a, b) - m_e,i(a) - m_e,j(b) ],

whatever m is: what an edge gives to a variable it takes from itself. (The dual of the local polytope with memory rows;
Werner, A Linear Programming Approach to Max-sum Problem, 2007.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph.memory import least_of, offsets, ranges
from hypar_opt.costgraph.tables import FORBIDDEN, Tables

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph.unary import Array

FINEST: Final = 24
"""The finest scale that is tried."""
ROOM: Final = 2**62
"""No sum that the bound forms may reach it."""


@dataclass(frozen=True, eq=False)
class Duals:
    """Messages and prices as integers, in units of 2^-scale of the tables' costs.

    Parameters
    ----------
    scale
        At least 0.
    first, second
        What every edge gives to the values of its first and of its second variable, edge by edge.
    prices
        By row of the memory, not negative: of one unit of it.
    """

    scale: int
    first: Array
    second: Array
    prices: Array

    @staticmethod
    def zero(tables: Tables) -> Duals:
        """Return the prices that say nothing."""
        lengths = (*tables.edge_sizes.sum(axis=0).tolist(), tables.memory.rows)
        return Duals(0, *(np.zeros(length, dtype=np.int64) for length in lengths))

    @property
    def messages(self) -> tuple[Array, Array]:
        """What edges give to the values of either variable."""
        return self.first, self.second

    def coarser(self, bits: int) -> Duals:
        """Return them at a scale of so many bits less, rounded down; below 0, of so many more."""
        each = (*self.messages, self.prices)
        return Duals(self.scale - bits, *(one >> bits if bits >= 0 else one << -bits for one in each))

    def padded(self, rows: int) -> Duals:
        """Return them for a memory that has been given further rows, up to so many, which are free."""
        more = np.zeros(rows - len(self.prices), dtype=np.int64)
        return replace(self, prices=np.concatenate([self.prices, more]))

    def fits_at(self, scale: int) -> bool:
        """Return whether no number leaves 64 bits at a scale."""
        return _largest((*self.messages, self.prices)) << max(0, scale - self.scale) < 2**63


@dataclass(frozen=True, eq=False)
class Priced:
    """Tables under prices.

    Parameters
    ----------
    tables, duals
        Of one another.
    """

    tables: Tables
    duals: Duals

    @cached_property
    def fault(self) -> str | None:
        """Why the bound cannot be computed in 64 bits, or the prices are none; or None."""
        tables, duals = self.tables, self.duals
        if len(duals.prices) and int(duals.prices.min()) < 0:
            return "a price is below 0"
        costs = _largest(one[one < FORBIDDEN] for one in (tables.unary, tables.edges)) << duals.scale
        most = _largest(duals.messages)
        degree = int(np.diff(tables.incident[1]).max(initial=0))
        paid = self._most_paid
        total = costs + max(2, degree) * most + paid
        return f"sums may reach {total:.3g}, beyond 64 bits" if total >= ROOM else None

    @property
    def _most_paid(self) -> int:
        """No variable pays more for memory; exact, however large."""
        memory = self.tables.memory
        if not memory.items or not len(self.duals.prices):
            return 0
        sums = [0, *accumulate(self.duals.prices.tolist())]
        most: Array = np.maximum.reduceat(memory.usages, memory.starts[:-1])
        by_holder: Counter[int] = Counter()
        for holder, (start, end), use in zip(memory.holders.tolist(), memory.spans.tolist(), most, strict=True):
            by_holder[holder] += int(use) * (sums[end] - sums[start])
        return max(by_holder.values())

    @cached_property
    def unary(self) -> Array:
        """Costs of all values, what they pay for memory and what edges give them included; FORBIDDEN or more."""
        tables, duals = self.tables, self.duals
        total = np.where(tables.unary < FORBIDDEN, tables.unary << duals.scale, ROOM)
        memory = tables.memory
        if memory.items:
            sums = offsets(duals.prices)
            each = sums[memory.spans[:, 1]] - sums[memory.spans[:, 0]]
            lengths = np.diff(memory.starts)
            where = ranges(tables.starts[memory.holders], lengths)
            np.add.at(total, where, memory.usages * np.repeat(each, lengths))
        for side, messages in enumerate(duals.messages):
            np.add.at(total, places(tables, side), messages)
        return total

    @cached_property
    def edges(self) -> Array:
        """Costs of all pairs, less what the edge gives to either value; FORBIDDEN stays as it is."""
        tables, duals = self.tables, self.duals
        given = [messages[slots] for messages, slots in zip(duals.messages, EdgeIndex.of(tables).slots, strict=True)]
        less: Array = np.where(tables.edges < FORBIDDEN, (tables.edges << duals.scale) - given[0] - given[1], ROOM)
        return less

    @cached_property
    def bound(self) -> Fraction:
        """What no assignment costs less than; a variable or an edge with nothing allowed counts as ROOM.

        Raises
        ------
        ValueError
            If the prices have a fault.
        """
        if self.fault is not None:
            raise ValueError(self.fault)
        tables, duals = self.tables, self.duals
        parts = ((self.unary, tables.starts), (self.edges, tables.edge_starts))
        total = sum(sum(least_of(*part).tolist()) for part in parts)
        total -= sum(p * room for p, room in zip(duals.prices.tolist(), tables.memory.room.tolist(), strict=True) if p)
        return tables.constant + Fraction(total, 1 << duals.scale)


def rounded(tables: Tables, first: Array, second: Array, prices: Array) -> Duals:
    """Return prices in floating point as integers, at the finest scale whose sums fit; any are sound.

    Parameters
    ----------
    first, second, prices
        As in `Duals`, in the tables' unit; what is no number counts as 0, and so do prices below 0.
    """
    given = (first, second, np.maximum(prices, 0.0))
    floats = [np.nan_to_num(np.asarray(one, dtype=np.float64), posinf=0.0, neginf=0.0) for one in given]
    for scale in range(FINEST, -1, -1):
        if max((float(np.abs(one).max()) for one in floats if len(one)), default=0.0) * 2.0**scale < ROOM:
            duals = Duals(scale, *(np.rint(one * 2.0**scale).astype(np.int64) for one in floats))
            if Priced(tables, duals).fault is None:
                return duals
    return Duals.zero(tables)


def _largest(parts: Iterable[Array]) -> int:
    """Return the largest size of a number, 0 without any; NumPy's absolute of -2^63 would be itself."""
    return max((max(int(one.max()), -int(one.min())) for one in parts if len(one)), default=0)


def places(tables: Tables, side: int) -> Array:
    """Return where in `unary` the values stand that an edge's messages are for, edge by edge.

    Parameters
    ----------
    side
        0 for the edges' first variables, 1 for their second.
    """
    return ranges(tables.starts[tables.ends[:, side]], tables.edge_sizes[:, side])


@dataclass(frozen=True, eq=False)
class EdgeIndex:
    """Positions by entry of all edges' tables, on either side.

    Parameters
    ----------
    slots
        Where an entry's two messages stand in `Duals.first` and `Duals.second`.
    places
        By slot, where its value stands in `Tables.unary`.
    """

    slots: tuple[Array, Array]
    places: tuple[Array, Array]

    @staticmethod
    def of(tables: Tables) -> EdgeIndex:
        """Return the index of tables."""
        rows, columns = tables.edge_sizes[:, 0], tables.edge_sizes[:, 1]
        each = rows * columns
        first = np.repeat(np.arange(int(rows.sum())), np.repeat(columns, rows))
        within = np.arange(len(tables.edges)) - np.repeat(tables.edge_starts[:-1], each)
        second = np.repeat(offsets(columns)[:-1], each) + within % np.repeat(columns, each)
        return EdgeIndex((first, second), (places(tables, 0), places(tables, 1)))

    def values(self, side: int) -> Array:
        """Return by entry where its value stands in `Tables.unary`."""
        found: Array = self.places[side][self.slots[side]]
        return found

    def least(self, side: int, entries: Array) -> Array:
        """Return by slot the least of its entries, at most ROOM."""
        found = np.full(len(self.places[side]), ROOM)
        np.minimum.at(found, self.slots[side], entries)
        return found
