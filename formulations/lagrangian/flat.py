"""Tables as the arrays that the compiled loops read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypar_opt.costgraph import FORBIDDEN

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


class Flat(NamedTuple):
    """Costs in floating point, what is forbidden as one large cost; a tuple, because compiled loops take those.

    Parameters
    ----------
    sizes, starts, unary, ends, edge_starts, edges
        As in `Tables`.
    incident, incident_starts
        The edges of every variable: all of them variable by variable, and where a variable's begin.
    holders, spans, usage_starts, usages, room
        As in `Memory`, usages and room in floating point.
    held, held_starts
        The items of every variable: all of them variable by variable, and where a variable's begin.
    """

    sizes: Array
    starts: Array
    unary: Array
    ends: Array
    edge_starts: Array
    edges: Array
    incident: Array
    incident_starts: Array
    holders: Array
    spans: Array
    usage_starts: Array
    usages: Array
    room: Array
    held: Array
    held_starts: Array


def flat_of(tables: Tables) -> Flat:
    """Return the arrays of tables; what is forbidden costs more than any two assignments differ by."""
    penalty = float(min(tables.span + 1, FORBIDDEN))
    memory = tables.memory
    incident, incident_starts = tables.incident
    held = np.argsort(memory.holders, kind="stable")
    held_starts = np.searchsorted(memory.holders[held], np.arange(tables.count + 1))
    return Flat(
        sizes=_whole(tables.sizes),
        starts=_whole(tables.starts),
        unary=_costs(tables.unary, penalty),
        ends=_whole(tables.ends),
        edge_starts=_whole(tables.edge_starts),
        edges=_costs(tables.edges, penalty),
        incident=_whole(incident),
        incident_starts=_whole(incident_starts),
        holders=_whole(memory.holders),
        spans=_whole(memory.spans),
        usage_starts=_whole(memory.starts),
        usages=_float(memory.usages),
        room=_float(memory.room),
        held=_whole(held),
        held_starts=_whole(held_starts),
    )


def _whole(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.int64)


def _float(values: Array) -> Array:
    return np.ascontiguousarray(values, dtype=np.float64)


def _costs(values: Array, penalty: float) -> Array:
    return np.where(values < FORBIDDEN, values.astype(np.float64), penalty)
