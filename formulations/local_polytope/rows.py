"""Rows of memory for a programme: which are broken, and how one is written."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from formulations.flow_model.covers import beyond
from hypar_opt.costgraph import FORBIDDEN, Array, Memory, Tables
from hypar_opt.costgraph.memory import ranges

if TYPE_CHECKING:
    from formulations.local_polytope.programme import LinearProgramme


@dataclass(frozen=True, eq=False)
class MemoryRow:
    """Sum of factors x columns <= most, in units of the memory.

    Parameters
    ----------
    number
        Of the memory's rows.
    columns, factors
        No factor is negative.
    most
        What remains when every variable takes the least that it may; a fraction of a unit where it is not rounded.
    unit
        The factors' common divisor, by which all was divided.
    """

    number: int
    columns: Array
    factors: Array
    most: int | Fraction
    unit: int


def row_of(programme: LinearProgramme, number: int) -> MemoryRow:
    """Return a row: what a variable's values take more than the least of them, in integers without common divisor."""
    row = exact_row_of(programme, number)
    return replace(row, most=math.floor(row.most))


def exact_row_of(programme: LinearProgramme, number: int) -> MemoryRow:
    """Return a row as it is: prices know nothing of what rounding to whole units takes from its room."""
    tables, columns = programme.tables, programme.columns
    usage = usage_of(tables, number)
    allowed = tables.unary < FORBIDDEN
    least = np.minimum.reduceat(np.where(allowed, usage, np.iinfo(np.int64).max), tables.starts[:-1])
    more = np.where(columns >= 0, usage - np.repeat(least, tables.sizes), 0)
    held = np.flatnonzero(more)
    unit = int(np.gcd.reduce(more[held])) if len(held) else 1
    most = Fraction(int(tables.memory.room[number]) - sum(least.tolist()), unit)
    return MemoryRow(number, columns[held], more[held] // unit, most, unit)


def cover_of(programme: LinearProgramme, number: int, choices: Array) -> MemoryRow:
    """Return a row that an assignment beyond its room breaks by 1: not all of its largest uses, or larger ones.

    Sum over variables i whose uses are just beyond the room together, over values a that take no less than x_i does,
    of x(i, a) <= their number - 1 (`formulations.flow_model.covers`).
    """
    row, tables = row_of(programme, number), programme.tables
    more = np.zeros(len(tables.unary), dtype=np.int64)
    held = np.flatnonzero(np.isin(programme.columns, row.columns))
    more[held] = row.factors[np.argsort(np.argsort(programme.columns[held]))]
    chosen = more[tables.starts[:-1] + choices]
    least = np.full(tables.count, np.iinfo(np.int64).max)
    together = beyond(chosen.tolist(), math.floor(row.most))
    least[together] = chosen[together]
    columns = programme.columns[(more > 0) & (more >= np.repeat(least, tables.sizes))]
    return MemoryRow(number, columns, np.ones(len(columns), dtype=np.int64), len(together) - 1, 1)


def all_but(programme: LinearProgramme, choices: Array) -> MemoryRow:
    """Return a row that every assignment of the programme keeps but one; of no row of the memory."""
    columns = programme.columns[programme.tables.starts[:-1] + choices]
    columns = columns[columns >= 0]
    return MemoryRow(-1, columns, np.ones(len(columns), dtype=np.int64), len(columns) - 1, 1)


def usage_of(tables: Tables, number: int) -> Array:
    """Return what every value of every variable takes in a row; shape as `unary`."""
    memory = tables.memory
    live = np.flatnonzero((memory.spans[:, 0] <= number) & (number < memory.spans[:, 1]))
    lengths = np.diff(memory.starts)[live]
    found = np.zeros(len(tables.unary), dtype=np.int64)
    values = ranges(tables.starts[memory.holders[live]], lengths)
    np.add.at(found, values, memory.usages[ranges(memory.starts[live], lengths)])
    return found


def broken(memory: Memory, taken: Array, slack: float = 0.0) -> Array:
    """Return the rows that are the worst of their stretch of broken ones.

    Parameters
    ----------
    taken
        By item, what it takes; may be fractional.
    slack
        What share of its room a row may be beyond it.
    """
    over = memory.summed(taken) - memory.room
    bad = np.flatnonzero(over > slack * np.abs(memory.room))
    stretches = np.split(bad, np.flatnonzero(np.diff(bad) > 1) + 1) if len(bad) else []
    return np.array([one[over[one].argmax()] for one in stretches], dtype=np.int64)


def taken_by(tables: Tables, choices: Array) -> Array:
    """Return by item what it takes under an assignment."""
    memory = tables.memory
    taken: Array = memory.usages[memory.starts[:-1] + choices[memory.holders]]
    return taken


def taken_in_part(tables: Tables, weights: Array) -> Array:
    """Return by item what it takes under weights of all values, shape as `unary`."""
    memory = tables.memory
    parts = memory.usages * weights[_values(tables)]
    found: Array = np.add.reduceat(parts, memory.starts[:-1]) if memory.items else np.zeros(0)
    return found


def shortage(tables: Tables) -> str | None:
    """Return the first moment at which nothing fits, if the least that every item takes tells so."""
    memory = tables.memory
    least = np.zeros(memory.rows, dtype=np.int64)
    if memory.items:
        allowed = np.where(tables.unary[_values(tables)] < FORBIDDEN, memory.usages, memory.usages.max())
        least = memory.summed(np.minimum.reduceat(allowed, memory.starts[:-1]))
    short = np.flatnonzero(least > memory.room)
    if not len(short):
        return None
    row = short[0]
    return f"at time {memory.moments[row]} no less than {least[row]} is needed, and {memory.room[row]} available"


def _values(tables: Tables) -> Array:
    """Return by usage where its value stands in `unary`."""
    memory = tables.memory
    begins = tables.starts[memory.holders] - memory.starts[:-1]
    found: Array = np.repeat(begins, np.diff(memory.starts)) + np.arange(len(memory.usages))
    return found
