"""What a collective takes at least by bandwidth alone, however finely its chunks are cut: sums over links.

* A cut around one accelerator: so many chunks have to get into it, or out of it, by links of such rates.
* Messages: so many have to be taken in by accelerators all together, see `bounds`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Literal

from hypar_opt.costgraph.collective.bisection import widest_exchange
from hypar_opt.costgraph.collective.bounds import all_messages, distances

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph.collective.graph import CollectiveGraph


@dataclass(frozen=True)
class BandwidthBound:
    """A time that no trees take less than.

    Parameters
    ----------
    value
        In the graph's unit.
    kind
        What shows it.
    nodes
        The set that a cut is around.
    parts
        Of a partition, between which every chunk takes 2 (parts - 1) messages.
    """

    value: Fraction
    kind: Literal["cut", "messages", "partition", "lengths"]
    nodes: tuple[int, ...] = ()
    parts: tuple[tuple[int, ...], ...] = ()


def bandwidth_bound(graph: CollectiveGraph) -> BandwidthBound:
    """Return the best of these bounds."""
    return max(_bounds(graph), key=lambda one: one.value)


def rate(graph: CollectiveGraph, hop: tuple[int, int]) -> Fraction:
    """Return how many chunks a link carries in a unit of time."""
    return Fraction(1, graph.link_of[hop].transfer)


def _bounds(graph: CollectiveGraph) -> Iterator[BandwidthBound]:
    enter = Counter(node for one in graph.demands for node in one.targets if one.sources != (node,))
    leave = Counter(node for one in graph.demands for node in one.sources if one.targets != (node,))
    everyone = range(graph.nodes)
    for node in range(graph.accelerators):
        # as much can leave a node as can enter it
        rates = sum((rate(graph, (node, other)) for other in graph.after[node]), start=Fraction(0))
        yield BandwidthBound(enter[node] / rates, "cut", (node,))
        yield BandwidthBound(leave[node] / rates, "cut", tuple(one for one in everyone if one != node))
    sources = {source for one in graph.demands for source in one.sources}
    near = {source: distances(graph, source) for source in sorted(sources)}
    if graph.exchanges:
        unit = lcm(*{link.transfer for link in graph.links})
        side = widest_exchange(graph, {link.ends: unit // link.transfer for link in graph.links}, near)
        across = [rate(graph, one.ends) for one in graph.links if one.ends[0] in side and one.ends[1] not in side]
        needed = sum(one.sources[0] in side and one.targets[0] not in side for one in graph.demands)
        inside = tuple(node for node in everyone if node not in side)
        yield BandwidthBound(needed / sum(across, start=Fraction(0)), "cut", inside)
    taken_in = sum((rate(graph, one.ends) for one in graph.links if one.ends[1] < graph.accelerators), Fraction(0))
    yield BandwidthBound(all_messages(graph, near) / taken_in, "messages")
