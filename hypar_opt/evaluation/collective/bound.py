"""What every schedule takes at least, by sums that can be checked by hand: of cuts, of ways, and of messages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.links import LinkUse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    import networkx as nx

    from hypar_opt.instance.collective import CollectiveInstance


@dataclass(frozen=True, order=True)
class ProvenBound:
    """A number that no schedule's objective is below.

    Parameters
    ----------
    value
        In the objective's unit.
    text
        Why.
    """

    value: Fraction
    text: str


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
        return max(self._all())

    def _all(self) -> Iterator[ProvenBound]:
        nodes = range(len(self.instance.machine.names))
        for node in range(len(self.instance.machine.accelerators)):
            yield self.by_cut((node,))
            yield self.by_cut([other for other in nodes if other != node])
        yield self.by_way
        yield self.by_messages

    def by_cut(self, inside: Collection[int]) -> ProvenBound:
        """Return what it takes until all that has to get into a set of nodes is there, whatever is done elsewhere.

        Parameters
        ----------
        inside
            Positions of nodes.
        """
        within, names = set(inside), self.instance.machine.names
        needed = sum(
            bool(within.intersection(chunk.targets)) and not within.issuperset(chunk.sources)
            for chunk in self.instance.chunks
        )
        links = [hop for hop in self.use.messages if hop[1] in within and hop[0] not in within]
        outside = [node for node in range(len(names)) if node not in within]
        into = f"into {names[min(within)]}" if len(within) == 1 else f"out of {names[outside[0]]}"
        if min(len(within), len(outside)) > 1:
            into = f"into {len(within):,} nodes"
        return ProvenBound(self._least(links, needed), f"{needed:,} chunks have to get {into}, by {len(links):,} links")

    def _least(self, links: Iterable[tuple[int, int]], needed: int) -> Fraction:
        """Return when links can have carried so many chunks at the earliest, each one after the other."""
        if not needed:
            return Fraction(0)
        if self.instance.goal != "time":
            return Fraction(ceil(Fraction(needed, sum(self.use.messages[hop] for hop in links))))
        each = sorted(self.use.latency(hop) + self.use.transfer(hop) for hop in links)
        # no earlier than at their rates together, from then on end after end
        time = max(each[0], needed / sum((1 / one for one in each), start=Fraction(0)))
        while sum(time // one for one in each) < needed:
            time = min((time // one + 1) * one for one in each)
        return max(time // one * one for one in each)

    @cached_property
    def graph(self) -> nx.DiGraph[int]:
        """The array; an edge weighs what a chunk takes on it at least: nothing into a switch but its latency."""
        import networkx as nx

        count, timed = len(self.instance.machine.accelerators), self.instance.goal == "time"
        found: nx.DiGraph[int] = nx.DiGraph()
        for hop in self.use.messages:
            taken_in = hop[1] < count
            weight = (self.use.transfer(hop) if taken_in else 0) + self.use.latency(hop) if timed else int(taken_in)
            found.add_edge(*hop, weight=weight)
        return found

    @cached_property
    def by_way(self) -> ProvenBound:
        """The longest of the shortest ways that a chunk has to take."""
        import networkx as nx

        names = self.instance.machine.names
        wanted: dict[int, set[int]] = {}
        for chunk in self.instance.chunks:
            for source in chunk.sources:
                wanted.setdefault(source, set()).update(chunk.targets)
        found = ProvenBound(Fraction(0), "nothing has to be sent")
        for source, targets in wanted.items():
            lengths = nx.single_source_dijkstra_path_length(self.graph, source)
            target = max(targets, key=lambda one: (lengths[one], -one))
            text = f"the way from {names[source]} to {names[target]} takes that"
            found = max(found, ProvenBound(Fraction(lengths[target]), text), key=lambda one: one.value)
        return found

    @property
    def by_messages(self) -> ProvenBound:
        """What the messages of an all-reduce take that all accelerators can take in; 0 of anything else.

        One-way gossip among p takes 2 (p - 1) messages (Harary and Schwenk, 1974), and a sum is no less than gossip.
        """
        everyone = len(self.instance.machine.accelerators)
        chunks = self.instance.chunks
        if self.instance.collective != "all-reduce" or len(self.instance.group) < everyone:
            return ProvenBound(Fraction(0), "nothing is summed up by all")
        needed = 2 * (everyone - 1) * len(chunks)
        links = [hop for hop in self.use.messages if hop[1] < everyone]
        return ProvenBound(self._least(links, needed), f"an all-reduce of {everyone:,} takes {needed:,} messages")
