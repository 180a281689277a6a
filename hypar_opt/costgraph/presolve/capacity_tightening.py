"""Values that can't fit: with the least that the others take, a row would be too full.

They become forbidden. No prices bound that away, since a fraction of such a value may fit; so it belongs to what a
certificate states before its prices: for every such value there is a row r with

    usage_i(a, r) + sum over other variables j of min over allowed b of usage_j(b, r) > room_r.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Memory, Tables
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.reduction import NoPlan, NoValue, ReductionStep
from hypar_opt.costgraph.presolve.rows import usage_profile


def check_room(original: Memory, moments: Array, room: Array) -> None:
    """Raise `NoPlan` if a row is left less than no room.

    Parameters
    ----------
    original
        The memory before anything was taken off.
    moments, room
        The times of the rows that are left, and what is left of their room.
    """
    if not len(room) or int(room.min()) >= 0:
        return
    moment = int(moments[room.argmin()])
    available = int(original.room[original.moments == moment][0])
    needed = available - int(room.min())
    raise NoPlan(f"at time {moment} at least {needed} of memory is needed, and {available} is available")


@dataclass(frozen=True, eq=False)
class Crowding(ReductionStep):
    """Values forbidden, as they can't fit."""

    def contract(self, choices: Array) -> Array | None:
        """Return the same values, if all can fit."""
        return None if self.gone[self.before.starts[:-1] + choices].any() else choices


def forbid_crowded(tables: Tables) -> tuple[Tables, Crowding] | None:
    """Forbid them; once, the least that is taken may be more by it."""
    if not tables.memory.items:
        return None
    crowded = _crowded(tables) & (tables.unary < FORBIDDEN)
    if not crowded.any():
        return None
    step = Crowding(tables, "values that can't fit", crowded)
    return tables.replace(unary=np.where(crowded, FORBIDDEN, tables.unary)), step


def _crowded(tables: Tables) -> Array:
    """Return by value whether it takes more than the others leave it.

    Raises
    ------
    NoPlan
        If a row's least usages are more than its room.
    NoValue
        If a variable is left without a value.
    """
    memory = tables.memory
    found = usage_profile(memory)
    sizes = np.diff(found.starts)
    places = ranges(tables.starts[found.holders], sizes)
    allowed = tables.unary[places] < FORBIDDEN
    least = np.minimum.reduceat(np.where(allowed, found.levels, np.iinfo(np.int64).max), found.starts[:-1])
    least[~np.logical_or.reduceat(allowed, found.starts[:-1])] = 0
    taken = np.zeros(memory.rows + 1, dtype=np.int64)
    # a holder's last level is 0, and what the next one takes first is a change from it
    np.add.at(taken, found.points, np.diff(least, prepend=0))
    room = memory.room - np.cumsum(taken[:-1])
    check_room(memory, memory.moments, room)
    between = np.stack([found.points, np.append(found.points[1:], memory.rows)], axis=1).reshape(-1)
    tightest = np.minimum.reduceat(np.append(room, np.iinfo(np.int64).max), between[:-1])[::2]
    over = found.levels - np.repeat(least, sizes) - np.repeat(tightest, sizes)
    crowded = np.zeros(len(tables.unary), dtype=bool)
    crowded[places[over > 0]] = True
    _check_left(tables, crowded, room)
    return crowded


def _check_left(tables: Tables, crowded: Array, room: Array) -> None:
    """Raise `NoValue` if a variable has values, and none that fits in what room the least usages leave."""
    allowed = tables.unary < FORBIDDEN
    had, has = (np.logical_or.reduceat(which, tables.starts[:-1]) for which in (allowed, allowed & ~crowded))
    if (had & ~has).any():
        variable = int(np.flatnonzero(had & ~has)[0])
        nearest = _nearest(tables, variable, room)
        raise NoValue(variable, f"no value of it fits beside the least of the others; {nearest}")


def _nearest(tables: Tables, variable: int, room: Array) -> str:
    """Return what the value that lacks least lacks, and when it lacks most."""
    memory = tables.memory
    taken = np.zeros((memory.rows, int(tables.sizes[variable])), dtype=np.int64)
    for item in np.flatnonzero(memory.holders == variable).tolist():
        first, last = memory.spans[item].tolist()
        taken[first:last] += memory.of(item)
    allowed = tables.own(variable) < FORBIDDEN
    least = np.where(allowed, taken, np.iinfo(np.int64).max).min(axis=1)
    lacking = taken - least[:, None] - room[:, None]
    value = int(np.where(allowed, lacking.max(axis=0), np.iinfo(np.int64).max).argmin())
    row = int(lacking[:, value].argmax())
    available = int(memory.room[row])
    needed = available + int(lacking[row, value])
    return f"with {value}, at time {memory.moments[row]} {needed} of memory is needed, and {available} is available"
