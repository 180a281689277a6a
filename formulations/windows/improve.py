"""Windows, one after the other, until none makes an assignment better or time is up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.windows.layout import layout_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from formulations.windows.layout import Layout
    from hypar_opt.costgraph import Array, Tables

BATCH: Final = 500
"""Windows between two looks at the clock."""
PATIENCE: Final = 20
"""Windows a variable that change nothing before it is over."""


def improve(
    tables: Tables,
    choices: Array,
    over: Callable[[], bool],
    seed: int,
    told: Callable[[int, Array], None],
    workers: int = 1,
) -> Array:
    """Return an assignment that is no worse than a feasible one, and feasible.

    Parameters
    ----------
    over
        Whether to end; asked a few times a second.
    told
        Called with the cost and the choices of everything better, from the calling thread.
    workers
        Threads, each with windows of its own; the best of them all is taken from time to time.
    """
    layout = layout_of(tables)
    best = np.array(choices, dtype=np.int64)
    value = tables.value(best)
    noises = [np.random.default_rng((seed, worker)) for worker in range(workers)]
    idle = 0
    with ThreadPoolExecutor(workers) as pool:
        while idle < PATIENCE * tables.count and not over():
            tried = pool.map(_descended, repeat(layout), repeat(tables), repeat(best), noises)
            found = min(tried, key=tables.value)
            idle += BATCH * workers
            if (lower := tables.value(found)) < value and tables.feasible(found):
                best, value, idle = found, lower, 0
                told(value, best.copy())
    return best


def _descended(layout: Layout, tables: Tables, choices: Array, noise: np.random.Generator) -> Array:
    from formulations.windows.descent import descend

    found = choices.copy()
    descend(layout, found, tables.memory.used(found), BATCH, noise)
    return found
