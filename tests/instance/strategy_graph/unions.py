"""Strategy graphs side by side: no edge joins them, and what they share of the memory is up to their times."""

from __future__ import annotations

from functools import cache
from itertools import accumulate

import numpy as np

from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.solver.graph_problem import GraphProblem
from tests.instance.strategy_graph.drawing import TIMES, best, draw


def union(graphs, *, apart=True):
    """Return one graph of several, whose nodes follow one another.

    The limit is that of the largest; where graphs are apart, a node of one strategy takes of each other's what it has
    more, so that every graph has its own limit still.

    Parameters
    ----------
    graphs
        Each with times from 0 to `TIMES`.
    apart
        Whether each has times of its own; else they share one memory, of the largest limit.
    """
    limit = max(graph.usage_limit for graph in graphs)
    graphs = [_ballasted(graph, limit - graph.usage_limit) for graph in graphs] if apart else graphs
    firsts = [0, *accumulate(graph.nodes for graph in graphs)]
    shifted = [graph.intervals + (TIMES + 1) * number * apart for number, graph in enumerate(graphs)]
    ends = [np.where(graph.ends < 0, -1, graph.ends + first) for graph, first in zip(graphs, firsts, strict=False)]
    whole = {
        name: np.concatenate([getattr(graph, name) for graph in graphs])
        for name in ("sizes", "costs", "usages", "edge_costs")
    }
    return StrategyGraph(
        "+".join(graph.name for graph in graphs),
        "",
        np.concatenate(shifted),
        whole["sizes"],
        whole["costs"],
        whole["usages"],
        np.concatenate(ends),
        whole["edge_costs"],
        limit,
    )


@cache
def drawn(seed, count, *, apart=True, most_nodes=4, feasible=False, hard=False):
    """Return graphs of seeds, and their union.

    Parameters
    ----------
    feasible
        Whether every graph is to have a plan; then seeds that draw none are passed over.
    hard
        Whether presolve is to leave some of every graph; it may still have no plan.
    """
    seeds = (1000 * seed + number for number in range(1000))
    graphs = (draw(one, most_nodes, hard=hard or bool(one % 2)) for one in seeds)
    lasting = (graph for graph in graphs if not hard or _lasts(graph))
    wanted = (graph for graph in lasting if not feasible or best(graph) is not None)
    found = tuple(next(wanted) for _ in range(count))
    return found, union(found, apart=apart)


def least(graphs):
    """Return the least cost of graphs apart, each tried on its own; None if one has no plan."""
    each = [best(graph) for graph in graphs]
    return None if any(one is None for one in each) else sum(one[0] for one in each)


def uncolourable(nodes=4, colours=3):
    """Return a graph without a plan, which only a search finds: all nodes are joined, and none may be as another."""
    ends = np.array([(i, j) for i in range(nodes) for j in range(i + 1, nodes)], dtype=np.int64)
    table = np.eye(colours, dtype=np.int64).reshape(-1) * FORBIDDEN_COST
    nothing = np.zeros(nodes * colours, dtype=np.int64)
    return StrategyGraph(
        "uncolourable",
        "",
        np.zeros((nodes, 2), dtype=np.int64),
        np.full(nodes, colours),
        nothing,
        nothing,
        ends,
        np.tile(table, len(ends)),
        5,
    )


def _lasts(graph):
    """Return whether presolve leaves some of a graph."""
    problem = GraphProblem(graph)
    return problem.refuted is None and problem.reduction.tables.count > 0


def _ballasted(graph, usage):
    """Return a graph with a node of one strategy that takes so much at all of its times."""
    return StrategyGraph(
        graph.name,
        "",
        np.concatenate([graph.intervals, [[0, TIMES]]]),
        np.append(graph.sizes, 1),
        np.append(graph.costs, 0),
        np.append(graph.usages, usage),
        graph.ends,
        graph.edge_costs,
        graph.usage_limit + usage,
    )
