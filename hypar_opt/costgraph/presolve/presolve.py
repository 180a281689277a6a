"""All reductions, one after the other, until none changes anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.costgraph.presolve.aggregation import merge_followers
from hypar_opt.costgraph.presolve.capacity_tightening import check_room, forbid_crowded
from hypar_opt.costgraph.presolve.elimination import eliminate_leaves, eliminate_paths, solve_isolated
from hypar_opt.costgraph.presolve.reduction import NoPlan, NoValue, Reduction, ReductionStep
from hypar_opt.costgraph.presolve.rows import simplify_memory
from hypar_opt.costgraph.presolve.separable import fold_separable
from hypar_opt.costgraph.presolve.value_removal import drop_dominated, drop_forbidden, drop_unsupported
from hypar_opt.util.extras import require
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph import Tables

    Reduce = Callable[[Tables], tuple[Tables, ReductionStep] | None]

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


def merged(tables: Tables, over: Callable[[], bool] = never) -> Reduction:
    """Merge followers: what presolve begins with, after which nearly nothing is forbidden any more.

    Parameters
    ----------
    over
        As of `presolve`.

    Raises
    ------
    NoPlan
        If the tables allow nothing.
    MissingPackage
        If numba is not installed, which what comes after it needs.
    """
    require("graphs")
    steps: list[ReductionStep] = []
    left = tables if over() else _applied(merge_followers, tables, tables, steps)
    return Reduction(tables, left, tuple(steps), len(steps))


def presolve(
    tables: Tables, triangles: bool = False, over: Callable[[], bool] = never, begun: Reduction | None = None
) -> Reduction:
    """Reduce tables.

    Parameters
    ----------
    triangles
        Whether variables of two neighbours go as well; bounds of what is then left can't be lifted.
    over
        Asked before every reduction: whether there is no time for more. The steps made by then are as good as any.
    begun
        The tables with their followers merged, if that is done.

    Raises
    ------
    NoPlan
        If they allow nothing.
    MissingPackage
        If numba is not installed.
    """
    begun = merged(tables, over) if begun is None else begun
    steps = list(begun.steps)
    left = _repeated((forbid_crowded,), tables, begun.tables, steps, over)
    liftable = len(steps)
    left = _repeated((*_REDUCTIONS, eliminate_paths) if triangles else _REDUCTIONS, tables, left, steps, over)
    return Reduction(tables, left, tuple(steps), liftable)


def _repeated(
    reductions: Sequence[Reduce], original: Tables, tables: Tables, steps: list[ReductionStep], over: Callable[[], bool]
) -> Tables:
    """Apply reductions, from the first on again after each that changed something, until none does or it is over."""
    waiting = list(reductions)
    while waiting and not over():
        made = len(steps)
        tables = _applied(waiting.pop(0), original, tables, steps)
        if len(steps) > made:
            waiting = list(reductions)
    return tables


def _applied(reduce: Reduce, original: Tables, tables: Tables, steps: list[ReductionStep]) -> Tables:
    try:
        made = reduce(tables)
    except NoValue as none:
        variable = int(Reduction(original, tables, tuple(steps)).variables[none.variable])
        raise NoPlan(f"variable {variable}: {none}") from none
    if made is None:
        return tables
    steps.append(made[1])
    check_room(original.memory, made[0].memory.moments, made[0].memory.room)
    return made[0]
