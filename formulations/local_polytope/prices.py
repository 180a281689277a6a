"""From the duals of a linear programme to prices in integers, and what edges can still give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Duals, Priced, rounded
from hypar_opt.costgraph.duals import ROOM

if TYPE_CHECKING:
    from formulations.local_polytope.programme import Programme
    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.costgraph.layout import Layout


def prices_of(tables: Tables, layout: Layout, programme: Programme, duals: Array, prices: Array) -> Priced:
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
    return max((one for one in (found, given) if one.fault is None), key=lambda one: one.bound, default=_none(tables))


def _none(tables: Tables) -> Priced:
    return Priced(tables, Duals.zero(tables))


def _given(priced: Priced, layout: Layout, counts: Array) -> Duals:
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
