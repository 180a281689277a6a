"""By how much two assignments' costs can differ, and in which steps."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING

from hypar_opt.costgraph.word_edge import WordEdge
from hypar_opt.costgraph.word_unary import WordUnary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.costgraph.edge import EdgeCost
    from hypar_opt.costgraph.graph import CostGraph
    from hypar_opt.costgraph.unary import UnaryCost


@dataclass(frozen=True)
class Differences:
    """Bounds on the difference of any two assignments' costs.

    Parameters
    ----------
    most
        No two differ by more.
    step
        Every difference is a multiple of it; 0 where all cost the same.
    """

    most: int
    step: int


def differences(graph: CostGraph) -> Differences:
    """Look at every term of a graph's objective; at tables in full."""
    each = [_of_unary(cost) for cost in graph.unary_costs]
    each += [_of_edge(cost) for cost in graph.edge_costs.values()]
    return Differences(sum(one.most for one in each), gcd(*(one.step for one in each)))


def _of_unary(cost: UnaryCost) -> Differences:
    if not isinstance(cost, WordUnary):
        return _of_numbers(int(one) for one in cost.dense(object))
    shares = [weight * share for term in cost.terms for weight in term.weights for share in term.share]
    counted = _of_numbers(cost.counted.values.values()) if cost.counted else Differences(0, 0)
    over_levels = cost.upper - (cost.counted.upper if cost.counted else 0)
    return Differences(over_levels + counted.most, gcd(counted.step, *shares))


def _of_edge(cost: EdgeCost) -> Differences:
    if not isinstance(cost, WordEdge):
        return _of_numbers(int(one) for one in cost.dense(object).flat)
    shares = (weight * share for term in cost.terms for weight in term.weights for row in term.share for share in row)
    return Differences(cost.upper, gcd(*shares))


def _of_numbers(numbers: Iterable[int]) -> Differences:
    found = list(numbers)
    least = min(found)
    return Differences(max(found) - least, gcd(*(one - least for one in found)))
