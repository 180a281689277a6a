"""What every schedule takes at least, into however many chunks the bytes are cut, by sums over links.

A link of latency a and b bytes a second has delivered no more than b (T - a) bytes by time T, in whatever messages.
So what has to get through some links takes the least of their latencies, and its bytes over what all carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.flow_cut import narrow_cut
from hypar_opt.evaluation.collective.links import LinkUse
from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.collective.chunks import Chunk


@dataclass(frozen=True)
class FluidBound:
    """A time that no schedule is below, by how many bytes there are in all.

    Parameters
    ----------
    latency
        In seconds.
    per_byte
        Seconds for each byte of all chunks together.
    text
        Why.
    """

    latency: Fraction
    per_byte: Fraction
    text: str

    def seconds(self, count: int) -> Fraction:
        """Return it with so many bytes."""
        return self.latency + self.per_byte * count


def fluid_bounds(instance: CollectiveInstance) -> tuple[FluidBound, ...]:
    """Return the bounds, of which the largest holds: of cuts, of all messages, of the longest way.

    Parameters
    ----------
    instance
        All its links have a bandwidth.
    """
    return tuple(_bounds(instance))


def _bounds(instance: CollectiveInstance) -> Iterator[FluidBound]:
    machine, chunks = instance.machine, instance.chunks
    nodes = range(len(machine.names))
    for node in range(len(machine.accelerators)):
        for inside in ({node}, set(nodes) - {node}):
            yield from _through(instance, inside)
    narrow = narrow_cut(LinkUse(instance))
    if narrow is not None:
        yield from _through(instance, narrow)
    taken_in = [hop for hop in machine.link_of if hop[1] < len(machine.accelerators)]
    everyone = len(machine.accelerators)
    messages = Fraction(sum(_least_messages(one, everyone) for one in chunks), len(chunks))
    text = f"a byte is received {float(messages):.4g} times at least, by {counted(len(taken_in), 'link')}"
    yield _over(instance, taken_in, messages, text)
    yield _longest_way(instance)


def _through(instance: CollectiveInstance, inside: Collection[int]) -> Iterator[FluidBound]:
    """Yield the bound of what has to get into a set of nodes, if there is any."""
    needed = sum(
        any(one in inside for one in chunk.targets) and any(one not in inside for one in chunk.sources)
        for chunk in instance.chunks
    )
    if needed:
        links = [hop for hop in instance.machine.link_of if hop[1] in inside and hop[0] not in inside]
        part = Fraction(needed, len(instance.chunks))
        text = f"{part} of all bytes have to get into {counted(len(inside), 'node')}, by {counted(len(links), 'link')}"
        yield _over(instance, links, part, text)


def _over(instance: CollectiveInstance, links: Sequence[tuple[int, int]], part: Fraction, text: str) -> FluidBound:
    """Return the bound of a part of all bytes over some links."""
    found = [instance.machine.link_of[hop] for hop in links]
    carried = sum((Fraction(link.bandwidth or 0) for link in found), start=Fraction(0))
    return FluidBound(min(link.latency for link in found), part / carried, text)


def _least_messages(chunk: Chunk, everyone: int) -> int:
    """Return how often each byte of a chunk has to be received at least, where there are so many accelerators."""
    if min(len(chunk.sources), len(chunk.targets)) == everyone:
        return 2 * (everyone - 1)  # one-way gossip among all (Harary and Schwenk, 1974)
    return max(len(set(chunk.sources) - set(chunk.targets[:1])), len(set(chunk.targets) - set(chunk.sources[:1])))


def _longest_way(instance: CollectiveInstance) -> FluidBound:
    """Return the longest of all shortest ways from who has something to who has to have it, by latencies alone."""
    import networkx as nx

    graph: nx.DiGraph[int] = nx.DiGraph()
    for hop, link in instance.machine.link_of.items():
        graph.add_edge(*hop, weight=link.latency)
    wanted: dict[int, set[int]] = {}
    for chunk in instance.chunks:
        for source in chunk.sources:
            wanted.setdefault(source, set()).update(chunk.targets)
    ways = {source: nx.single_source_dijkstra_path_length(graph, source) for source in wanted}
    source, target = max(
        ((source, target) for source, targets in wanted.items() for target in targets),
        key=lambda pair: ways[pair[0]][pair[1]],
    )
    names = instance.machine.names
    text = f"the way from {names[source]} to {names[target]} has its latencies"
    return FluidBound(Fraction(ways[source][target]), Fraction(0), text)
