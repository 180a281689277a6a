"""What trees with shares take at least, whichever they are: by sums over links, with cuts found by minimum cuts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.bound import CountedCut, ProvenBound
from hypar_opt.evaluation.collective.divisions import middle_cut
from hypar_opt.evaluation.collective.lengths import best_lengths
from hypar_opt.evaluation.collective.partition import weak_partition
from hypar_opt.util.numbers import counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    import networkx as nx

    from hypar_opt.instance.collective import CollectiveInstance

_OUTSIDE = -1


@dataclass(frozen=True)
class PackingProver:
    """What can be proven of the seconds of a collective by bandwidth alone.

    Parameters
    ----------
    instance
        The collective.
    """

    instance: CollectiveInstance

    @cached_property
    def rates(self) -> Mapping[tuple[int, int], Fraction]:
        """By (from, to), chunks a second."""
        links = self.instance.machine.link_of
        return {hop: (link.bandwidth or 1) / self.instance.chunk_bytes for hop, link in links.items()}

    @property
    def best(self) -> ProvenBound:
        """The best of all that need no search: of cuts around single accelerators, and of all messages."""
        return max(self._sums(), key=lambda one: one.value)

    def _sums(self) -> Iterator[ProvenBound]:
        everyone = frozenset(range(len(self.instance.machine.names)))
        for node in range(len(self.instance.machine.accelerators)):
            yield self.by_cut({node})
            yield self.by_cut(everyone - {node})
        yield self.by_messages

    @property
    def by_messages(self) -> ProvenBound:
        """What it takes until accelerators have taken in all messages that there have to be.

        A chunk takes one for everyone that it has to get to or come from; one that all p sum up and have in the end
        2 (p - 1), as one-way gossip does (Harary and Schwenk, 1974).
        """
        accelerators = len(self.instance.machine.accelerators)
        needed = 0
        for chunk in self.instance.chunks:
            gossip = chunk.summed and len(chunk.targets) > 1
            if gossip and len(chunk.sources) == accelerators:
                needed += 2 * (accelerators - 1)
            else:
                needed += len(set(chunk.sources) | set(chunk.targets)) - 1
        carried = [rate for (_, second), rate in self.rates.items() if second < accelerators]
        text = f"there have to be {needed:,} messages, on {counted(len(carried), 'link')}"
        return ProvenBound(needed / sum(carried, start=Fraction(0)), text)

    @property
    def _is_exchange(self) -> bool:
        """Whether each chunk goes from one accelerator to another."""
        return all(len(chunk.sources) == len(chunk.targets) == 1 for chunk in self.instance.chunks)

    @property
    def by_middle_cut(self) -> ProvenBound:
        """That of a cut which an all-to-all has to cross much."""
        return self.by_cut(middle_cut(len(self.instance.machine.names), self.rates, self.instance.group))

    def by_lengths(self, lengths: Mapping[tuple[int, int], int] | None = None) -> ProvenBound:
        """Return what it takes all chunks to get as far as they have to, by lengths of links.

        Parameters
        ----------
        lengths
            By (from, to); without them the best, or where these are not found each as long as any other.
        """
        import networkx as nx

        wanted = self._wants(turned=True)  # by where chunks begin
        if lengths is None:
            lengths = best_lengths(len(self.instance.machine.names), self.rates, wanted) or dict.fromkeys(self.rates, 1)
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_edges_from((*hop, {"length": length}) for hop, length in lengths.items())
        far = 0
        for source, targets in wanted.items():
            away = nx.single_source_dijkstra_path_length(graph, source, weight="length")
            far += sum(count * int(away[target]) for target, count in targets.items())
        carried = sum((length * self.rates[hop] for hop, length in lengths.items()), start=Fraction(0))
        text = f"all chunks have to get {far:,} far together, by lengths of links of {sum(lengths.values()):,}"
        return ProvenBound(far / carried, text)

    def by_partition(self, parts: Sequence[frozenset[int]] | None = None) -> ProvenBound:
        """Return what the messages of an all-reduce take between parts, each of which has one that takes part.

        Between p parts a chunk takes 2 (p - 1) messages, as gossip does: what happens inside of a part makes it no more
        than one of p accelerators.

        Parameters
        ----------
        parts
            Sets of nodes, every node in one of them; without them such as are found.
        """
        if parts is None:
            parts = weak_partition(len(self.instance.machine.names), self.rates)
        part = {node: number for number, one in enumerate(parts) for node in one}
        members = {part[node] for node in self.instance.group}
        if len(members) < len(parts) or not all(len(chunk.targets) > 1 for chunk in self.instance.chunks):
            return ProvenBound(Fraction(0), "a part has none that takes part")
        carried = [rate for (first, second), rate in self.rates.items() if part[first] != part[second]]
        needed = 2 * (len(parts) - 1) * len(self.instance.chunks)
        text = f"there have to be {needed:,} messages between {len(parts):,} parts, on {counted(len(carried), 'link')}"
        return ProvenBound(needed / sum(carried, start=Fraction(0)), text)

    def by_cut(self, inside: Collection[int]) -> ProvenBound:
        """Return what it takes until all that has to get into a set of nodes is there.

        Parameters
        ----------
        inside
            Positions of nodes.
        """
        cut = CountedCut.around(self.instance, self.rates, inside)
        carried = sum((self.rates[hop] for hop in cut.links), start=Fraction(0))
        return ProvenBound(cut.needed / carried if cut.needed else Fraction(0), cut.text, cut.nodes)

    @property
    def by_narrow_cut(self) -> ProvenBound:
        """The best of all cuts that minimum cuts find, each tighter than the one before until none is left."""
        turned = all(chunk.summed and len(chunk.targets) == 1 for chunk in self.instance.chunks)
        wants, nodes = self._wants(turned=turned), frozenset(range(len(self.instance.machine.names)))
        found = self.best
        if self._is_exchange:
            return max(found, self.by_middle_cut, self.by_lengths(), key=lambda one: one.value)
        if any(chunk.summed and len(chunk.targets) > 1 for chunk in self.instance.chunks):
            first, *others = self.instance.group
            # all chunks have to get into either side of a cut, from one at least on the other
            through = map(self.by_cut, self._between(first, others))
            return max([found, *through, self.by_partition()], key=lambda one: one.value)
        for sink, sources in wants.items():
            while True:
                inside = self._short(found.value, sink, sources, turned=turned)
                one = found if inside is None else self.by_cut(nodes - inside if turned else inside)
                if one.value <= found.value:
                    break
                found = one
        return found

    def _between(self, first: int, others: Sequence[int]) -> Iterator[frozenset[int]]:
        """Yield for others the nodes behind the narrowest cut between the first and them."""
        import networkx as nx

        unit = lcm(*(rate.denominator for rate in self.rates.values()))
        graph: nx.DiGraph[int] = nx.DiGraph()
        for hop, rate in self.rates.items():
            graph.add_edge(*hop, capacity=int(rate * unit))
        for other in others:
            yield frozenset(nx.minimum_cut(graph, first, other)[1][1])

    def _short(
        self, seconds: Fraction, sink: int, sources: Mapping[int, int], *, turned: bool
    ) -> frozenset[int] | None:
        """Return nodes behind a cut through which less gets to a sink in so many seconds than has to; or None."""
        import networkx as nx

        carried = {hop: rate * seconds for hop, rate in self.rates.items()}
        unit = lcm(*(count.denominator for count in carried.values()))
        graph: nx.DiGraph[int] = nx.DiGraph()
        for hop, count in carried.items():
            graph.add_edge(*(hop[::-1] if turned else hop), capacity=int(count * unit))
        graph.add_edges_from((_OUTSIDE, source, {"capacity": count * unit}) for source, count in sources.items())
        value, (_, inside) = nx.minimum_cut(graph, _OUTSIDE, sink)
        return None if value >= unit * sum(sources.values()) else frozenset(inside)

    def _wants(self, *, turned: bool) -> Mapping[int, Mapping[int, int]]:
        """Return by who has to get something how many chunks from where; of a sum by all, from one of these."""
        found: dict[int, dict[int, int]] = {}
        for chunk in self.instance.chunks:
            begins, ends = (chunk.targets, chunk.sources) if turned else (chunk.sources, chunk.targets)
            for node in ends:
                source = next((one for one in begins if one != node), None)
                if source is not None:
                    own = found.setdefault(node, {})
                    own[source] = own.get(source, 0) + 1
        return found
