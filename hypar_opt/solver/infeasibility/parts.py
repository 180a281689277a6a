"""Strategy graphs made from one: with its forbidden costs alone, its memory at some times, some of its nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.instance.strategy_graph.graph import Integers, StrategyGraph


def bare(graph: StrategyGraph) -> StrategyGraph:
    """Return it with no costs but forbidden ones, and no edges without any."""
    free = replace(graph, costs=_ban(graph.costs), edge_costs=_ban(graph.edge_costs))
    if not graph.edges:
        return free
    return _with_edges(free, np.maximum.reduceat(free.edge_costs, graph.edge_starts[:-1]) >= FORBIDDEN_COST)


def at_times(graph: StrategyGraph, times: Sequence[int]) -> StrategyGraph:
    """Return it with usages at some times alone.

    Parameters
    ----------
    times
        In order; the new graph counts them from 0.
    """
    return replace(graph, intervals=np.searchsorted(np.array(times, dtype=np.int64), graph.intervals))


def using(part: StrategyGraph, graph: StrategyGraph, time: int) -> StrategyGraph | None:
    """Return a part where a strategy costs what it uses in the graph at a time; None if those are too large for costs.

    Parameters
    ----------
    part
        Of the same nodes; its forbidden costs stay.
    """
    live = (graph.intervals[:, 0] <= time) & (time < graph.intervals[:, 1])
    used = np.where(np.repeat(live, graph.sizes), graph.usages, 0)
    if sum(np.maximum.reduceat(used, graph.starts[:-1]).tolist()) >= FORBIDDEN_COST:
        return None
    return replace(part, costs=np.where(part.costs >= FORBIDDEN_COST, part.costs, used))


def among(graph: StrategyGraph, nodes: Sequence[int]) -> StrategyGraph:
    """Return it with some nodes and the edges between them.

    Parameters
    ----------
    nodes
        In order; the new graph counts them from 0.
    """
    stays = np.zeros(graph.nodes, dtype=bool)
    stays[np.array(nodes, dtype=np.int64)] = True
    left = _with_edges(graph, stays[graph.ends[:, 0]] & (stays[graph.ends[:, 1]] | (graph.ends[:, 1] < 0)))
    values, number = np.repeat(stays, graph.sizes), np.cumsum(stays) - 1
    return replace(
        left,
        intervals=graph.intervals[stays],
        sizes=graph.sizes[stays],
        costs=graph.costs[values],
        usages=graph.usages[values],
        ends=np.where(left.ends < 0, -1, number[left.ends]),
    )


def _ban(costs: Integers) -> Integers:
    banned: Integers = np.where(costs >= FORBIDDEN_COST, FORBIDDEN_COST, 0)
    return banned


def _with_edges(graph: StrategyGraph, stays: NDArray[np.bool_]) -> StrategyGraph:
    lengths = np.diff(graph.edge_starts)
    return replace(graph, ends=graph.ends[stays], edge_costs=graph.edge_costs[np.repeat(stays, lengths)])
