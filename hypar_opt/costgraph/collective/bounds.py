"""What every schedule of a collective takes at least, with what shows it.

* A cut: so many chunks have to get into a set of nodes (or out of it), and its links let in so many at a time.
* A distance: a chunk has to get from a source to a target, and the way takes so long.
* Messages: an all-reduce of p accelerators takes at least 2 (p - 1) messages a chunk, as one-way gossip does, and
  accelerators can take in so many at a time (Harary and Schwenk, The communication problem on graphs, 1974).
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph, CollectiveLink, Demand


@dataclass(frozen=True)
class ScheduleBound:
    """A number that no schedule's value is below.

    Parameters
    ----------
    value
        In the graph's unit.
    kind
        What shows it.
    nodes
        The set that a cut is around, or the two ends of a distance.
    """

    value: int
    kind: Literal["cut", "distance", "messages"]
    nodes: tuple[int, ...] = ()


def lower_bound(graph: CollectiveGraph) -> ScheduleBound:
    """Return the best bound of cuts around single accelerators and all but one, of distances, and of messages."""
    return max(_bounds(graph), key=lambda one: one.value)


def _bounds(graph: CollectiveGraph) -> Iterator[ScheduleBound]:
    for node in range(graph.accelerators):
        yield ScheduleBound(cut_bound(graph, {node}), "cut", (node,))
        others = (*range(node), *range(node + 1, graph.nodes))
        yield ScheduleBound(cut_bound(graph, frozenset(others)), "cut", others)
    yield farthest(graph)
    yield ScheduleBound(_by_messages(graph), "messages")


def cut_bound(graph: CollectiveGraph, inside: Collection[int]) -> int:
    """Return how long it takes at least until all that has to get into a set of nodes is there."""
    within = frozenset(inside)
    needed = sum(_enters(one, within) for one in graph.demands)
    links = [link for link in graph.links if link.ends[1] in within and link.ends[0] not in within]
    return _least_time(graph, links, needed)


def _enters(demand: Demand, inside: Collection[int]) -> bool:
    """Return whether something of a chunk has to get into a set: a target in it lacks a source outside of it."""
    return any(one in inside for one in demand.targets) and any(one not in inside for one in demand.sources)


def _least_time(graph: CollectiveGraph, links: Sequence[CollectiveLink], needed: int) -> int:
    """Return when so many chunks can have crossed links at the earliest; a link takes them one after the other."""
    if not needed:
        return 0
    if graph.goal != "time":
        return -(-needed // sum(link.messages for link in links))
    each = [link.latency + link.transfer for link in links]
    low, high = 0, min(each) * needed
    while low < high:
        middle = (low + high) // 2
        enough = sum(middle // one for one in each) >= needed
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def farthest(graph: CollectiveGraph) -> ScheduleBound:
    """Return the longest of all shortest ways from a source of a chunk to a target of it."""
    wanted: dict[int, set[int]] = {}
    for one in graph.demands:
        for source in one.sources:
            wanted.setdefault(source, set()).update(one.targets)
    found = ScheduleBound(0, "distance")
    for source, targets in wanted.items():
        reached = distances(graph, source)
        target = max(targets, key=lambda one: (reached[one], -one))
        if reached[target] > found.value:
            found = ScheduleBound(reached[target], "distance", (source, target))
    return found


def distances(graph: CollectiveGraph, source: int) -> list[int]:
    """Return for every node what a chunk takes to it at least; a way through switches is one step.

    In time a way takes all latencies, and the transfer of a link into each accelerator on it.
    """
    found = [-1] * graph.nodes
    waiting = [(0, source)]
    while waiting:
        time, node = heappop(waiting)
        if found[node] >= 0:
            continue
        found[node] = time
        for other in graph.after[node]:
            if found[other] < 0:
                heappush(waiting, (time + _hop(graph, node, other), other))
    return found


def _hop(graph: CollectiveGraph, node: int, other: int) -> int:
    taken_in = other < graph.accelerators
    if graph.goal != "time":
        return int(taken_in)
    link = graph.link_of[node, other]
    return link.latency + (link.transfer if taken_in else 0)


def _by_messages(graph: CollectiveGraph) -> int:
    """Return the bound by messages; 0 where there are sums that not all of the array have to have."""
    everyone = graph.accelerators
    if any(len(one.sources) < everyone or len(one.targets) < everyone for one in graph.demands):
        return 0
    links = [link for link in graph.links if link.ends[1] < everyone]
    return _least_time(graph, links, 2 * (everyone - 1) * len(graph.demands))
