"""What can get into or out of an accelerator only late or early, and how long that takes.

A chunk with a contribution that is r sends away comes into an accelerator, whole, in step r at the earliest, however
many links there are: so that of m such chunks, n of which the links carry in a step, the last comes in step
r - 1 + ceil(m / n) at the earliest. The same holds, backwards, of what has to get out of it, to somewhere r sends
away. In time a link of t a message has floor((T - r) / t) + 1 that end between r and T; where chunks are joined to
messages, of t a chunk, for the first of them began its last latency and transfer before r at the earliest.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph, CollectiveLink


class LateCut(NamedTuple):
    """A number that no schedule's value is below, and around whom it is; whether it is of what gets out."""

    value: int
    node: int
    out: bool


def late_cuts(graph: CollectiveGraph, far: Mapping[int, Sequence[int]]) -> Iterator[LateCut]:
    """Yield the bounds around every accelerator, into and out of it.

    Parameters
    ----------
    far
        By source of a chunk, how far all nodes are from it: sends, or in time the time.
    """
    into, out = _ways(graph, far)
    leaving: dict[int, list[CollectiveLink]] = defaultdict(list)
    entering: dict[int, list[CollectiveLink]] = defaultdict(list)
    for link in graph.links:
        leaving[link.ends[0]].append(link)
        entering[link.ends[1]].append(link)
    for node, ways in into.items():
        yield LateCut(_least(graph, entering[node], ways), node, out=False)
    for node, ways in out.items():
        yield LateCut(_least(graph, leaving[node], ways), node, out=True)


def _ways(
    graph: CollectiveGraph, far: Mapping[int, Sequence[int]]
) -> tuple[Mapping[int, Counter[int]], Mapping[int, Counter[int]]]:
    """Return by accelerator how many chunks have to get into it from how far at most, and out of it how far."""
    into: dict[int, Counter[int]] = defaultdict(Counter)
    out: dict[int, Counter[int]] = defaultdict(Counter)
    for demand, count in Counter(graph.demands).items():
        for target in demand.targets:
            way = max((far[source][target] for source in demand.sources), default=0)
            if way:
                into[target][way] += count
        for source in demand.sources:
            way = max((far[source][target] for target in demand.targets), default=0)
            if way:
                out[source][way] += count
    return into, out


def _least(graph: CollectiveGraph, links: Sequence[CollectiveLink], ways: Mapping[int, int]) -> int:
    """Return how long it takes at least until all have crossed some links, by how far they have to come or go."""
    most = needed = 0
    for way in sorted(ways, reverse=True):
        needed += ways[way]
        most = max(most, way + _after(graph, links, needed))
    return most


def _after(graph: CollectiveGraph, links: Sequence[CollectiveLink], needed: int) -> int:
    """Return how long after the first of so many messages can have ended at the earliest the last one does."""
    if graph.goal != "time":
        return -(-needed // sum(link.messages for link in links)) - 1
    each = [link.transfer + (0 if graph.joined else link.latency) for link in links]
    low, high = 0, min(each) * (needed - 1)
    while low < high:
        middle = (low + high) // 2
        enough = sum(middle // one + 1 for one in each) >= needed
        low, high = (low, middle) if enough else (middle + 1, high)
    return low
