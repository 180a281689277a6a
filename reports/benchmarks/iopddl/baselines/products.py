"""XLA's formulation: a product e of two strategies is at least their sum less one.

    min  sum over i, a of c[i, a] s[i, a] + sum over edges, a, b of r[a, b] e[a, b]
    sum over a of s[i, a] = 1,   e[a, b] >= s[i, a] + s[j, b] - 1,   s, e binary,

and the memory. openxla/xla, xla/hlo/experimental/auto_sharding/auto_sharding_solver.cc, constraints b, c and e; what
costs infinity is fixed to 0. It shares sums of memory between moments (ReduceMemoryTerms); here the level of memory is
a variable at every moment, which shares all that can be. Products without a cost are left out, as they bind nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reports.benchmarks.iopddl.baselines.linear import Linear, Rows, folded, one_each, pair_values, sparse, split
from reports.benchmarks.iopddl.baselines.memory import levels

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables
    from reports.benchmarks.iopddl.baselines.report import Report


def products(report: Report) -> Linear:
    """State the formulation."""
    tables, constant = _not_negative(folded(report.tables))
    report.check()
    used = np.flatnonzero(tables.edges)
    own, room = len(tables.unary), tables.memory.room
    columns = own + len(used) + len(room)
    first, second = (one[used] for one in pair_values(tables))
    each = np.arange(len(used))
    matrix = sparse([(each, own + each, 1.0), (each, first, -1.0), (each, second, -1.0)], (len(used), columns))
    rows = [one_each(tables.starts, 0, columns)]
    rows.append(Rows(matrix, np.full(len(used), -1.0), np.full(len(used), np.inf)))
    report.check()
    if len(room):
        rows.append(levels(tables, own + len(used), columns))
    costs, tops = split(np.concatenate([tables.unary, tables.edges[used]]))
    none = np.zeros(len(room), dtype=np.int64)
    return Linear(np.concatenate([costs, none]), np.concatenate([tops, room]), tuple(rows), len(room), constant)


def _not_negative(tables: Tables) -> tuple[Tables, int]:
    """Take negative least costs of edges off: a product that saves something would be there without its factors."""
    if not len(tables.ends):
        return tables, tables.constant
    least: Array = np.minimum(np.minimum.reduceat(tables.edges, tables.edge_starts[:-1]), 0)
    costs, allowed = split(tables.edges)
    costs = costs - np.repeat(least, np.diff(tables.edge_starts))
    edges = np.where(allowed > 0, costs, tables.edges)
    return tables.replace(edges=edges), tables.constant + int(least.sum())
