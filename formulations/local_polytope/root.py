"""The linear programme with those rows of memory that it breaks, and what its duals prove."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from formulations.local_polytope.coarse import above_least
from formulations.local_polytope.engine import HighsEngine
from formulations.local_polytope.mir_rows import deepest, extended
from formulations.local_polytope.programme import LinearProgramme, programme_of
from formulations.local_polytope.rows import broken, exact_row_of, taken_in_part
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
LITTLE = 0.01
"""Rows are rounded as long as the last ones have raised the bound by so much of what all have, and of the gap."""


@dataclass(frozen=True, eq=False)
class Relaxation:
    """What the linear programme of a core has shown.

    Parameters
    ----------
    tables
        The core, with the rows of its memory that came from rounding others.
    priced
        Its best bound.
    ended
        HiGHS's word for how it ended.
    """

    tables: Tables
    priced: Priced
    ended: str


def relaxed(known: Knowledge, layout: EdgeIndex, priced: Priced, rows: set[int]) -> Relaxation:
    """Solve the linear programme of a core, row by row; plans, and bounds of all plans, go to `known`.

    First come rows of the memory that its solution breaks; then, where it breaks none any more, those by rounding.

    Parameters
    ----------
    priced
        The core and its best bound so far.
    rows
        Of the memory, to begin with; those that are added come to it.
    """
    core = priced.tables
    given = core.memory.rows
    above, base = above_least(core, priced.duals)
    programme = programme_of(above).of_costs_before(base.duals)
    # under messages near the best ones hardly a column is worth entering: presolve would take most of the time
    far = not any(np.any(messages) for messages in base.duals.messages)
    engine = HighsEngine(programme, known.run.limits, integral=False, presolved=far)
    engine.add(exact_row_of(programme, row) for row in sorted(rows))
    reached: list[float] = []
    while True:
        outcome = engine.solve()
        if outcome.duals is not None:
            prices = engine.prices(outcome.duals, core.memory.rows)
            if not reached:
                # what rests on rounded rows holds for what is left only
                of_all = prices[: known.tables.memory.rows]
                known.prove(prices_of(known.tables, layout, programme, outcome.duals, of_all))
            priced = max(
                Priced(core, priced.duals.padded(core.memory.rows)),
                prices_of(core, layout, programme, outcome.duals, prices),
                key=lambda one: one.bound,
            )
        if outcome.columns is None or outcome.status != "kOptimal":
            return Relaxation(core, priced, outcome.status)
        known.offer(programme.choices(outcome.columns))
        if known.proven or known.best.met_by(priced.bound):
            return Relaxation(core, priced, outcome.status)
        weights = _weights(programme, outcome.columns)
        new = set(broken(core.memory, taken_in_part(core, weights), SLACK).tolist()) - rows
        if not new:
            reached.append(float(programme.costs @ outcome.columns))
            pays = _pays(reached, 0.0 if known.value is None else float(known.value - priced.bound))
            rounded = deepest(core, weights, sorted(row for row in rows if row < given)) if pays else []
            if not rounded:
                return Relaxation(core, priced, outcome.status)
            new = set(range(core.memory.rows, core.memory.rows + len(rounded)))
            core = extended(core, rounded)
            programme = replace(programme, tables=above.replace(memory=core.memory))
        rows |= new
        engine.add(exact_row_of(programme, row) for row in sorted(new))


def _pays(reached: list[float], gap: float) -> bool:
    """Return whether rounding goes on: twice, then as long as it brings something of all it has, and of the gap."""
    return len(reached) < 3 or reached[-1] - reached[-2] > LITTLE * max(reached[-1] - reached[0], gap)


def _weights(programme: LinearProgramme, columns: Array) -> Array:
    """Return by value of what is left how much of it a solution takes."""
    taken = np.append(columns, 0.0)[programme.columns]
    found: Array = np.where(programme.columns >= 0, taken, programme.tables.unary < FORBIDDEN)
    return found
