"""A sum of costs of layers and pairs for all combinations at once, in exact integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph import Array, CostGraph, UnaryCost
    from hypar_opt.exploring.space import Space
    from hypar_opt.run import Limits


def all_values(graph: CostGraph, space: Space, limits: Limits) -> Array:
    """Return the cost of every combination, in units of 1 / graph.objective.denominator; shape (space.count,).

    What involves one free layer alone is a table over its choices, what involves two a table over pairs; the sum of
    the tables, each spread over the other layers, is the sum that `graph.value` forms.

    Raises
    ------
    Stopped
        If the limits ended before the sum was complete.
    """
    total = _alone(dict(enumerate(graph.unary_costs)), space, graph.dtype, limits)
    axes = {variable: axis for axis, variable in enumerate(space.free)}
    for (first, second), cost in graph.edge_costs.items():
        table = np.array(
            [[cost.value(a, b) for b in space.candidates[second]] for a in space.candidates[first]], dtype=graph.dtype
        )
        shape = [1] * len(space.free)
        for variable in (first, second):
            if variable in axes:
                shape[axes[variable]] = len(space.candidates[variable])
        # layers stand in one order in the graph and among the axes, so that a pair's table needs no turning
        total = total + table.reshape(shape)
        _check(limits)
    return np.broadcast_to(total, space.shape).reshape(-1)


def within_capacities(graph: CostGraph, space: Space, limits: Limits) -> Array:
    """Return which combinations keep to every capacity; shape (space.count,)."""
    allowed = np.ones(space.count, dtype=np.bool_)
    for capacity in graph.capacities:
        used = _alone(capacity.usages, space, object, limits)
        allowed &= np.broadcast_to(used <= capacity.limit, space.shape).reshape(-1)
    return allowed


def _alone(costs: Mapping[int, UnaryCost], space: Space, dtype: type, limits: Limits) -> Array:
    """Add what depends on one layer each, spread over the free ones' axes."""
    total: Array = np.zeros((1,) * len(space.free), dtype=dtype)
    axes = {variable: axis for axis, variable in enumerate(space.free)}
    for variable, cost in costs.items():
        table: Array = np.array([cost.value(choice) for choice in space.candidates[variable]], dtype=dtype)
        shape = [1] * len(space.free)
        if variable in axes:
            shape[axes[variable]] = len(table)
        total = total + table.reshape(shape)
        _check(limits)
    return total


def _check(limits: Limits) -> None:
    if limits.over:
        raise Stopped
