"""Several plans made into one: for every variable a value that one of them gives it, the best together.

Where the plans agree nothing is left to choose, and presolve leaves little of the rest: branch and bound over the
local polytope takes parts of the one and of the other, and shares the memory out among them. (Lempitsky, Rother, Roth
and Blake, Fusion Moves for Markov Random Field Optimization, 2010.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, graph_of
from hypar_opt.presolve import presolve
from hypar_opt.run import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.run import Limits

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
