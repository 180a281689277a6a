"""Whether what a strategy graph's plans cost and use fits the 64 bits in which it is worked with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.errors import InputError
from hypar_opt.strategy_graph import FORBIDDEN_COST

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.strategy_graph import StrategyGraph


def check_costs_fit(graph: StrategyGraph) -> None:
    """Refuse a graph whose allowed costs may sum to as much as the mark of what is not allowed.

    Raises
    ------
    InputError
        If they may: no sum in presolve could be told from the mark.
    """
    most = _most_allowed(graph.costs, graph.starts) + _most_allowed(graph.edge_costs, graph.edge_starts)
    if most >= FORBIDDEN:
        message = f"the costs below 10^18 of one plan may sum to {most:.3g}; expected less than 2^61 in all"
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


def _most_allowed(costs: Array, starts: Array) -> int:
    """Return the sum over all parts of the largest size of a cost that is allowed."""
    return _sum_of_most(np.where(costs < FORBIDDEN_COST, np.abs(costs), 0), starts)


def _sum_of_most(values: Array, starts: Array) -> int:
    return sum(np.maximum.reduceat(values, starts[:-1]).tolist()) if len(starts) > 1 else 0
