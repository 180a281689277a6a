"""What every schedule of a collective takes at least, with what shows it.

* A cut: so many chunks have to get into a set of nodes (or out of it), and its links let in so many at a time.
* A distance: a chunk has to get from a source to a target, and the way takes so long.
* Late chunks: so many have to get into an accelerator, and none comes there before a way's end (see `late`).
* Messages: a chunk takes one for every accelerator that it has to get to or come from, and as many as its longest way
  has; an all-reduce of all p accelerators 2 (p - 1) a chunk, as one-way gossip does (Harary and Schwenk, The
  communication problem on graphs, 1974). Accelerators can take in so many at a time.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, Literal

from hypar_opt.costgraph.collective.bisection import widest_exchange
from hypar_opt.costgraph.collective.flows import tightest_cut
from hypar_opt.costgraph.collective.late import late_cuts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph, CollectiveLink, Demand

_PACE: Final = 1000


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
        The set that a cut is around, the two ends of a distance, or where late chunks come in or out.
    """

    value: int
    kind: Literal["cut", "distance", "messages", "late"]
    nodes: tuple[int, ...] = ()


def lower_bound(graph: CollectiveGraph) -> ScheduleBound:
    """Return the best bound of cuts, of distances, of messages, and of late chunks."""
    return graph.once("lower bound", lambda: max(_bounds(graph), key=lambda one: one.value))


def _bounds(graph: CollectiveGraph) -> Iterator[ScheduleBound]:
    yield from _single_cuts(graph)
    tightest = tightest_cut(graph)
    if tightest is not None:
        inside = tightest.inside
        yield ScheduleBound(cut_bound(graph, inside), "cut", tuple(sorted(inside)))
    sources = {source for one in graph.demands for source in one.sources}
    near = {source: distances(graph, source) for source in sorted(sources)}
    if graph.exchanges:
        side = widest_exchange(graph, _paces(graph), near)
        yield ScheduleBound(cut_bound(graph, side), "cut", tuple(sorted(side)))
    yield _farthest(graph, near)
    yield ScheduleBound(_by_messages(graph, near), "messages")
    timed = {source: distances(graph, source, timed=True) for source in near} if graph.goal == "time" else near
    for late in late_cuts(graph, timed):
        yield ScheduleBound(late.value, "late", (late.node,))


def _paces(graph: CollectiveGraph) -> dict[tuple[int, int], int]:
    """Return what links carry in a step, or in time as a share of the slowest."""
    if graph.goal != "time":
        return {link.ends: link.messages for link in graph.links}
    times = {link.ends: link.latency + link.transfer for link in graph.links}
    slowest = max(times.values())
    return {ends: _PACE * slowest // one for ends, one in times.items()}


def _single_cuts(graph: CollectiveGraph) -> Iterator[ScheduleBound]:
    """Yield the bounds of the cuts around each accelerator and around all but it."""
    enter = Counter(node for one in graph.demands for node in one.targets if one.sources != (node,))
    leave = Counter(node for one in graph.demands for node in one.sources if one.targets != (node,))
    into: dict[int, list[CollectiveLink]] = {}
    out: dict[int, list[CollectiveLink]] = {}
    for link in graph.links:
        out.setdefault(link.ends[0], []).append(link)
        into.setdefault(link.ends[1], []).append(link)
    for node in range(graph.accelerators):
        yield ScheduleBound(_least_time(graph, into[node], enter[node]), "cut", (node,))
        others = (*range(node), *range(node + 1, graph.nodes))
        yield ScheduleBound(_least_time(graph, out[node], leave[node]), "cut", others)


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
    """Return when so many chunks can have crossed links at the earliest; a link takes them one after the other.

    Where messages are joined a link has its latency before it once, else with every chunk.
    """
    if not needed:
        return 0
    if graph.goal != "time":
        return -(-needed // sum(link.messages for link in links))
    each = [paces(link, joined=graph.joined) for link in links]
    low, high = 0, min(once + needed * always for once, always in each)
    while low < high:
        middle = (low + high) // 2
        enough = sum(max(0, middle - once) // always for once, always in each) >= needed
        low, high = (low, middle) if enough else (middle + 1, high)
    return low


def paces(link: CollectiveLink, *, joined: bool) -> tuple[int, int]:
    """Return what a link takes at least once, and what it takes for every chunk."""
    return (link.latency, link.transfer) if joined else (0, link.latency + link.transfer)


def _farthest(graph: CollectiveGraph, near: Mapping[int, Sequence[int]]) -> ScheduleBound:
    """Return the longest of all shortest ways from a source of a chunk to a target of it."""
    wanted: dict[int, set[int]] = {}
    for one in graph.demands:
        for source in one.sources:
            wanted.setdefault(source, set()).update(one.targets)
    found = ScheduleBound(0, "distance")
    timed = graph.goal == "time"
    for source, targets in wanted.items():
        reached = distances(graph, source, timed=True) if timed else near[source]
        target = max(targets, key=lambda one: (reached[one], -one))
        if reached[target] > found.value:
            found = ScheduleBound(reached[target], "distance", (source, target))
    return found


def distances(graph: CollectiveGraph, source: int, *, timed: bool = False) -> list[int]:
    """Return for every node how many sends a chunk takes to it at least; a way through switches is one.

    Parameters
    ----------
    timed
        Whether to return the time instead: of all latencies, and the transfer of a link into each accelerator.
    """
    found = [-1] * graph.nodes
    waiting = [(0, source)]
    while waiting:
        far, node = heappop(waiting)
        if found[node] >= 0:
            continue
        found[node] = far
        for other in graph.after[node]:
            if found[other] < 0:
                heappush(waiting, (far + _hop(graph, node, other, timed=timed), other))
    return found


def _hop(graph: CollectiveGraph, node: int, other: int, *, timed: bool) -> int:
    taken_in = other < graph.accelerators
    if not timed:
        return int(taken_in)
    link = graph.link_of[node, other]
    return link.latency + (link.transfer if taken_in else 0)


def _by_messages(graph: CollectiveGraph, near: Mapping[int, Sequence[int]]) -> int:
    """Return how long accelerators take at least to take in all messages that there have to be."""
    taking_in = [link for link in graph.links if link.ends[1] < graph.accelerators]
    return _least_time(graph, taking_in, all_messages(graph, near))


def all_messages(graph: CollectiveGraph, near: Mapping[int, Sequence[int]]) -> int:
    """Return how many messages there have to be at least, by how far all accelerators are from each source."""
    return sum(_messages(graph, one, near) for one in graph.demands)


def _messages(graph: CollectiveGraph, demand: Demand, near: Mapping[int, Sequence[int]]) -> int:
    """Return how many messages a chunk takes at least."""
    if min(len(demand.sources), len(demand.targets)) == graph.accelerators:
        return 2 * (graph.accelerators - 1)
    longest = max(near[source][target] for source in demand.sources for target in demand.targets)
    to = len(set(demand.targets).difference(demand.sources[:1])) if len(demand.targets) > 1 else 0
    come = len(set(demand.sources).difference(demand.targets[:1])) if len(demand.sources) > 1 else 0
    return max(longest, to, come)
