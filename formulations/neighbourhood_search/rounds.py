"""Plans shaken and mended, and fused with the best, until nothing comes of it or time is up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.windows.fusing import fused
from formulations.windows.layout import layout_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.run import Limits

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
    layout: Layout
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
        from formulations.windows.descent import descend

        return 0.0 if self.over() else descend(self.layout, choices, used, BATCH, slack, noise)


def improve(
    tables: Tables,
    choices: Array,
    over: Callable[[], bool],
    limits: Limits,
    told: Callable[[int, Array], None],
    others: Sequence[Array] = (),
) -> Array:
    """Return an assignment that is no worse than a feasible one, and feasible.

    Parameters
    ----------
    over
        Whether to end; asked a few times a second, by every thread.
    limits
        Of the run: fusions keep them too; every worker is a thread with windows of its own.
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
    workers = limits.workers
    noises = [np.random.default_rng((limits.seed, worker)) for worker in range(workers)]
    idle = rounds = 0
    with ThreadPoolExecutor(workers) as pool:
        while not over() and (idle < PATIENCE * tables.count or idle < ROUNDS * MENDED * workers):
            found = pool.map(another, [best] * workers, noises, [rounds > 0] * workers)
            best = fused(tables, [*plans, *found], limits)
            plans, rounds, idle = [best], rounds + 1, idle + MENDED * workers
            if (lower := tables.value(best)) < value:
                value, idle = lower, 0
                told(value, best.copy())
    return best
