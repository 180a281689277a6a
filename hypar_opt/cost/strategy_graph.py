"""From a strategy graph to tables: parallel edges summed, loops and edges of one node folded in, moments as rows."""

from __future__ import annotations

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Memory, Tables, offsets
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.sums import added_at, same_shape
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.util.errors import InputError


def check_costs_fit(graph: StrategyGraph) -> None:
    """Refuse a graph of whose plans' costs, and their differences, some may be as much as the mark of the forbidden.

    Raises
    ------
    InputError
        If they may: no sum in presolve, nor a cost less the least of its part, could be told from the mark.
    """
    most = _most_apart(graph.costs, graph.starts) + _most_apart(graph.edge_costs, graph.edge_starts)
    if most >= FORBIDDEN:
        message = f"the costs below 10^18 of two plans may be {most:.3g} apart; expected less than 2^61"
        raise InputError(message, file=graph.source)


def fitting_usages(graph: StrategyGraph) -> Array:
    """Return the usages, where sums of them may exceed 64 bits none larger than what is too much already.

    Raises
    ------
    InputError
        If sums may exceed them even so.
    """
    largest = np.iinfo(np.int64).max
    usages = graph.usages
    if _sum_of_most(usages, graph.starts) > largest:
        usages = np.minimum(usages, min(graph.usage_limit + 1, largest))
    if _sum_of_most(usages, graph.starts) > largest:
        raise InputError("the usages of one plan may sum to 2^63 or more", file=graph.source)
    return usages


def _most_apart(costs: Array, starts: Array) -> int:
    """Return the sum over all parts of how far two costs that are allowed, or one and 0, may be apart."""
    # copies of millions of costs take longer than all that is computed of them
    allowed = np.where(costs < FORBIDDEN_COST, costs, 0) if costs.max(initial=0) >= FORBIDDEN_COST else costs
    apart = _sum_of_most(allowed, starts)
    return apart + _sum_of_most(-allowed, starts) if costs.min(initial=0) < 0 else apart


def _sum_of_most(values: Array, starts: Array) -> int:
    """Return the sum over all parts of the largest value, or 0 where all are less."""
    return sum(np.maximum(np.maximum.reduceat(values, starts[:-1]), 0).tolist()) if len(starts) > 1 else 0


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
    loops = np.flatnonzero((second < 0) | (first == second))
    sizes = graph.sizes[first[loops]]
    strides = np.where(second[loops] < 0, 1, sizes + 1)
    within = ranges(np.zeros_like(sizes), sizes)
    costs = graph.edge_costs[np.repeat(graph.edge_starts[loops], sizes) + within * np.repeat(strides, sizes)]
    places = ranges(graph.starts[first[loops]], sizes)
    added_at(unary, places, _marked(costs))


def _summed(graph: StrategyGraph) -> tuple[Array, Array]:
    """Return the pairs of nodes that edges join, each once and the lower first, and their summed costs."""
    first, second = graph.ends[:, 0], graph.ends[:, 1]
    proper = np.flatnonzero((second >= 0) & (first != second))
    ends = graph.ends[proper]
    pairs, group = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    group, reverse = group.reshape(-1), ends[:, 0] > ends[:, 1]
    starts = offsets(graph.sizes[pairs[:, 0]] * graph.sizes[pairs[:, 1]])
    total = np.zeros(starts[-1], dtype=np.int64)
    parallel = np.bincount(group, minlength=len(pairs))[group] > 1
    for edges in same_shape(graph.sizes[ends].reshape(-1, 2)):
        rows, columns = graph.sizes[ends[edges[0]]].tolist()
        where = graph.edge_starts[proper[edges]][:, None] + np.arange(rows * columns)
        costs = _marked(graph.edge_costs[where])
        straight = np.arange(rows * columns)
        turned = straight.reshape(columns, rows).T.reshape(-1)
        places = starts[group[edges]][:, None] + np.where(reverse[edges][:, None], turned, straight)
        alone = ~parallel[edges]
        total[places[alone]] = costs[alone]
        added_at(total, places[~alone].reshape(-1), costs[~alone].reshape(-1))
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
    usages = fitting_usages(graph)[ranges(graph.starts[holders], sizes)]
    room = np.full(len(moments), graph.usage_limit, dtype=np.int64)
    return Memory(holders, spans.astype(np.int64), offsets(sizes), usages, room, moments)


def _moments(intervals: Array) -> Array:
    """Return the times of the maximal cliques: starts that are followed by an end before any other start."""
    starts, ends = np.unique(intervals[:, 0]), np.unique(intervals[:, 1])
    following = np.append(starts[1:], np.iinfo(np.int64).max)
    first_end = ends[np.minimum(np.searchsorted(ends, starts, side="right"), len(ends) - 1)] if len(ends) else starts
    found: Array = starts[first_end <= following]
    return found
