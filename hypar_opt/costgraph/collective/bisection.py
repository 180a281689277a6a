"""The cut that an all-to-all has to cross most for what its links carry, as far as it is found.

Whatever begins on one side for someone on the other crosses it, N1 N2 chunks for sides of N1 and N2 accelerators; an
array's bisection is such a cut. Nodes are added to a side one by one, beginning with those that are nearer to one of
two far nodes, and then single nodes change sides as long as that makes it tighter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph

MOST_BEGINS: Final = 4
"""Accelerators from which each other one is looked at."""


class _Side(NamedTuple):
    """How many pairs have to cross a cut, over what its links carry, and one side of it."""

    ratio: float
    nodes: frozenset[int]


def widest_exchange(
    graph: CollectiveGraph, rates: Mapping[tuple[int, int], int], near: Mapping[int, Sequence[int]]
) -> frozenset[int]:
    """Return the nodes on one side of the cut that is found to be tightest.

    Parameters
    ----------
    graph
        In which each of a group has chunks for each other.
    rates
        Of links, in any unit; as much each way.
    near
        By member of the group, how far all nodes are.
    """
    members = frozenset(near)
    begins = sorted(members, key=lambda node: (-max(near[node]), node))[: 1 if graph.shifts else MOST_BEGINS]
    best = _Side(0.0, frozenset())
    for one in begins:
        for other in sorted(members - {one}):
            order = sorted(range(graph.nodes), key=lambda node: (near[one][node] - near[other][node], node))
            best = max(best, _swept(graph, rates, members, order), key=lambda side: side.ratio)
    return _improved(graph, rates, members, best).nodes


def _swept(
    graph: CollectiveGraph, rates: Mapping[tuple[int, int], int], members: frozenset[int], order: Sequence[int]
) -> _Side:
    """Return the tightest cut around a beginning of an order."""
    inside: set[int] = set()
    best, size, among, carried = 0.0, 0, 0, 0
    for number, node in enumerate(order[:-1], 1):
        for other in graph.after[node]:
            carried += -rates[other, node] if other in inside else rates[node, other]
        inside.add(node)
        among += node in members
        ratio = among * (len(members) - among) / carried if carried else 0.0
        if ratio > best:
            best, size = ratio, number
    return _Side(best, frozenset(order[:size]))


def _improved(
    graph: CollectiveGraph, rates: Mapping[tuple[int, int], int], members: frozenset[int], side: _Side
) -> _Side:
    """Return the cut after single nodes have changed sides for as long as it gets tighter."""
    while True:
        nodes = side.nodes
        among = len(nodes & members)
        carried = sum(rate for hop, rate in rates.items() if hop[0] in nodes and hop[1] not in nodes)
        tried = [side]
        for node in sorted({node for hop in rates if (hop[0] in nodes) != (hop[1] in nodes) for node in hop}):
            sign = -1 if node in nodes else 1
            more = sum(rates[node, other] * (-sign if other in nodes else sign) for other in graph.after[node])
            then = among + sign * (node in members)
            if carried + more > 0:
                tried.append(_Side(then * (len(members) - then) / (carried + more), nodes ^ {node}))
        best = max(tried, key=lambda one: one.ratio)
        if best.ratio <= side.ratio:
            return side
        side = best
