"""Alpa's formulation: one-hot strategies and one-hot pairs, every variable binary, every row of the memory.

    min  sum over i, a of c[i, a] s[i, a] + sum over edges, a, b of r[a, b] e[a, b]
    sum over a of s[i, a] = 1,   sum over a, b of e[a, b] = 1,
    sum over b of e[a, b] <= s[i, a],   sum over a of e[a, b] <= s[j, b],
    sum over what is live of m[i, a] s[i, a] <= M at every moment,   s, e binary.

Zheng et al., Alpa: Automating Inter- and Intra-Operator Parallelism for Distributed Deep Learning, OSDI 2022,
section 4.2; alpa/shard_parallel/auto_sharding.py, constraints (a) to (g), has it as here, and pairs of a node with one
strategy are the other node's. What is forbidden is bounded by 0 instead of costing 10^13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import offsets
from hypar_opt.costgraph.duals import places
from reports.benchmarks.iopddl.baselines.linear import Linear, Rows, folded, one_each, sparse, split
from reports.benchmarks.iopddl.baselines.memory import every_row

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables
    from reports.benchmarks.iopddl.baselines.report import Report


def alpa(report: Report) -> Linear:
    """State the formulation."""
    tables = folded(report.tables)
    first = len(tables.unary)
    columns = first + len(tables.edges)
    rows = [one_each(tables.starts, 0, columns), one_each(tables.edge_starts, first, columns)]
    for side in (0, 1):
        report.check()
        rows.append(_tied(tables, side, columns))
    report.check()
    if tables.memory.rows:
        rows.append(every_row(tables, columns))
    costs, tops = split(np.concatenate([tables.unary, tables.edges]))
    return Linear(costs, tops, tuple(rows), constant=tables.constant)


def _tied(tables: Tables, side: int, columns: int) -> Rows:
    """Return that pairs of a value are at most the value: sum over b of e[a, b] - s[a] <= 0."""
    own = places(tables, side)
    of_pair = _message(tables, side)
    pairs = len(tables.unary) + np.arange(len(tables.edges))
    matrix = sparse([(of_pair, pairs, 1.0), (np.arange(len(own)), own, -1.0)], (len(own), columns))
    return Rows(matrix, np.full(len(own), -np.inf), np.zeros(len(own)))


def _message(tables: Tables, side: int) -> Array:
    """Return for every pair of an edge the number of its first or second value among those of all edges."""
    rows, columns = tables.edge_sizes[:, 0], tables.edge_sizes[:, 1]
    if side == 0:
        return np.repeat(np.arange(int(rows.sum())), np.repeat(columns, rows))
    lengths = rows * columns
    within = np.arange(len(tables.edges)) - np.repeat(tables.edge_starts[:-1], lengths)
    return np.repeat(offsets(columns)[:-1], lengths) + within % np.repeat(columns, lengths)
