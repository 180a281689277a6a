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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array, Duals, Tables


@dataclass(frozen=True, eq=False)
class Rows:
    """Memory made simpler.

    Parameters
    ----------
    before
        The tables with all of it.
    kept
        By row, whether it stays.
    """

    before: Tables
    kept: Array
    name: str = "rows"

    def expand(self, choices: Array) -> Array:
        """Return the same values."""
        return choices

    def contract(self, choices: Array) -> Array | None:
        """Return the same values."""
        return choices

    def lift(self, duals: Duals) -> Duals:
        """Ask no price for the rows that went."""
        prices = np.zeros(len(self.kept), dtype=np.int64)
        prices[self.kept] = duals.prices
        return replace(duals, prices=prices)


def simplify_memory(tables: Tables) -> tuple[Tables, Rows] | None:
    """Simplify the memory."""
    memory = tables.memory
    if not memory.rows:
        return None
    apart, falls, rises = _apart(memory)
    kept = ~(_never_full(apart) | _contained(apart.room, falls, rises))
    numbers = offsets(kept.astype(np.int64))
    after = _without_empty(
        replace(apart, spans=numbers[apart.spans], room=apart.room[kept], moments=apart.moments[kept])
    )
    if kept.all() and _same(memory, after):
        return None
    return tables.replace(memory=after), Rows(tables, kept)


def _same(first: Memory, second: Memory) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in ("holders", "spans", "usages", "room")
    )


def _levels(memory: Memory) -> Iterator[tuple[int, Array, Array]]:
    """Yield holders, rows in which their usage may change, and what they take by value from each of those on."""
    order, starts = memory.by_holder
    for holder in np.unique(memory.holders).tolist():
        items = order[starts[holder] : starts[holder + 1]]
        points, where = np.unique(memory.spans[items], return_inverse=True)
        where = where.reshape(-1, 2)
        size = int(memory.starts[items[0] + 1] - memory.starts[items[0]])
        usages = memory.usages[memory.starts[items][:, None] + np.arange(size)]
        changes = np.zeros((len(points), size), dtype=np.int64)
        np.add.at(changes, where[:, 0], usages)
        np.subtract.at(changes, where[:, 1], usages)
        yield holder, points, np.cumsum(changes, axis=0)


def _apart(memory: Memory) -> tuple[Memory, Array, Array]:
    """Return it with items that do not overlap and are 0 somewhere; the rows that have less of any than the row before.

    And the rows that have more of any.
    """
    taken = np.zeros(memory.rows + 1, dtype=np.int64)
    falls, rises = np.zeros(memory.rows + 1, dtype=bool), np.zeros(memory.rows + 1, dtype=bool)
    holders, spans, usages = [], [], []
    for holder, points, levels in _levels(memory):
        least = levels.min(axis=1)
        np.add.at(taken, points, np.diff(least, prepend=0))
        levels = levels - least[:, None]
        changes = np.diff(levels, axis=0, prepend=0)
        falls[points] |= (changes < 0).any(axis=1)
        rises[points] |= (changes > 0).any(axis=1)
        other = np.flatnonzero((changes != 0).any(axis=1))
        used = levels[other[:-1]].any(axis=1)
        holders += [holder] * int(used.sum())
        spans.append(np.stack([points[other[:-1]], points[other[1:]]], axis=1)[used])
        usages.append(levels[other[:-1]][used])
    room = memory.room - np.cumsum(taken[:-1])
    empty = np.zeros(0, dtype=np.int64)
    lengths = np.array([one.shape[1] for one in usages for _ in one], dtype=np.int64)
    apart = Memory(
        np.array(holders, dtype=np.int64),
        np.concatenate([empty.reshape(0, 2), *spans]),
        offsets(lengths),
        np.concatenate([empty, *(one.reshape(-1) for one in usages)]),
        room,
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


def _without_empty(memory: Memory) -> Memory:
    """Return it without items that stand in no row any more."""
    stays = memory.spans[:, 0] < memory.spans[:, 1]
    lengths = np.diff(memory.starts)
    return replace(
        memory,
        holders=memory.holders[stays],
        spans=memory.spans[stays],
        starts=offsets(lengths[stays]),
        usages=memory.usages[np.repeat(stays, lengths)],
    )
