"""All reductions, one after the other, until none changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.presolve.dominance import drop_dominated
from hypar_opt.presolve.elimination import eliminate_leaves, eliminate_paths
from hypar_opt.presolve.followers import merge_followers
from hypar_opt.presolve.isolated import solve_isolated
from hypar_opt.presolve.reduction import NoPlan, Reduction
from hypar_opt.presolve.rows import simplify_memory
from hypar_opt.presolve.separable import fold_separable
from hypar_opt.presolve.support import drop_forbidden, drop_unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph import Tables
    from hypar_opt.presolve.reduction import Step

    Reduce = Callable[[Tables], tuple[Tables, Step] | None]

_REDUCTIONS: tuple[Reduce, ...] = (
    drop_forbidden,
    drop_unsupported,
    simplify_memory,
    fold_separable,
    drop_dominated,
    eliminate_leaves,
    solve_isolated,
)
"""What is tried, in this order."""


def presolve(tables: Tables, triangles: bool = False) -> Reduction:
    """Reduce tables.

    Parameters
    ----------
    triangles
        Whether variables of two neighbours go as well; bounds of what is then left can't be lifted.

    Raises
    ------
    NoPlan
        If they allow nothing.
    """
    steps: list[Step] = []
    left = _applied(merge_followers, tables, steps)
    reductions = (*_REDUCTIONS, eliminate_paths) if triangles else _REDUCTIONS
    return Reduction(tables, _repeated(reductions, tables, left, steps), tuple(steps))


def _repeated(reductions: Sequence[Reduce], original: Tables, tables: Tables, steps: list[Step]) -> Tables:
    """Apply reductions in their order, each as often as it changes anything, until none does."""
    waiting = list(reductions)
    while waiting:
        reduce = waiting.pop(0)
        made = len(steps)
        tables = _applied(reduce, tables, steps)
        if len(steps) > made:
            _check_room(original, tables)
            waiting = list(reductions)
    return tables


def _applied(reduce: Reduce, tables: Tables, steps: list[Step]) -> Tables:
    made = reduce(tables)
    if made is None:
        return tables
    steps.append(made[1])
    return made[0]


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
