"""The linear programme with those rows of memory that it breaks, and what its duals prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.engine import Engine
from formulations.local_polytope.prices import prices_of
from formulations.local_polytope.programme import programme_of
from formulations.local_polytope.rows import broken, row_of, taken_in_part
from hypar_opt.costgraph import FORBIDDEN

if TYPE_CHECKING:
    from formulations.local_polytope.known import Known
    from formulations.local_polytope.programme import Programme
    from hypar_opt.costgraph import Array, Priced, Tables
    from hypar_opt.costgraph.layout import Layout

SLACK = 1e-7
"""The share of its room by which the linear programme's solution may break a row."""


def relaxed(known: Known, layout: Layout, core: Tables, priced: Priced, rows: set[int]) -> tuple[Priced, str]:
    """Solve the linear programme of a core, row by row; plans, and bounds of all plans, go to `known`.

    Parameters
    ----------
    priced
        The core's best bound so far.
    rows
        Of the memory, to begin with; those that are broken are added.

    Returns
    -------
    priced
        The core's best bound.
    ended
        HiGHS's word for how it ended.
    """
    programme = programme_of(core)
    engine = Engine(programme, known.run.limits, integral=False)
    engine.add(row_of(programme, row) for row in sorted(rows))
    while True:
        outcome = engine.solve()
        if outcome.duals is not None:
            prices = engine.prices(outcome.duals, core.memory.rows)
            known.prove(prices_of(known.tables, layout, programme, outcome.duals, prices))
            found = prices_of(core, layout, programme, outcome.duals, prices)
            priced = max(priced, found, key=lambda one: one.bound)
        if outcome.columns is None or outcome.status != "kOptimal":
            return priced, outcome.status
        known.offer(programme.choices(outcome.columns))
        new = set(_broken(programme, outcome.columns)) - rows
        if not new or known.proven:
            return priced, outcome.status
        rows |= new
        engine.add(row_of(programme, row) for row in sorted(new))


def _broken(programme: Programme, columns: Array) -> list[int]:
    tables = programme.tables
    weights = np.where(programme.columns >= 0, np.append(columns, 0.0)[programme.columns], tables.unary < FORBIDDEN)
    found: list[int] = broken(tables.memory, taken_in_part(tables, weights), SLACK).tolist()
    return found
