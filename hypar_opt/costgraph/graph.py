"""The CostGraph: the one form of a problem that every formulation reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.weighing import combined_unary, sum_edges, weighted_edges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.edge import EdgeCost
    from hypar_opt.costgraph.objective import Objective
    from hypar_opt.costgraph.parts import Capacity, Edge, Variable
    from hypar_opt.costgraph.tables import Tables
    from hypar_opt.costgraph.unary import UnaryCost

SUMMANDS = 4
"""How many entries, each at most `CostGraph.forbidden`, a formulation may add before it saturates."""


@dataclass(frozen=True)
class CostGraph:
    """Variables, exact integer costs on them and on pairs, capacities, and an objective.

    Parameters
    ----------
    variables
        In an order that is topological where the problem has a direction.
    unary
        For every variable, costs by component.
    edges
        Pairwise costs.
    objective
        Weights by component; all costs below are in units of 1 / objective.denominator.
    capacities
        Linear constraints.
    ceiling
        Where something is forbidden by costing too much: no allowed assignment costs as much, every other does.
    """

    variables: tuple[Variable, ...]
    unary: tuple[Mapping[str, UnaryCost], ...]
    edges: tuple[Edge, ...]
    objective: Objective
    capacities: Sequence[Capacity] = ()
    ceiling: int | None = None

    def __post_init__(self) -> None:
        if len(self.unary) != len(self.variables):
            raise ValueError(f"{len(self.unary)} unary costs for {len(self.variables)} variables")
        for variable, costs in zip(self.variables, self.unary, strict=True):
            if any(cost.size != variable.size for cost in costs.values()):
                raise ValueError(f"the costs of '{variable.name}' do not match its {variable.size} values")
        for number, edge in enumerate(self.edges):
            _check_edge(number, edge, self.variables)

    def replace(self, **changes: Any) -> CostGraph:
        """Return a copy with fields changed, checked anew."""
        return replace(self, **changes)

    @cached_property
    def unary_costs(self) -> tuple[UnaryCost, ...]:
        """The objective's cost of every variable."""
        pairs = zip(self.variables, self.unary, strict=True)
        return tuple(combined_unary(variable, costs, self.objective) for variable, costs in pairs)

    @cached_property
    def edge_costs(self) -> Mapping[tuple[int, int], EdgeCost]:
        """The objective's cost of every pair (first < second), parallel edges summed."""
        found: dict[tuple[int, int], list[EdgeCost]] = {}
        for edge in self.edges:
            forward = edge.first < edge.second
            pair = (edge.first, edge.second) if forward else (edge.second, edge.first)
            for cost in weighted_edges(edge, self.objective):
                found.setdefault(pair, []).append(cost if forward else cost.transposed())
        return {pair: sum_edges(costs) for pair, costs in sorted(found.items()) if costs}

    @cached_property
    def tables(self) -> Tables:
        """The same problem as flat arrays.

        Raises
        ------
        ValueError
            If its costs do not fit 64 bits.
        """
        from hypar_opt.costgraph.convert import tables_of

        return tables_of(self)

    @cached_property
    def upper(self) -> int:
        """A number that no assignment's cost exceeds."""
        own = sum(cost.upper for cost in self.unary_costs)
        return own + sum(cost.upper for cost in self.edge_costs.values())

    @property
    def forbidden(self) -> int:
        """A number larger than any assignment's cost: the mark of what is not allowed."""
        return self.upper + 1

    @property
    def dtype(self) -> type[np.int64] | type[object]:
        """int64 if every sum that a formulation may form is proven to fit, else Python integers.

        Formulations saturate at `forbidden`, so that no sum has more than a few such summands.
        """
        return np.int64 if SUMMANDS * self.forbidden < 2**63 else object

    @cached_property
    def neighbours(self) -> tuple[frozenset[int], ...]:
        """For every variable the variables it shares an edge with."""
        found: list[set[int]] = [set() for _ in self.variables]
        for first, second in self.edge_costs:
            found[first].add(second)
            found[second].add(first)
        return tuple(frozenset(others) for others in found)

    @property
    def is_chain(self) -> bool:
        """Whether variable i shares an edge with variable i + 1 and with no other behind it."""
        return set(self.edge_costs) == {(i, i + 1) for i in range(len(self.variables) - 1)}

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost of an assignment, in units of 1 / objective.denominator."""
        own = sum(cost.value(choice) for cost, choice in zip(self.unary_costs, choices, strict=True))
        pairs = self.edge_costs.items()
        return own + sum(cost.value(choices[first], choices[second]) for (first, second), cost in pairs)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether an assignment is allowed and within every capacity."""
        if self.ceiling is not None:  # made from tables, whose rows are too many to be looked at one by one
            return self.tables.fits(choices)
        masks = (variable.mask for variable in self.variables)
        allowed = all(mask is None or bool(mask[choice]) for mask, choice in zip(masks, choices, strict=True))
        return allowed and all(capacity.used(choices) <= capacity.limit for capacity in self.capacities)


def _check_edge(number: int, edge: Edge, variables: tuple[Variable, ...]) -> None:
    for end in (edge.first, edge.second):
        if not 0 <= end < len(variables):
            raise ValueError(f"edges[{number}] names variable {end}, there are {len(variables)}")
    if edge.first == edge.second:
        raise ValueError(f"edges[{number}] joins variable {edge.first} with itself")
    shape = variables[edge.first].size, variables[edge.second].size
    if any(cost.shape != shape for cost in edge.costs.values()):
        raise ValueError(f"the costs of edges[{number}] do not have the shape {shape}")
