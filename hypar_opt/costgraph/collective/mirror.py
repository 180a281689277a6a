"""A reduction as the mirror of a gathering: all links turned, and time reversed.

Whoever sends a chunk on to several in a gathering gets sums from these in the mirror, each once: the tree of sends by
which a chunk gets from one accelerator to all is, turned, one by which the contributions of all get to that one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.costgraph.collective.graph import CollectiveGraph, Demand
from hypar_opt.costgraph.collective.moves import Move

if TYPE_CHECKING:
    from collections.abc import Sequence


def mirrored(graph: CollectiveGraph) -> CollectiveGraph:
    """Return a collective with all links turned, and with sources and targets of every chunk in each other's place."""
    links = tuple(replace(link, ends=link.ends[::-1]) for link in graph.links)
    return replace(graph, links=links, demands=tuple(Demand(one.targets, one.sources) for one in graph.demands))


def reversed_moves(moves: Sequence[Move], until: int, *, adds: bool) -> list[Move]:
    """Return moves backwards in time, so that the last of them, which ends at `until`, begins at 0."""
    return [Move(until - one.end, until - one.begin, one.chunk, one.route[::-1], adds) for one in moves]


def gathering_of(graph: CollectiveGraph) -> CollectiveGraph:
    """Return what every chunk of an all-reduce is after it has been summed up where the chunk of its number begins.

    The first half, by which it gets there, is the mirror of the same on turned links.
    """
    chunks = len(graph.demands) // max(1, len(graph.demands[0].targets))
    demands = [Demand((one.targets[number // chunks],), one.targets) for number, one in enumerate(graph.demands)]
    return replace(graph, demands=tuple(demands))
