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
    above, below = np.where(costs < FORBIDDEN_COST, np.maximum(costs, 0), 0), np.maximum(-costs, 0)
    return _sum_of_most(above, starts) + _sum_of_most(below, starts)


def _sum_of_most(values: Array, starts: Array) -> int:
    return sum(np.maximum.reduceat(values, starts[:-1]).tolist()) if len(starts) > 1 else 0
