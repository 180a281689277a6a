"""A box of shares decided by tables: what every class needs at least, by word and by pair of words.

What a word or a pair of words costs a class is concave in every single share, and so at least the least of a box's
corners. By these least costs, plans that are worse everywhere in the box are told without any duality gap: where groups
wait once, plans have to keep every class below the best step known; where they wait for every layer, the maximum over
classes stands in the tables. At a single vector of shares the tables are what plans cost.

Only words are in the tables whose plans can be better at all: at given weights a word's least weighted sum is concave
in every share, too, so that a word goes whose least sums at all corners are no better than the best step known.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.mixed.compile import COST
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.cost.mixed.model import Shares
    from hypar_opt.costgraph import Array
    from hypar_opt.solver.mixed.box import ShareBox

MOST_PAIRS: Final = 2**16
"""Pairs of words in one table."""


@dataclass(frozen=True)
class ClassTables:
    """What a class needs at least in a box, in units of one over `unit` seconds.

    Parameters
    ----------
    unary
        By layer and word.
    edges
        By boundary and pair of words.
    unit
        Of all classes.
    """

    unary: tuple[Array, ...]
    edges: tuple[Array, ...]
    unit: int


def fit_into_tables(graph: CostGraph, kept: Sequence[Array]) -> None:
    """Raise `Refusal` where the pairs of words that are kept are too many for tables."""
    most = max((len(kept[edge.first]) * len(kept[edge.second]) for edge in graph.edges), default=0)
    if most > MOST_PAIRS:
        raise Refusal(f"tables of {most:,} pairs of words are too large")


def least_tables(
    graph_of: Callable[[Shares, int], CostGraph], box: ShareBox, classes: int, kept: Sequence[Array]
) -> list[ClassTables]:
    """Return by class the least of a box's corners.

    Parameters
    ----------
    graph_of
        The graph of a class's seconds at some shares.
    classes
        How many there are.
    kept
        By layer, the words in the tables.
    """
    graphs = [[graph_of(corner, one) for corner in box.corners] for one in range(classes)]
    unit = lcm(*(graph.objective.denominator for row in graphs for graph in row))
    return [
        ClassTables(
            tuple(_least([unary_table(graph, i, kept[i], unit) for graph in row]) for i in range(len(kept))),
            tuple(_least([edge_table(graph, i, kept, unit) for graph in row]) for i in range(len(row[0].edges))),
            unit,
        )
        for row in graphs
    ]


def _least(tables: Sequence[Array]) -> Array:
    found: Array = np.minimum.reduce(tables)
    return found


def unary_table(graph: CostGraph, place: int, kept: Array, unit: int) -> Array:
    """Return what some words of a layer cost, in units of one over `unit`."""
    scale = unit // graph.objective.denominator
    found: Array = graph.unary_costs[place].dense(object)[kept] * scale
    return found


def edge_table(graph: CostGraph, place: int, kept: Sequence[Array], unit: int) -> Array:
    """Return what some pairs of words cost at a boundary, in units of one over `unit`."""
    edge = graph.edges[place]
    scale = graph.objective.scalar(COST) * (unit // graph.objective.denominator)
    found: Array = edge.costs[COST].among(kept[edge.first], kept[edge.second], object) * scale
    return found


def graph_below(
    tables: Sequence[ClassTables], graph: CostGraph, weights: Sequence[Fraction], limits: Sequence[int] | None
) -> CostGraph:
    """Return the graph of plans that keep every class below a number of seconds, charged by weights.

    Parameters
    ----------
    tables
        Of classes, or of classes before each wait.
    graph
        Whose variables and pairs these are tables of.
    weights
        By table.
    limits
        By table, what it may come to at most, in its unit; None for anything.
    """
    scale = lcm(*(one.denominator for one in weights))
    whole = [int(weight * scale) for weight in weights]
    unary = [_weighed(whole, [one.unary[i] for one in tables]) for i in _layers(tables)]
    edges = [_weighed(whole, [one.edges[i] for one in tables]) for i in _edges(tables)]
    made = table_graph(graph, unary, edges).replace(objective=Objective({COST: Fraction(1, scale * tables[0].unit)}))
    if limits is None:
        return made
    capacities = tuple(
        Capacity(
            f"the best step, by class {position + 1}",
            limit,
            {i: TableUnary(row) for i, row in enumerate(one.unary)},
            one.unit,
            pair_tables(graph, one.edges),
        )
        for position, (one, limit) in enumerate(zip(tables, limits, strict=True))
    )
    return made.replace(capacities=capacities)


def graph_of_maxima(tables: Sequence[ClassTables], graph: CostGraph) -> CostGraph:
    """Return the graph of the maxima over classes, layer by layer, with what the layer reads first."""
    first: dict[int, int] = {}
    for place, edge in enumerate(graph.edges):
        first.setdefault(edge.second, place)
    unary = [
        np.zeros_like(tables[0].unary[i]) if i in first else _most([one.unary[i] for one in tables])
        for i in _layers(tables)
    ]
    edges = []
    for place, edge in enumerate(graph.edges):
        is_first = first[edge.second] == place
        edges.append(_most([one.edges[place] + (one.unary[edge.second][None, :] if is_first else 0) for one in tables]))
    return table_graph(graph, unary, edges)


def _weighed(weights: Sequence[int], tables: Sequence[Array]) -> Array:
    found: Array = np.sum([weight * table for weight, table in zip(weights, tables, strict=True)], axis=0)
    return found


def _most(tables: Sequence[Array]) -> Array:
    found: Array = np.maximum.reduce(tables)
    return found


def _layers(tables: Sequence[ClassTables]) -> range:
    return range(len(tables[0].unary))


def _edges(tables: Sequence[ClassTables]) -> range:
    return range(len(tables[0].edges))


def pair_tables(graph: CostGraph, edges: Sequence[Array]) -> dict[tuple[int, int], TableEdge]:
    """Return tables by pair of variables, the smaller first; those of one pair added up."""
    found: dict[tuple[int, int], Array] = {}
    for edge, table in zip(graph.edges, edges, strict=True):
        pair, turned = (edge.first, edge.second), table
        if edge.first > edge.second:
            pair, turned = (edge.second, edge.first), table.T
        found[pair] = found[pair] + turned if pair in found else turned
    return {pair: TableEdge(table) for pair, table in found.items()}


def table_graph(graph: CostGraph, unary: Sequence[Array], edges: Sequence[Array]) -> CostGraph:
    """Return the graph of tables by layer and by boundary."""
    variables = tuple(Variable(one.name, len(row)) for one, row in zip(graph.variables, unary, strict=True))
    return CostGraph(
        variables,
        tuple({COST: TableUnary(row)} for row in unary),
        tuple(
            Edge(edge.first, edge.second, {COST: TableEdge(table)})
            for edge, table in zip(graph.edges, edges, strict=True)
        ),
        Objective({COST: Fraction(1)}),
    )
