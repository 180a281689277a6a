"""The order in which a forest's variables are worked off, and every variable's own vectors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.joint_dp.elimination import min_fill
from hypar_opt.costgraph.objective import times

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from formulations.label_setting.table import Labels
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
    pairs
        By pair of variables; of every edge, or of none.
    """

    limit: int
    own: tuple[Array, ...]
    pairs: Mapping[tuple[int, int], EdgeCost]

    @cached_property
    def most(self) -> tuple[int, ...]:
        """The largest usage of every variable."""
        return tuple(int(max(own, default=0)) for own in self.own)

    @cached_property
    def upper(self) -> int:
        """What no assignment uses more of."""
        return sum(self.most) + sum(usage.upper for usage in self.pairs.values())

    def used(self, choices: Sequence[int]) -> int:
        """Return what an assignment uses."""
        own = sum(int(own[choice]) for own, choice in zip(self.own, choices, strict=True))
        return own + sum(usage.value(choices[a], choices[b]) for (a, b), usage in self.pairs.items())


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
        The capacities that not every plan is within, first those that pairs of values use.
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
        return Forest(tuple(graphs), tuple(step.variable for step in steps), parents, usages_of(first))

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
            left, by_variable = usage.upper, {}
            for variable in self.order:
                left -= usage.most[variable]
                by_variable[variable] = left
                pair = self._pair(variable)  # what it shares with its parent is used behind it
                left -= usage.pairs[pair].upper if pair is not None and usage.pairs else 0
            found.append(by_variable)
        return tuple(found)

    @cached_property
    def dtype(self) -> Any:
        """As `label_dtype`."""
        return label_dtype(self.graphs, self.usages)

    def allowed(self, variable: int) -> NDArray[np.bool_]:
        """Return which values a variable may take."""
        one = self.graphs[0].variables[variable]
        return np.ones(one.size, dtype=np.bool_) if one.mask is None else one.mask

    def own(self, variable: int) -> tuple[Array, ...]:
        """Return what each value of a variable costs and uses by itself, by coordinate."""
        costs = (graph.unary_costs[variable].dense(self.dtype) for graph in self.graphs)
        return (*costs, *(usage.own[variable].astype(self.dtype) for usage in self.usages))

    def edges(self, variable: int) -> list[EdgeCost]:
        """Return what a variable's value and its parent's cost and use, by coordinate as far as pairs count there."""
        pair = self._pair(variable)
        if pair is None:
            raise ValueError(f"variable {variable} has no parent")
        costs = [graph.edge_costs[pair] for graph in self.graphs]
        costs += [usage.pairs[pair] for usage in self.usages if usage.pairs]
        return costs if variable == pair[0] else [cost.transposed() for cost in costs]

    def _pair(self, variable: int) -> tuple[int, int] | None:
        parent = self.parents[variable]
        return None if parent is None else (min(variable, parent), max(variable, parent))


def usages_of(graph: CostGraph) -> tuple[CapacityUsage, ...]:
    """Return the capacities that not every plan is within, first those that pairs of values use."""
    usages = (_usage(graph, number) for number in range(len(graph.capacities)))
    return tuple(sorted((one for one in usages if one.limit < one.upper), key=lambda one: not one.pairs))


def label_dtype(graphs: Sequence[CostGraph], usages: Sequence[CapacityUsage]) -> Any:
    """Return int64 where every label is proven to fit, else Python integers."""
    fits = all(graph.dtype is np.int64 for graph in graphs)
    return np.int64 if fits and all(usage.upper < ROOM for usage in usages) else object


def within(usages: Sequence[CapacityUsage], labels: Labels) -> NDArray[np.bool_]:
    """Return which labels are within capacities, whose usages are the last coordinates.

    No usage is negative, so that what exceeds one stays above it.
    """
    kept = np.ones(labels.count, dtype=np.bool_)
    for usage, column in zip(usages, labels.values[len(labels.values) - len(usages) :], strict=True):
        kept &= np.asarray(column <= usage.limit, dtype=np.bool_)
    return kept


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
    edges = graph.edge_costs.items() if capacity.pairs else ()
    pairs = {pair: capacity.pairs.get(pair) or times(cost, 0) for pair, cost in edges}
    return CapacityUsage(limit, tuple(own), pairs)
