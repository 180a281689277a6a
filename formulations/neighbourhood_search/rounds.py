"""Plans shaken and mended, and fused with the best, until nothing comes of it or time is up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.neighbourhood_search.layout import TableLayout, layout_of
from hypar_opt.costgraph import FORBIDDEN, Array, Tables, graph_of
from hypar_opt.costgraph.presolve import presolve
from hypar_opt.formulation.run import Limits, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


LONGEST_S: Final = 2.0
"""What a fusion may take; most take a tenth of it."""


def fused(tables: Tables, plans: Sequence[Array], limits: Limits) -> Array:
    """Return a feasible assignment that takes every value from one of some feasible plans, and is as good as any."""
    best = min(plans, key=tables.value)
    if limits.over:
        return best
    kept = np.zeros(len(tables.unary), dtype=np.bool_)
    for plan in plans:
        kept[tables.starts[:-1] + plan] = True
    reduction = presolve(tables.replace(unary=np.where(kept, tables.unary, FORBIDDEN)))
    start = reduction.contract(best)
    choices = None if start is None else _solved(reduction.tables, start, limits)
    found = best if choices is None else reduction.expand(choices)
    return found if tables.feasible(found) and tables.value(found) < tables.value(best) else best


def _solved(tables: Tables, start: Array, limits: Limits) -> Sequence[int] | Array | None:
    """Return the best assignment, or what is found in time; None where HiGHS cannot be asked."""
    from formulations.local_polytope import accepts, solve

    if not len(start):
        return start
    graph, _ = graph_of(tables)
    run = Run("windows", replace(limits.within(LONGEST_S), workers=1), tuple(start.tolist()))
    return None if accepts(graph, run) else solve(graph, run).choices


BATCH: Final = 10
"""Windows between two looks at the clock."""
SHAKEN: Final = 100
MENDED: Final = 150
"""Windows that change a plan, and then windows that make it better."""
LEAST: Final = 0.03
MOST: Final = 5.0
"""By how much of the cost a plan may get worse by shaking; small and large shares equally often."""
PATIENCE: Final = 20
"""Windows a variable that make nothing better before it is over."""
ROUNDS: Final = 4
"""Rounds that make nothing better, at least."""


@dataclass(frozen=True, eq=False)
class _Round:
    """One thread's way to another plan.

    Parameters
    ----------
    tables, layout
        Of one another.
    over
        Whether to end.
    """

    tables: Tables
    layout: TableLayout
    over: Callable[[], bool]

    def __call__(self, best: Array, noise: np.random.Generator, shaken: bool) -> Array:
        """Return a feasible assignment near one: locally best, nowhere near if that was, too."""
        choices = best.copy()
        used = self.tables.memory.used(choices)
        if shaken:
            slack = self.tables.value(choices) * LEAST * (MOST / LEAST) ** noise.random()
            for _ in range(0, SHAKEN, BATCH):
                slack -= self._descend(choices, used, slack, noise)
        for _ in range(0, MENDED, BATCH):
            self._descend(choices, used, 0.0, noise)
        return choices

    def _descend(self, choices: Array, used: Array, slack: float, noise: np.random.Generator) -> float:
        from formulations.neighbourhood_search.descent import descend

        return 0.0 if self.over() else descend(self.layout, choices, used, BATCH, slack, noise)


def improve(
    tables: Tables,
    choices: Array,
    over: Callable[[], bool],
    limits: Limits,
    told: Callable[[int, Array], object],
    others: Sequence[Array] = (),
) -> Array:
    """Return an assignment that is no worse than a feasible one, and feasible.

    Parameters
    ----------
    over
        Whether to end; asked a few times a second, by every thread.
    limits
        Of the run: fusions keep them too; every worker that is not lent is a thread with windows of its own.
    told
        Called with the cost and the choices of everything better, from the calling thread.
    others
        More assignments, whose parts may be better; those that are not feasible are left out.

    Raises
    ------
    ValueError
        If none is feasible.
    """
    plans = [np.array(one, dtype=np.int64) for one in (choices, *others) if tables.feasible(one)]
    if not plans:
        raise ValueError("windows begin with a feasible plan")
    best = min(plans, key=tables.value)
    value = tables.value(best)
    if not tables.count:
        return best
    another = _Round(tables, layout_of(tables), over)
    noises = [np.random.default_rng((limits.seed, worker)) for worker in range(limits.workers)]
    idle = rounds = 0
    with ThreadPoolExecutor(limits.workers) as pool:
        while not over() and (idle < PATIENCE * tables.count or idle < ROUNDS * MENDED * limits.workers):
            workers = limits.workers_left
            found = pool.map(another, [best] * workers, noises[:workers], [rounds > 0] * workers)
            best = fused(tables, [*plans, *found], limits)
            plans, rounds, idle = [best], rounds + 1, idle + MENDED * workers
            if (lower := tables.value(best)) < value:
                value, idle = lower, 0
                told(value, best.copy())
    return best
