"""All reductions, one after the other, until none changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.presolve.followers import merge_followers
from hypar_opt.presolve.isolated import solve_isolated
from hypar_opt.presolve.reduction import NoPlan, Reduction
from hypar_opt.presolve.rows import simplify_memory
from hypar_opt.presolve.separable import fold_separable
from hypar_opt.presolve.support import drop_forbidden, drop_unsupported

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph import Tables
    from hypar_opt.presolve.reduction import Step

    Reduce = Callable[[Tables], tuple[Tables, Step] | None]


def presolve(tables: Tables) -> Reduction:
    """Reduce tables.

    Raises
    ------
    NoPlan
        If they allow nothing.
    """
    original = tables
    steps: list[Step] = []
    merged = merge_followers(tables)
    if merged is not None:
        tables = merged[0]
        steps.append(merged[1])
    changed = True
    while changed:
        changed = False
        for reduce in _REDUCTIONS:
            while (made := reduce(tables)) is not None:
                tables, step = made
                _check_room(original, tables)
                steps.append(step)
                changed = True
    return Reduction(original, tables, tuple(steps))


_REDUCTIONS: tuple[Reduce, ...] = (
    drop_forbidden,
    drop_unsupported,
    simplify_memory,
    fold_separable,
    solve_isolated,
)
"""What is tried, in this order."""


def _check_room(original: Tables, tables: Tables) -> None:
    """Raise `NoPlan` if the least usages of a row, which are taken off by now, are more than its room."""
    memory = tables.memory
    if not memory.rows or int(memory.room.min()) >= 0:
        return
    row = int(memory.room.argmin())
    moment = int(memory.moments[row])
    available = int(original.memory.room[original.memory.moments == moment][0])
    needed = available - int(memory.room[row])
    raise NoPlan(f"at time {moment} at least {needed} of memory is needed, and {available} is available")
