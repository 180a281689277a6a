"""What every schedule takes at least, by sums that can be checked by hand: of cuts, of ways, and of messages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any, Self

from hypar_opt.evaluation.collective.divisions import middle_cut
from hypar_opt.evaluation.collective.flow_cut import narrow_cut
from hypar_opt.evaluation.collective.late_bound import late_bounds
from hypar_opt.evaluation.collective.links import LinkUse
from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    import networkx as nx

    from hypar_opt.instance.collective import CollectiveInstance


@dataclass(frozen=True)
class ProvenBound:
    """A number that no schedule's objective is below.

    Parameters
    ----------
    value
        In the objective's unit.
    text
        Why.
    inside
        Positions of the nodes that a cut is around; none of others.
    """

    value: Fraction
    text: str
    inside: tuple[int, ...] = ()


@dataclass(frozen=True)
class CountedCut:
    """What has to get into a set of nodes, and by what.

    Parameters
    ----------
    needed
        How many chunks.
    links
        Ends of the links into it.
    text
        Both, in words.
    nodes
        The set, ascending.
    """

    needed: int
    links: tuple[tuple[int, int], ...]
    text: str
    nodes: tuple[int, ...]

    @classmethod
    def around(cls, instance: CollectiveInstance, hops: Iterable[tuple[int, int]], inside: Collection[int]) -> Self:
        """Count a cut, of links by (from, to)."""
        within = set(inside)
        needed = sum(
            not within.isdisjoint(chunk.targets) and not within.issuperset(chunk.sources) for chunk in instance.chunks
        )
        links = tuple(hop for hop in hops if hop[1] in within and hop[0] not in within)
        text = f"{needed:,} chunks have to get into {counted(len(within), 'node')}, by {counted(len(links), 'link')}"
        return cls(needed, links, text, tuple(sorted(within)))


@dataclass(frozen=True)
class BoundProver:
    """What can be proven of the schedules of a collective.

    Parameters
    ----------
    instance
        The collective.
    """

    instance: CollectiveInstance

    @cached_property
    def use(self) -> LinkUse:
        """What links can do."""
        return LinkUse(self.instance)

    @property
    def best(self) -> ProvenBound:
        """The best of all below, of cuts around single accelerators."""
        return max(self._all(), key=lambda one: one.value)

    def _all(self) -> Iterator[ProvenBound]:
        yield self.by_single_cut
        yield self.by_way
        yield self.by_messages
        late = self.by_late_chunks
        if late is not None:
            yield late

    @property
    def by_late_chunks(self) -> ProvenBound | None:
        """The best that follows of the chunks that come from afar, or go there; None where there are none."""
        found = (ProvenBound(*one) for one in late_bounds(self.use, self._own_ways))
        return max(found, key=lambda one: one.value, default=None)

    @property
    def by_single_cut(self) -> ProvenBound:
        """The best of the cuts around single accelerators, and around all but one."""
        return max(self._single_cuts(), key=lambda one: one.value)

    def _single_cuts(self) -> Iterator[ProvenBound]:
        gets = Counter(node for one in self.instance.chunks for node in one.targets if one.sources != (node,))
        gives = Counter(node for one in self.instance.chunks for node in one.sources if one.targets != (node,))
        for node, others in enumerate(self.instance.machine.neighbours[: len(self.instance.machine.accelerators)]):
            yield self._around(node, "into", [(other, node) for other in others], gets[node])
            yield self._around(node, "out of", [(node, other) for other in others], gives[node])

    @property
    def by_narrow_cut(self) -> ProvenBound | None:
        """That of a cut around any number of nodes, which takes a search; None of large arrays."""
        if all(len(chunk.sources) == len(chunk.targets) == 1 for chunk in self.instance.chunks):
            rates = {hop: Fraction(count) for hop, count in self.use.messages.items()}
            return self.by_cut(middle_cut(len(self.instance.machine.names), rates, self.instance.group))
        inside = narrow_cut(self.use)
        return None if inside is None else self.by_cut(sorted(inside))

    def by_cut(self, inside: Collection[int]) -> ProvenBound:
        """Return what it takes until all that has to get into a set of nodes is there, whatever is done elsewhere.

        Parameters
        ----------
        inside
            Positions of nodes.
        """
        cut = CountedCut.around(self.instance, self.use.messages, inside)
        return ProvenBound(self._least(cut.links, cut.needed), cut.text, cut.nodes)

    def _around(self, node: int, into: str, links: Sequence[tuple[int, int]], needed: int) -> ProvenBound:
        """Return the same of a cut around one accelerator."""
        name = self.instance.machine.names[node]
        text = f"{needed:,} chunks have to get {into} {name}, by {counted(len(links), 'link')}"
        return ProvenBound(self._least(links, needed), text, (node,))

    def _least(self, links: Iterable[tuple[int, int]], needed: int) -> Fraction:
        """Return when links can have carried so many chunks at the earliest, each one after the other."""
        if not needed:
            return Fraction(0)
        if self.instance.goal != "time":
            return Fraction(ceil(Fraction(needed, sum(self.use.messages[hop] for hop in links))))
        each = sorted(self._pace(hop) for hop in links)
        # no earlier than at their rates together, of those that have begun; from then on end after end
        times, begun, rate = [], Fraction(0), Fraction(0)
        for first, one in each:
            begun, rate = begun + first / one, rate + 1 / one
            times.append((needed + begun) / rate)
        time = max(min(first + one for first, one in each), min(times))
        while sum(_ended(time, *pace) for pace in each) < needed:
            time = min(first + (_ended(time, first, one) + 1) * one for first, one in each)
        return max(first + count * one for first, one in each if (count := _ended(time, first, one)))

    def _pace(self, hop: tuple[int, int]) -> tuple[Fraction, Fraction]:
        """Return after how many seconds a link's first chunk begins, and what it takes for each.

        Joined to one message chunks take its latency once, and no message can do without it.
        """
        latency, transfer = self.use.latency(hop), self.use.transfer(hop)
        return (latency, transfer) if self.instance.messages == "joined" else (Fraction(0), latency + transfer)

    @cached_property
    def sends(self) -> nx.DiGraph[int]:
        """The array; an edge weighs one into an accelerator, for which it takes a send, and nothing into a switch."""
        return self._graph(lambda hop: int(self._is_taken_in(hop)))

    @cached_property
    def seconds(self) -> nx.DiGraph[int]:
        """The array; an edge weighs its latency, and into an accelerator what the bytes of a chunk take on it."""
        return self._graph(
            lambda hop: self.use.latency(hop) + (self.use.transfer(hop) if self._is_taken_in(hop) else 0)
        )

    def _is_taken_in(self, hop: tuple[int, int]) -> bool:
        return hop[1] < len(self.instance.machine.accelerators)

    def _graph(self, weight: Callable[[tuple[int, int]], int | Fraction]) -> nx.DiGraph[int]:
        import networkx as nx

        found: nx.DiGraph[int] = nx.DiGraph()
        for hop in self.use.messages:
            found.add_edge(*hop, weight=weight(hop))
        return found

    def _ways(self, graph: nx.DiGraph[int]) -> dict[int, Mapping[int, Any]]:
        """Return by source of a chunk how far all nodes are from it."""
        import networkx as nx

        sources = {source for chunk in self.instance.chunks for source in chunk.sources}
        return {source: nx.single_source_dijkstra_path_length(graph, source) for source in sorted(sources)}

    @cached_property
    def _own_ways(self) -> dict[int, Mapping[int, Any]]:
        """By source how far all nodes are, in what is to be least."""
        return self._ways(self.seconds if self.instance.goal == "time" else self.sends)

    @property
    def by_way(self) -> ProvenBound:
        """The longest of the shortest ways that a chunk has to take."""
        names, ways = self.instance.machine.names, self._own_ways
        pairs = {(source, target) for one in self.instance.chunks for source in one.sources for target in one.targets}
        source, target = max(sorted(pairs), key=lambda pair: ways[pair[0]][pair[1]])
        unit = " s" if self.instance.goal == "time" else ""
        text = f"the way from {names[source]} to {names[target]} takes {ways[source][target]}{unit}"
        return ProvenBound(Fraction(ways[source][target]), text)

    @property
    def by_messages(self) -> ProvenBound:
        """What it takes until accelerators have taken in all messages that there have to be.

        A chunk takes one for everyone that it has to get to or come from, and as many as its longest way has. One-way
        gossip among all p takes 2 (p - 1) (Harary and Schwenk, 1974), and a sum is no less than gossip.
        """
        ways, everyone = self._ways(self.sends), len(self.instance.machine.accelerators)
        needed = 0
        for chunk in self.instance.chunks:
            others = set(chunk.sources) ^ set(chunk.targets) if chunk.summed else set(chunk.targets) - {*chunk.sources}
            longest = max(ways[source][target] for source in chunk.sources for target in chunk.targets)
            least = max(int(longest), len(others))
            if chunk.summed and len(chunk.targets) > 1:
                group = len(chunk.sources)
                least = 2 * (group - 1) if group == everyone else max(least, group - 1)
            needed += least
        links = [hop for hop in self.use.messages if self._is_taken_in(hop)]
        return ProvenBound(
            self._least(links, needed), f"there have to be {needed:,} messages, on {counted(len(links), 'link')}"
        )


def _ended(time: Fraction, first: Fraction, one: Fraction) -> int:
    """Return how many chunks a link has carried by a time."""
    return max(0, (time - first) // one)
