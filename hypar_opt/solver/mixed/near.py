"""All assignments of a graph that cost less than a limit, found by min-marginals.

A value whose least assignment costs the limit or more is in none of them. What is left is branched on, and every branch
has its own min-marginals, so that no branch is without an assignment: the work is that of what is found.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.mixed.compile import COST
from hypar_opt.costgraph import CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.formulation.protocol import Marginals
from hypar_opt.formulation.registry import defaults, load_formulation, refusal
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Run


def assignments_below(graph: CostGraph, limit: int, run: Run) -> Iterator[tuple[int, ...]]:
    """Yield the choices of every assignment that costs less than a limit; capacities are left out.

    Raises
    ------
    Refusal
        If the tables of min-marginals do not fit.
    Stopped
        If the run's limits are over.
    """
    solver = marginal_solver(graph, run)
    kept = [np.arange(size) for size in graph.sizes]
    waiting: list[tuple[CostGraph, list[Array]]] = [(graph.replace(capacities=()), kept)]
    while waiting:
        here, values = waiting.pop()
        least = solver.min_marginals(here, run)
        alive = [np.flatnonzero(one < limit) for one in least]
        if not all(map(len, alive)):
            continue
        values = [one[places] for one, places in zip(values, alive, strict=True)]
        open_ones = [i for i, one in enumerate(values) if len(one) > 1]
        if not open_ones:
            yield tuple(int(one[0]) for one in values)
            continue
        first = min(open_ones, key=lambda i: len(values[i]))
        left = restricted(here, alive)
        for place in range(len(values[first])):
            only = [np.arange(len(one)) for one in values]
            only[first] = only[first][place : place + 1]
            branch = [one[where] for one, where in zip(values, only, strict=True)]
            waiting.append((restricted(left, only), branch))


def values_below(graphs: Sequence[CostGraph], limits: Sequence[int], run: Run) -> tuple[Array, ...]:
    """Return by variable the values that some assignment has which costs less than a limit in one of several graphs.

    Parameters
    ----------
    graphs
        Of the same variables.
    limits
        One a graph, in its unit.

    Raises
    ------
    Refusal
        If the tables of min-marginals do not fit.
    Stopped
        If the run's limits are over.
    """
    alive = []
    for graph, limit in zip(graphs, limits, strict=True):
        least = marginal_solver(graph, run).min_marginals(graph.replace(capacities=()), run)
        alive.append([one < limit for one in least])
    return tuple(np.flatnonzero(reduce(np.logical_or, rows)) for rows in zip(*alive, strict=True))


def marginal_solver(graph: CostGraph, run: Run) -> Marginals:
    """Return who says what forcing a value costs.

    Raises
    ------
    Refusal
        If the tables do not fit.
    """
    solver = load_formulation(defaults("network")[0])
    reason = refusal(solver, graph.replace(capacities=()), run)
    if reason is not None or not isinstance(solver, Marginals):
        raise Refusal(reason or f"{solver.name} has no min-marginals")
    return solver


def restricted(graph: CostGraph, kept: Sequence[Array]) -> CostGraph:
    """Return a graph's objective over some of every variable's values, as tables, without capacities."""
    dtype = graph.dtype
    variables = tuple(Variable(one.name, len(places)) for one, places in zip(graph.variables, kept, strict=True))
    unary = tuple(
        {COST: TableUnary(cost.dense(dtype)[places])} for cost, places in zip(graph.unary_costs, kept, strict=True)
    )
    edges = (
        Edge(first, second, {COST: TableEdge(cost.among(kept[first], kept[second], dtype))})
        for (first, second), cost in graph.edge_costs.items()
    )
    return CostGraph(variables, unary, tuple(edges), Objective({COST: Fraction(1)}))
