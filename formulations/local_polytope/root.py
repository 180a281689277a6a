"""The linear programme with those rows of memory that it breaks, and what its duals prove."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.engine import HighsEngine
from formulations.local_polytope.programme import LinearProgramme, programme_of
from formulations.local_polytope.rows import broken, row_of, taken_in_part
from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Priced, Tables, rounded
from hypar_opt.costgraph.duals import ROOM, EdgeIndex

if TYPE_CHECKING:
    from formulations.local_polytope.known import Knowledge


def prices_of(tables: Tables, layout: EdgeIndex, programme: LinearProgramme, duals: Array, prices: Array) -> Priced:
    """Return the bound of duals, of a programme that is drawn up for these tables or for a core of them.

    Parameters
    ----------
    duals
        Of the programme's rows, in the tables' unit.
    prices
        By row of the memory.
    """
    messages = programme.first.messages(duals), programme.second.messages(duals)
    found = Priced(tables, rounded(tables, *messages, prices))
    given = Priced(tables, _given(found, layout, programme.tables.unary < FORBIDDEN))
    return max(
        (one for one in (found, given) if one.fault is None),
        key=lambda one: one.bound,
        default=Priced(tables, Duals.zero(tables)),
    )


def _given(priced: Priced, layout: EdgeIndex, counts: Array) -> Duals:
    """Let edges give to their values whatever they can: afterwards none has a pair that costs less than 0.

    What does not count (it is in no column, so that its messages say nothing) comes after what does.
    """
    duals = priced.duals
    first, second = duals.first.copy(), duals.second.copy()
    counted = counts[layout.values(1)]
    free = layout.least(0, np.where(counted, priced.edges, ROOM))
    first += np.where(free < ROOM, free, 0)
    edges = priced.edges - np.where(free < ROOM, free, 0)[layout.slots[0]]
    free = layout.least(1, np.where(priced.tables.edges < FORBIDDEN, edges, ROOM))
    second += np.where(free < ROOM, free, 0)
    return Duals(duals.scale, first, second, duals.prices)


SLACK = 1e-7
"""The share of its room by which the linear programme's solution may break a row."""


def relaxed(known: Knowledge, layout: EdgeIndex, core: Tables, priced: Priced, rows: set[int]) -> tuple[Priced, str]:
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
    engine = HighsEngine(programme, known.run.limits, integral=False)
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


def _broken(programme: LinearProgramme, columns: Array) -> list[int]:
    tables = programme.tables
    weights = np.where(programme.columns >= 0, np.append(columns, 0.0)[programme.columns], tables.unary < FORBIDDEN)
    found: list[int] = broken(tables.memory, taken_in_part(tables, weights), SLACK).tolist()
    return found
