"""Memory with as little in it as says the same.

What a variable takes at the least is taken off the room. Its items become such as do not overlap. Those rows go that
can't be too full, and those in which no variable takes more than in the next, whatever its value, where that one has no
more room.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from hypar_opt.costgraph import Array, Duals, Memory, Tables, offsets
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.reduction import ReductionStep


@dataclass(frozen=True, eq=False)
class Rows(ReductionStep):
    """Memory made simpler."""

    def lift(self, duals: Duals) -> Duals:
        """Ask no price for the rows that went."""
        prices = np.zeros(len(self.gone), dtype=np.int64)
        prices[~self.gone] = duals.prices
        return replace(duals, prices=prices)


def simplify_memory(tables: Tables) -> tuple[Tables, Rows] | None:
    """Simplify the memory."""
    memory, rows = tables.memory, np.arange(tables.memory.rows)
    while True:
        apart, falls, rises = _apart(memory)
        kept = ~(_never_full(apart) | _contained(apart.room, falls, rises))
        spans = offsets(kept)[apart.spans]
        simpler, rows = apart.restricted(spans[:, 0] < spans[:, 1], kept), rows[kept]
        if kept.all():
            break
        memory = simpler
    if _same(tables.memory, simpler):
        return None
    gone = np.ones(tables.memory.rows, dtype=bool)
    gone[rows] = False
    return tables.replace(memory=simpler), Rows(tables, "rows of memory", gone)


def _same(first: Memory, second: Memory) -> bool:
    names = ("holders", "spans", "usages", "room")
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in names)


def _apart(memory: Memory) -> tuple[Memory, Array, Array]:
    """Return it with items that do not overlap and are 0 somewhere; the rows that have less of any than the row before.

    And the rows that have more of any.
    """
    falls, rises = np.zeros(memory.rows + 1, dtype=bool), np.zeros(memory.rows + 1, dtype=bool)
    if not memory.items:
        return memory, falls[:-1], rises[:-1]
    found = usage_profile(memory)
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


@dataclass(frozen=True, eq=False)
class UsageProfile:
    """What holders take, all of their items together, from each of the rows on in which that may change.

    Parameters
    ----------
    holders, points
        By change, whose it is, and the row; ordered.
    starts
        Where in `changes` and `levels` those of a change begin.
    changes, levels
        By change and value, by how much, and what is taken from then on.
    """

    holders: Array
    points: Array
    starts: Array
    changes: Array
    levels: Array


def usage_profile(memory: Memory) -> UsageProfile:
    """Return what holders take, as sums of changes: those of a holder's value stand together and end at 0."""
    both = memory.holders[:, None] * (memory.rows + 1) + memory.spans
    keys, where = np.unique(both, return_inverse=True)
    where = where.reshape(-1, 2)
    lengths = np.diff(memory.starts)
    sizes = np.zeros(len(keys), dtype=np.int64)
    sizes[where] = lengths[:, None]
    starts = offsets(sizes)
    holders, points = np.divmod(keys, memory.rows + 1)
    firsts = np.searchsorted(holders, holders)
    counts = np.searchsorted(holders, holders, side="right") - firsts
    places = np.repeat(starts[firsts] + np.arange(len(keys)) - firsts, sizes)
    places += ranges(np.zeros_like(sizes), sizes) * np.repeat(counts, sizes)
    changes = np.zeros(len(places), dtype=np.int64)
    for side, take in ((0, np.add), (1, np.subtract)):
        take.at(changes, places[ranges(starts[where[:, side]], lengths)], memory.usages)
    return UsageProfile(holders, points, starts, changes[places], np.cumsum(changes)[places])
