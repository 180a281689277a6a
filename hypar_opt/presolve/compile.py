"""From a strategy graph to tables: parallel edges summed, loops and edges of one node folded in, moments as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Memory, Tables, offsets
from hypar_opt.presolve.fitting import check_costs_fit, fitting_usages
from hypar_opt.presolve.flat import plus
from hypar_opt.strategy_graph import FORBIDDEN_COST, StrategyGraph

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array


def compile_graph(graph: StrategyGraph) -> Tables:
    """Return the tables of a strategy graph, one variable a node.

    Raises
    ------
    InputError
        If its costs or usages are too large for exact sums of 64 bits.
    """
    check_costs_fit(graph)
    unary = _marked(graph.costs)
    _fold_loops(graph, unary)
    ends, edges = _summed(graph)
    return Tables(graph.sizes, unary, ends, edges, compile_memory(graph))


def _marked(costs: Array) -> Array:
    marked: Array = np.where(costs >= FORBIDDEN_COST, FORBIDDEN, costs)
    return marked


def _fold_loops(graph: StrategyGraph, unary: Array) -> None:
    """Add the costs of edges that name one node once, or twice, to the node's own."""
    first, second = graph.ends[:, 0], graph.ends[:, 1]
    for edge in np.flatnonzero((second < 0) | (first == second)):
        node = first[edge]
        size = int(graph.sizes[node])
        costs = _marked(graph.edge_costs[graph.edge_starts[edge] : graph.edge_starts[edge + 1]])
        costs = costs if second[edge] < 0 else costs.reshape(size, size).diagonal()
        own = unary[graph.starts[node] : graph.starts[node] + size]
        own[:] = plus(own, costs)


def _summed(graph: StrategyGraph) -> tuple[Array, Array]:
    """Return the pairs of nodes that edges join, each once and the lower first, and their summed costs."""
    first, second = graph.ends[:, 0], graph.ends[:, 1]
    proper = np.flatnonzero((second >= 0) & (first != second))
    low, high = np.minimum(first, second)[proper], np.maximum(first, second)[proper]
    pairs, group = np.unique(np.stack([low, high], axis=1), axis=0, return_inverse=True)
    starts = offsets(graph.sizes[pairs[:, 0]] * graph.sizes[pairs[:, 1]] if len(pairs) else np.zeros(0, np.int64))
    total = np.zeros(starts[-1], dtype=np.int64)
    for edge, where in zip(proper.tolist(), group.reshape(-1).tolist(), strict=True):
        shape = int(graph.sizes[first[edge]]), int(graph.sizes[second[edge]])
        costs = _marked(graph.edge_costs[graph.edge_starts[edge] : graph.edge_starts[edge + 1]])
        costs = costs if first[edge] < second[edge] else costs.reshape(shape).T.reshape(-1)
        part = total[starts[where] : starts[where + 1]]
        part[:] = plus(part, costs)
    return pairs.reshape(-1, 2), total


def compile_memory(graph: StrategyGraph) -> Memory:
    """Return a row for every moment whose live nodes are not all live at another, and an item for every node.

    Such are the last moments before a node's end at which another has begun since the last end: the maximal cliques
    of an interval graph.
    """
    counts = graph.intervals[:, 0] < graph.intervals[:, 1]
    most = np.maximum.reduceat(graph.usages, graph.starts[:-1]) if graph.nodes else graph.sizes
    holders = np.flatnonzero(counts & (most > 0))
    intervals = graph.intervals[holders]
    moments = _moments(intervals)
    spans = np.stack([np.searchsorted(moments, intervals[:, 0]), np.searchsorted(moments, intervals[:, 1])], axis=1)
    sizes = graph.sizes[holders]
    within = np.arange(int(sizes.sum())) - np.repeat(offsets(sizes)[:-1], sizes)
    usages = fitting_usages(graph)[np.repeat(graph.starts[holders], sizes) + within]
    room = np.full(len(moments), graph.usage_limit, dtype=np.int64)
    return Memory(holders, spans.astype(np.int64), offsets(sizes), usages, room, moments)


def _moments(intervals: Array) -> Array:
    """Return the times of the maximal cliques: starts that are followed by an end before any other start."""
    starts, ends = np.unique(intervals[:, 0]), np.unique(intervals[:, 1])
    following = np.append(starts[1:], np.iinfo(np.int64).max)
    first_end = ends[np.minimum(np.searchsorted(ends, starts, side="right"), len(ends) - 1)] if len(ends) else starts
    found: Array = starts[first_end <= following]
    return found
