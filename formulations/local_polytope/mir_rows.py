"""Rows of the memory under mixed-integer rounding: what integral values keep, and values in part do not.

A row sum over i, a of u(i, a) x[i, a] <= room is written relative to one value of every variable, its base; with
a = u(i, a) - u(i, base), b = room - the bases' sum, a divisor d and r = b mod d > 0, every assignment within the room
keeps

    sum over i, a of [ (a div d) (d - r) + max(0, a mod d - r) ] x[i, a] <= (b div d) (d - r)

(Marchand and Wolsey, Aggregation and Mixed Integer Rounding to Solve MIPs, 2001; all numbers are integers here.) With
bases that a solution in part prefers it says that who takes more than what is left over must be made up for by others,
which is what a solution in part evades.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.rows import usage_of
from hypar_opt.costgraph import FORBIDDEN, Array, Memory, Tables
from hypar_opt.costgraph.memory import least_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEEP = 1e-3
"""A row that a solution in part breaks by less, in multiples of the row's length, is not worth its place."""
LARGEST = 2**50
"""Usages beyond it are not rounded, so that products of two rows' numbers need no care."""
FINEST = 1e-5
"""Of a row's largest usage, what counts as none, which the row allows: what a solver's tolerance may take for any."""
PART = 1e-6
"""Weights nearer to 0 or 1 are whole."""
MOST_DIVISORS = 200
"""So many are tried at most, besides those that no usage exceeds."""


@dataclass(frozen=True, eq=False)
class MirRow:
    """A row that every assignment of tables keeps.

    Parameters
    ----------
    number
        Of the memory's row that it comes from.
    usages
        By value, as in `Tables.unary`, none below 0; 0 where a value is forbidden.
    room
        What their sum over an assignment's values is at most.
    depth
        By how much the solution in part breaks it, in multiples of the row's length.
    """

    number: int
    usages: Array
    room: int
    depth: float

    def same(self, other: MirRow) -> bool:
        """Return whether it says what another one does."""
        return self.room == other.room and bool((self.usages == other.usages).all())


def deepest(tables: Tables, weights: Array, rows: Iterable[int]) -> list[MirRow]:
    """Return of every row of the memory, for either bases, the rounding that a solution in part breaks by most.

    Those that it breaks by little are none.

    Parameters
    ----------
    weights
        Of the values, shape as `unary`; of a variable's they sum up to 1.
    """
    found: list[MirRow] = []
    for number in rows:
        for rounded in _of(tables, weights, number):
            best = max(rounded, key=lambda row: row.depth, default=None)
            if best is not None and best.depth > DEEP and not any(best.same(other) for other in found):
                found.append(best)
    return found


def extended(tables: Tables, rows: Iterable[MirRow]) -> Tables:
    """Return tables with further rows of the memory, one after the other, at the moments of those they come from."""
    for row in rows:
        tables = tables.replace(memory=_with(tables, row))
    return tables


def _of(tables: Tables, weights: Array, number: int) -> Iterator[list[MirRow]]:
    """Yield a row's roundings: by the least usages as bases, then by those of the heaviest values."""
    usage, allowed = usage_of(tables, number), tables.unary < FORBIDDEN
    room = int(tables.memory.room[number])
    if max(int(usage.max(initial=0)), abs(room)) > LARGEST:
        return
    heavy = allowed & (weights >= np.repeat(-least_of(-weights, tables.starts), tables.sizes))
    for preferred in (allowed, heavy):
        bases = least_of(np.where(preferred, usage, 2 * LARGEST), tables.starts)
        more = np.where(allowed, usage - np.repeat(bases, tables.sizes), 0)
        left = room - sum(bases.tolist())
        divisors = _divisors(more, weights, left) if abs(left) <= LARGEST else []
        yield [_rounded(tables, weights, number, more, left, divisor) for divisor in divisors if left % divisor]


def _divisors(more: Array, weights: Array, left: int) -> list[int]:
    """Return what is worth trying: usages of values taken in part, and what no usage exceeds."""
    sizes = np.abs(more)
    part = np.unique(sizes[(weights > PART) & (weights < 1 - PART) & (sizes > 0)])
    largest = int(sizes.max(initial=0))
    chosen = part[np.linspace(0, len(part) - 1, min(len(part), MOST_DIVISORS)).astype(np.int64)] if len(part) else part
    return sorted({*chosen.tolist(), largest, largest + abs(left)} - {0})


def _rounded(tables: Tables, weights: Array, number: int, more: Array, left: int, divisor: int) -> MirRow:
    """Return a rounding, with what every variable uses at least taken off, and without common divisor."""
    rest = left % divisor
    rounded = more // divisor * (divisor - rest) + np.maximum(0, more % divisor - rest)
    allowed = tables.unary < FORBIDDEN
    least = least_of(np.where(allowed, rounded, 4 * LARGEST), tables.starts)
    usages = np.where(allowed, rounded - np.repeat(least, tables.sizes), 0)
    usages[usages < FINEST * usages.max(initial=0)] = 0
    room = left // divisor * (divisor - rest) - sum(least.tolist())
    unit = max(1, int(np.gcd.reduce(usages)))
    usages, room = usages // unit, room // unit
    length = float(np.linalg.norm(usages.astype(np.float64)))
    return MirRow(number, usages, room, (float(usages @ weights) - room) / length if length else 0.0)


def _with(tables: Tables, row: MirRow) -> Memory:
    """Return the memory with a row more."""
    memory, rows = tables.memory, tables.memory.rows
    holders = np.flatnonzero(-least_of(-row.usages, tables.starts) > 0)
    lengths = tables.sizes[holders]
    own = row.usages[np.repeat(np.isin(np.arange(tables.count), holders), tables.sizes)]
    return replace(
        memory,
        holders=np.concatenate([memory.holders, holders]),
        spans=np.concatenate([memory.spans, np.tile([rows, rows + 1], (len(holders), 1))]),
        starts=np.concatenate([memory.starts, memory.starts[-1] + np.cumsum(lengths)]),
        usages=np.concatenate([memory.usages, own]),
        room=np.append(memory.room, row.room),
        moments=np.append(memory.moments, memory.moments[row.number]),
    )
