"""A part of a CostGraph: some of its variables, and what is between these."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.costgraph.graph import CostGraph

if TYPE_CHECKING:
    from collections.abc import Sequence


def part_of_graph(graph: CostGraph, places: Sequence[int]) -> CostGraph:
    """Return the problem of some variables alone: their costs, those of pairs of them, and every capacity as it is.

    Parameters
    ----------
    places
        Of the variables, ascending.
    """
    number = {place: i for i, place in enumerate(places)}
    edges = tuple(
        replace(edge, first=number[edge.first], second=number[edge.second])
        for edge in graph.edges
        if edge.first in number and edge.second in number
    )
    capacities = tuple(
        replace(
            one,
            usages={number[place]: usage for place, usage in one.usages.items() if place in number},
            pairs={
                (number[first], number[second]): usage
                for (first, second), usage in one.pairs.items()
                if first in number and second in number
            },
        )
        for one in graph.capacities
    )
    return CostGraph(
        tuple(graph.variables[place] for place in places),
        tuple(graph.unary[place] for place in places),
        edges,
        graph.objective,
        capacities,
    )
