"""The problem of an instance as a strategy graph, for solvers of those."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Tables
from hypar_opt.instance.limits import LONGEST_NAME
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.solver.network_problem import NetworkProblem

MOST_ENTRIES: Final = 10**7
"""Costs of strategies and of pairs in all, each written in full."""


def strategy_graph_of(problem: NetworkProblem | OperatorProblem) -> StrategyGraph:
    """Return a strategy graph whose plans are those of an instance, at the same costs.

    A layer is a node (an operator, and each placement of a tensor that several read), its words in the order of their
    alphabet are the strategies; what a split or a given strategy rules out costs 10^18. The objective, in units of one
    over its denominator, is the sum of the costs. The accelerators' memory, if they have some, is what may be in use at
    time 0, when all nodes use it.

    Raises
    ------
    Refusal
        If the objective is no sum of costs of layers and edges, components are bounded, or the tables are too large.
    """
    if problem.instance.bounds:
        raise Refusal("a strategy graph has one cost and a memory, and no bounds on components; leave out subject_to")
    graph = problem.compiled.costgraph if isinstance(problem, OperatorProblem) else problem.graph
    strategies = sum(variable.size for variable in graph.variables)
    entries = strategies + sum(prod(cost.shape) for cost in graph.edge_costs.values())
    if entries > MOST_ENTRIES:
        raise Refusal(
            f"a strategy graph lists every strategy and every pair of them, here {entries:,}, and at most "
            f"{MOST_ENTRIES:,} are written; try fewer levels or axes"
        )
    try:
        tables = graph.tables
    except ValueError as error:
        raise Refusal(f"{error}; try smaller weights in the objective") from None
    usages, limit = _memory(tables)
    unit = graph.objective.denominator
    said = "" if unit == 1 else f", costs in 1/{unit} of the objective"
    return StrategyGraph(
        problem.instance.name[: LONGEST_NAME - len(said)] + said,
        problem.instance.sha256,
        np.tile(np.array([0, 1], dtype=np.int64), (tables.count, 1)),
        tables.sizes,
        _marked(tables.unary),
        usages,
        tables.ends,
        _marked(tables.edges),
        limit,
        problem.instance.source,
    )


def _marked(costs: Array) -> Array:
    allowed = costs[costs < FORBIDDEN]
    if allowed.size and int(allowed.max()) >= FORBIDDEN_COST:
        raise Refusal(
            f"a cost is {int(allowed.max()):.3g}, and in strategy graphs 10^18 means that something must not be; "
            "try smaller weights in the objective"
        )
    marked: Array = np.where(costs < FORBIDDEN, costs, FORBIDDEN_COST)
    return marked


def _memory(tables: Tables) -> tuple[Array, int]:
    """Return what every strategy uses, and what there is."""
    memory, usages = tables.memory, np.zeros_like(tables.unary)
    for item, holder in enumerate(memory.holders.tolist()):
        usages[tables.starts[holder] : tables.starts[holder + 1]] += memory.of(item)
    return usages, int(memory.room[0]) if memory.rows else 0
