"""Memory with as little in it as says the same.

What a variable takes at the least is taken off the room. Its items become such as do not overlap. Those rows go that
can't be too full, and those in which no variable takes more than in the next, whatever its value, where that one has no
more room.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import Memory, offsets
from hypar_opt.costgraph.presolve.levels import levels
from hypar_opt.costgraph.presolve.reduction import Step
from hypar_opt.costgraph.presolve.sums import ranges

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Duals, Tables


@dataclass(frozen=True, eq=False)
class Rows(Step):
    """Memory made simpler.

    Parameters
    ----------
    kept
        By row, whether it stays.
    """

    kept: Array

    @property
    def name(self) -> str:
        """What it takes away."""
        return "rows of memory"

    @property
    def removed(self) -> int:
        """Number of rows that went."""
        return int((~self.kept).sum())

    def lift(self, duals: Duals) -> Duals:
        """Ask no price for the rows that went."""
        prices = np.zeros(len(self.kept), dtype=np.int64)
        prices[self.kept] = duals.prices
        return replace(duals, prices=prices)


def simplify_memory(tables: Tables) -> tuple[Tables, Rows] | None:
    """Simplify the memory."""
    memory, rows = tables.memory, np.arange(tables.memory.rows)
    while True:
        apart, falls, rises = _apart(memory)
        kept = ~(_never_full(apart) | _contained(apart.room, falls, rises))
        simpler, rows = _with_rows(apart, kept), rows[kept]
        if kept.all():
            break
        memory = simpler
    if _same(tables.memory, simpler):
        return None
    return tables.replace(memory=simpler), Rows(tables, np.isin(np.arange(tables.memory.rows), rows))


def _same(first: Memory, second: Memory) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in ("holders", "spans", "usages", "room")
    )


def _apart(memory: Memory) -> tuple[Memory, Array, Array]:
    """Return it with items that do not overlap and are 0 somewhere; the rows that have less of any than the row before.

    And the rows that have more of any.
    """
    falls, rises = np.zeros(memory.rows + 1, dtype=bool), np.zeros(memory.rows + 1, dtype=bool)
    if not memory.items:
        return memory, falls[:-1], rises[:-1]
    found = levels(memory)
    sizes = np.diff(found.starts)
    least = np.minimum.reduceat(found.levels, found.starts[:-1])
    more = np.diff(least, prepend=0)
    taken = np.zeros(memory.rows + 1, dtype=np.int64)
    np.add.at(taken, found.points, more)
    excess, changes = found.levels - np.repeat(least, sizes), found.changes - np.repeat(more, sizes)
    falling = np.minimum.reduceat(changes, found.starts[:-1]) < 0
    rising = np.maximum.reduceat(changes, found.starts[:-1]) > 0
    falls[found.points[falling]] = True
    rises[found.points[rising]] = True
    other = np.flatnonzero(falling | rising)
    until = np.append(found.points[other[1:]], 0)
    used = np.maximum.reduceat(excess, found.starts[:-1])[other] > 0
    items = other[used]
    apart = Memory(
        found.holders[items],
        np.stack([found.points[items], until[used]], axis=1),
        offsets(sizes[items]),
        excess[ranges(found.starts[items], sizes[items])],
        memory.room - np.cumsum(taken[:-1]),
        memory.moments,
    )
    return apart, falls[:-1], rises[:-1]


def _never_full(memory: Memory) -> Array:
    """Return which rows can't be too full."""
    most = np.maximum.reduceat(memory.usages, memory.starts[:-1]) if memory.items else memory.holders
    full: Array = memory.summed(most) <= memory.room
    return full


def _contained(room: Array, falls: Array, rises: Array) -> Array:
    """Return which rows say no more than the one before or after; of two that say the same, the later."""
    fits_next = np.append(~falls[1:] & (room[1:] <= room[:-1]), False)
    fits_last = np.insert(~rises[1:] & (room[:-1] <= room[1:]), 0, False)
    same_as_next = fits_next & np.append(fits_last[1:], False)
    contained: Array = (fits_next & ~same_as_next) | fits_last
    return contained


def _with_rows(memory: Memory, kept: Array) -> Memory:
    """Return it with some rows only, without the items that stand in none of them."""
    spans = offsets(kept.astype(np.int64))[memory.spans].reshape(-1, 2)
    stays = spans[:, 0] < spans[:, 1]
    lengths = np.diff(memory.starts)
    return Memory(
        memory.holders[stays],
        spans[stays],
        offsets(lengths[stays]),
        memory.usages[np.repeat(stays, lengths)],
        memory.room[kept],
        memory.moments[kept],
    )
