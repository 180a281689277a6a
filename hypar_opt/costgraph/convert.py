"""Between a CostGraph and its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, overload

import numpy as np

from hypar_opt.components import TOTAL
from hypar_opt.costgraph.edge import TableEdge
from hypar_opt.costgraph.graph import CostGraph
from hypar_opt.costgraph.memory import Memory
from hypar_opt.costgraph.objective import Objective
from hypar_opt.costgraph.parts import Capacity, Edge, Variable
from hypar_opt.costgraph.tables import FORBIDDEN, Tables, offsets
from hypar_opt.costgraph.unary import TableUnary

if TYPE_CHECKING:
    from hypar_opt.costgraph.unary import Array


@dataclass(frozen=True, eq=False)
class RowCapacities(Sequence[Capacity]):
    """The rows of a memory as capacities, each made when it is asked for."""

    memory: Memory

    def __len__(self) -> int:
        return self.memory.rows

    @overload
    def __getitem__(self, row: int) -> Capacity: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Capacity]: ...

    def __getitem__(self, row: int | slice) -> Capacity | Sequence[Capacity]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        memory = self.memory
        number = range(memory.rows)[row]
        live = np.flatnonzero((memory.spans[:, 0] <= number) & (number < memory.spans[:, 1]))
        usages: dict[int, Array] = {}
        for item in live.tolist():
            holder = int(memory.holders[item])
            usages[holder] = usages[holder] + memory.of(item) if holder in usages else memory.of(item)
        name = f"memory at time {memory.moments[number]}"
        return Capacity(name, int(memory.room[number]), {one: TableUnary(use) for one, use in usages.items()})


def graph_of(tables: Tables) -> tuple[CostGraph, int]:
    """Return a CostGraph, and what an assignment of the tables costs besides.

    What is forbidden costs more than all else together; what costs the graph's `ceiling` has something forbidden.
    The graph's own `tables` are these, every part's least cost taken off.
    """
    tables, shift = _normal(tables)
    penalty = tables.span + 1
    dtype = np.int64 if penalty < FORBIDDEN else object

    def finite(costs: Array) -> Array:
        return np.where(costs < FORBIDDEN, costs.astype(dtype), np.array(penalty, dtype=dtype))

    unary = [TableUnary(finite(tables.own(i))) for i in range(tables.count)]
    variables = [Variable(str(i), int(size)) for i, size in enumerate(tables.sizes)]
    edges = [
        Edge(int(first), int(second), {TOTAL: TableEdge(finite(tables.table(e)))})
        for e, (first, second) in enumerate(tables.ends)
    ]
    graph = CostGraph(
        tuple(variables),
        tuple({TOTAL: one} for one in unary),
        tuple(edges),
        Objective({TOTAL: Fraction(1)}),
        RowCapacities(tables.memory) if tables.memory.rows else (),
        ceiling=penalty,
    )
    graph.__dict__["tables"] = tables
    return graph, shift


def _normal(tables: Tables) -> tuple[Tables, int]:
    """Take every part's least cost off."""
    shift = tables.constant
    parts = []
    for values, starts in ((tables.unary, tables.starts), (tables.edges, tables.edge_starts)):
        least = np.minimum.reduceat(values, starts[:-1]) if len(starts) > 1 else np.zeros(0, dtype=np.int64)
        least = np.where(least < FORBIDDEN, least, 0)
        shift += sum(least.tolist())
        parts.append(np.where(values < FORBIDDEN, values - np.repeat(least, np.diff(starts)), FORBIDDEN))
    return tables.replace(unary=parts[0], edges=parts[1], constant=0), shift


def tables_of(graph: CostGraph) -> Tables:
    """Return the tables of a graph whose costs fit them.

    Raises
    ------
    ValueError
        If they do not: a number is FORBIDDEN or more.
    """
    sizes = np.array([variable.size for variable in graph.variables], dtype=np.int64)
    unary = []
    for variable, cost in zip(graph.variables, graph.unary_costs, strict=True):
        dense = _checked(cost.dense(object))
        unary.append(dense if variable.mask is None else np.where(variable.mask, dense, FORBIDDEN))
    pairs = graph.edge_costs
    edges = [_checked(cost.dense(object)).reshape(-1) for cost in pairs.values()]
    return Tables(
        sizes,
        _joined(unary),
        np.array(list(pairs), dtype=np.int64).reshape(-1, 2),
        _joined(edges),
        _memory_of(graph),
    )


def _checked(values: Array) -> Array:
    if values.size and not -FORBIDDEN < int(values.min()) <= int(values.max()) < FORBIDDEN:
        raise ValueError(f"costs reach {int(values.max()):.3g}, and tables hold less than {FORBIDDEN:.3g}")
    return values.astype(np.int64)


def _joined(parts: Sequence[Array]) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _memory_of(graph: CostGraph) -> Memory:
    """Return a row for every capacity, and an item for every variable that uses some of it."""
    holders, spans, usages = [], [], []
    for row, capacity in enumerate(graph.capacities):
        for variable, use in capacity.usages.items():
            holders.append(variable)
            spans.append((row, row + 1))
            usages.append(_checked(use.dense(object)))
    room = _checked(np.array([capacity.limit for capacity in graph.capacities], dtype=object))
    return Memory(
        np.array(holders, dtype=np.int64),
        np.array(spans, dtype=np.int64).reshape(-1, 2),
        offsets(np.array([len(one) for one in usages], dtype=np.int64)),
        _joined(usages),
        room,
        np.arange(len(room)),
    )
