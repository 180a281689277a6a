"""An objective: a weighting of cost components, exact; and from costs by component to its cost: weighed and added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, reduce
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.costgraph.edge import EdgeCost, EdgeTerm, TableEdge
from hypar_opt.costgraph.parts import Edge
from hypar_opt.costgraph.product_edge import ProductEdge
from hypar_opt.costgraph.unary import TableUnary, UnaryCost
from hypar_opt.costgraph.word_edge import WordEdge
from hypar_opt.costgraph.word_unary import WordUnary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.costgraph.parts import Variable

Weight: TypeAlias = Fraction | tuple[Fraction, ...]
"""Of a component: one for all levels, or one a level."""


@dataclass(frozen=True)
class Objective:
    """Weights by component, and the integers that they become over one common denominator.

    Parameters
    ----------
    weights
        Non-negative rationals.
    """

    weights: Mapping[str, Weight]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", dict(self.weights))
        if any(part < 0 for weight in self.weights.values() for part in _parts(weight)):
            raise ValueError("the weights of an objective are not negative")

    @cached_property
    def denominator(self) -> int:
        """The common denominator: costs of the CostGraph are integers in units of one over it."""
        return lcm(*(part.denominator for weight in self.weights.values() for part in _parts(weight)))

    def divided(self, number: int) -> Objective:
        """Return the objective for components that are counted in parts of their unit."""
        if number == 1:
            return self
        return Objective({name: _divided(weight, number) for name, weight in self.weights.items()})

    def scalar(self, component: str) -> int:
        """Return a component's weight times the denominator.

        Raises
        ------
        ValueError
            If the component is weighted by level.
        """
        weight = self.weights.get(component, Fraction(0))
        if isinstance(weight, tuple):
            raise ValueError(f"'{component}' is weighted by level, and this cost has no levels")
        return int(weight * self.denominator)

    def by_level(self, component: str, levels: int) -> tuple[int, ...]:
        """Return a component's weight at every level, times the denominator."""
        weight = self.weights.get(component, Fraction(0))
        if not isinstance(weight, tuple):
            return (self.scalar(component),) * levels
        if len(weight) != levels:
            raise ValueError(f"'{component}' has {len(weight)} weights for {levels} levels")
        return tuple(int(part * self.denominator) for part in weight)


def _divided(weight: Weight, number: int) -> Weight:
    return tuple(part / number for part in weight) if isinstance(weight, tuple) else weight / number


def _parts(weight: Weight) -> tuple[Fraction, ...]:
    return weight if isinstance(weight, tuple) else (weight,)


def combined_unary(variable: Variable, costs: Mapping[str, UnaryCost], objective: Objective) -> UnaryCost:
    """Weigh and add: terms where all costs are over words, a table otherwise."""
    weighed: list[WordUnary] = []
    total = np.zeros(variable.size, dtype=object)
    for name, cost in costs.items():
        if isinstance(cost, WordUnary):
            of_counted = objective.scalar(name) if cost.counted else 1
            weighed.append(cost.scaled(objective.by_level(name, cost.words.length), of_counted))
        else:
            total = total + cost.dense(object) * objective.scalar(name)
    if variable.words is not None and len(weighed) == len(costs):
        return reduce(WordUnary.plus, weighed, WordUnary(variable.words, ()))
    return TableUnary(sum((cost.dense(object) for cost in weighed), start=total))


def weighted_edges(edge: Edge, objective: Objective) -> list[EdgeCost]:
    """Return an edge's costs, each times its component's weight."""
    weighed: list[EdgeCost] = []
    for name, cost in edge.costs.items():
        if isinstance(cost, WordEdge):
            weighed.append(cost.scaled(objective.by_level(name, cost.first.length)))
        elif isinstance(cost, ProductEdge):
            weighed.append(cost.times(objective.scalar(name)))
        else:
            weighed.append(_table_times(cost, objective.scalar(name)))
    return weighed


def _table_times(cost: EdgeCost, factor: int) -> TableEdge:
    """Return a multiple of a cost as a table: of 64 bits where it has such numbers and the products fit."""
    if isinstance(cost, TableEdge) and cost.values.dtype == np.int64:
        if factor == 1:
            return cost
        if int(np.abs(cost.values).max(initial=1)) * factor < 2**62:  # the factor alone has to fit, too
            return TableEdge(cost.values * factor)
    return TableEdge(cost.dense(object) * factor)


def times(cost: EdgeCost, factor: int) -> EdgeCost:
    """Return a multiple of a cost, in the same form."""
    (one,) = weighted_edges(Edge(0, 1, {"": cost}), Objective({"": Fraction(factor)}))
    return one


def sum_edges(costs: Sequence[EdgeCost]) -> EdgeCost:
    """Add costs of one pair: terms where all are of one kind over words, a table otherwise."""
    if len(costs) == 1 and isinstance(costs[0], TableEdge):
        return costs[0]
    products = [cost for cost in costs if isinstance(cost, ProductEdge)]
    if len(products) == len(costs):
        return replace(products[0], terms=tuple(term for cost in products for term in cost.terms))
    words = [cost for cost in costs if isinstance(cost, WordEdge)]
    if len(words) == len(costs):
        return WordEdge(words[0].first, words[0].second, merged([term for cost in words for term in cost.terms]))
    return TableEdge(sum((cost.dense(object) for cost in costs), start=np.zeros(costs[0].shape, dtype=object)))


def merged(terms: Sequence[EdgeTerm]) -> tuple[EdgeTerm, ...]:
    """Add the shares of terms that look at the same letters with the same weights: fewer terms, the same sum."""
    found: dict[tuple[int, Factors, tuple[int, ...]], EdgeTerm] = {}
    for term in terms:
        ones = ((1,) * len(term.share),) * len(term.weights)
        one = replace(term, side=0, factors=ones) if term.free else term
        key = one.side, one.factors, one.weights
        found[key] = found[key].plus(one) if key in found else one
    return tuple(found.values())
