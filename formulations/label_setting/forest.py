"""The order in which a forest's variables are worked off, and every variable's own vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.joint_dp.elimination import min_fill

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph import Array, CostGraph, EdgeCost

ROOM = 2**61
"""Where sums stay below it, int64 is exact with room for a sum or a difference of two."""


@dataclass(frozen=True, eq=False)
class CapacityUsage:
    """A capacity, every variable's least usage taken off.

    Parameters
    ----------
    limit
        What is then left of the limit.
    own
        By variable: the usage of each value above the variable's least; 0 for what is not allowed.
    """

    limit: int
    own: tuple[Array, ...]

    @cached_property
    def most(self) -> tuple[int, ...]:
        """The largest usage of every variable."""
        return tuple(int(max(own, default=0)) for own in self.own)


@dataclass(frozen=True, eq=False)
class Forest:
    """Criteria over the variables of a graph without cycles.

    Parameters
    ----------
    graphs
        One a criterion.
    order
        Of elimination: children before their parents.
    parents
        By variable; None for the last of a component.
    usages
        The capacities that not every plan is within.
    """

    graphs: tuple[CostGraph, ...]
    order: tuple[int, ...]
    parents: Mapping[int, int | None]
    usages: tuple[CapacityUsage, ...]

    @staticmethod
    def of(graphs: Sequence[CostGraph]) -> Forest:
        """Order the variables of graphs that differ in their objectives alone.

        Raises
        ------
        ValueError
            If the graphs' edges differ, or have cycles.
        """
        first = graphs[0]
        if any(graph.edge_costs.keys() != first.edge_costs.keys() for graph in graphs):
            raise ValueError("the criteria's graphs do not have the same edges")
        steps = min_fill(first)
        if any(len(step.scope) > 1 for step in steps):
            raise ValueError("the graph has cycles")
        parents = {step.variable: (step.scope[0] if step.scope else None) for step in steps}
        usages = [_usage(first, number) for number in range(len(first.capacities))]
        usages = [usage for usage in usages if usage.limit < sum(usage.most)]
        return Forest(tuple(graphs), tuple(step.variable for step in steps), parents, tuple(usages))

    @property
    def criteria(self) -> int:
        """How many of a label's coordinates are criteria; the others are usages."""
        return len(self.graphs)

    @cached_property
    def is_path(self) -> bool:
        """Whether there are no two sets to be added anywhere."""
        return len(set(self.parents.values())) == len(self.parents)

    @property
    def overfull(self) -> bool:
        """Whether a capacity is exceeded by every plan's least usage."""
        return any(usage.limit < 0 for usage in self.usages)

    @cached_property
    def still(self) -> tuple[Mapping[int, int], ...]:
        """By capacity and variable: the most that all variables behind it in the order can use."""
        found = []
        for usage in self.usages:
            left, by_variable = sum(usage.most), {}
            for variable in self.order:
                left -= usage.most[variable]
                by_variable[variable] = left
            found.append(by_variable)
        return tuple(found)

    @cached_property
    def dtype(self) -> Any:
        """int64 where every label is proven to fit, else Python integers."""
        fits = all(graph.dtype is np.int64 for graph in self.graphs)
        return np.int64 if fits and all(sum(usage.most) < ROOM for usage in self.usages) else object

    def allowed(self, variable: int) -> NDArray[np.bool_]:
        """Return which values a variable may take."""
        one = self.graphs[0].variables[variable]
        return np.ones(one.size, dtype=np.bool_) if one.mask is None else one.mask

    def own(self, variable: int) -> tuple[Array, ...]:
        """Return what each value of a variable costs and uses by itself, by coordinate."""
        costs = (graph.unary_costs[variable].dense(self.dtype) for graph in self.graphs)
        return (*costs, *(usage.own[variable].astype(self.dtype) for usage in self.usages))

    def edges(self, variable: int) -> list[EdgeCost]:
        """Return by criterion the cost of a variable's value and its parent's."""
        parent = self.parents[variable]
        if parent is None:
            raise ValueError(f"variable {variable} has no parent")
        pair = min(variable, parent), max(variable, parent)
        costs = [graph.edge_costs[pair] for graph in self.graphs]
        return costs if variable < parent else [cost.transposed() for cost in costs]


def _usage(graph: CostGraph, number: int) -> CapacityUsage:
    capacity = graph.capacities[number]
    limit, own = capacity.limit, []
    for position, variable in enumerate(graph.variables):
        usage = np.zeros(variable.size, dtype=object)
        if position in capacity.usages:
            usage = usage + capacity.usages[position].dense(object)
        mask = np.ones(variable.size, dtype=np.bool_) if variable.mask is None else variable.mask
        least = min(usage[mask], default=0)
        limit -= int(least)
        own.append(np.where(mask, usage - least, 0))
    return CapacityUsage(limit, tuple(own))
