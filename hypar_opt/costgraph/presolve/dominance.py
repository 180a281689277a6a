"""Values that another of the same variable is never worse than, whatever its neighbours are.

A value a goes if one b that stays takes no more memory in any item, and

    cost(b) - cost(a) + sum over edges of max over the neighbour's values y of [cost_e(b, y) - cost_e(a, y)] <= 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.presolve.value_removal import Narrowing

if TYPE_CHECKING:
    from hypar_opt.costgraph import Tables


def drop_dominated(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take such values away, of all variables at once: the others' values may be any, those that go included."""
    from hypar_opt.costgraph.presolve.dominance_loops import better_values

    if not tables.count:
        return None
    items, item_starts = tables.memory.by_holder
    item_starts = np.append(item_starts, np.full(tables.count + 1 - len(item_starts), len(items)))
    edges, incident_starts = tables.incident
    instead = better_values(
        tables.starts,
        tables.unary,
        (tables.ends, tables.edge_sizes, tables.edge_starts, tables.edges, edges, incident_starts),
        (items, item_starts, tables.memory.starts, tables.memory.usages),
    )
    if np.array_equal(instead, np.arange(len(instead))):
        return None
    while not np.array_equal(instead[instead], instead):
        instead = instead[instead]
    step = Narrowing(tables, instead, "dominated")
    return step.after, step
