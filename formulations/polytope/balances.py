"""What flows in and out where: the rows of the families source, sink and conservation, for every back-end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.polytope.polytope import Polytope

Pair: TypeAlias = tuple[int, int]
"""The two variables of an edge."""
Value: TypeAlias = tuple[int, int]
"""A variable, and the position of one of its allowed values."""


def sources(polytope: Polytope) -> Iterator[tuple[Pair, Sequence[int], Value]]:
    """Return, for every edge and value of its first variable, the arcs out of that value's node."""
    for pair, network in polytope.networks.items():
        for position, value in enumerate(polytope.values[pair[0]]):
            yield pair, network.outgoing.get(value, ()), (pair[0], position)


def sinks(polytope: Polytope) -> Iterator[tuple[Pair, Sequence[int], Value]]:
    """Return, for every edge and value of its second variable, the arcs into that value's node."""
    for pair, network in polytope.networks.items():
        for position, value in enumerate(polytope.values[pair[1]]):
            yield pair, network.incoming.get(network.first + value, ()), (pair[1], position)


def inner_nodes(polytope: Polytope) -> Iterator[tuple[Pair, Sequence[int], Sequence[int]]]:
    """Return, for every edge and inner node of its network, the arcs into it and the arcs out of it."""
    for pair, network in polytope.networks.items():
        for node in network.inner:
            yield pair, network.incoming[node], network.outgoing[node]
