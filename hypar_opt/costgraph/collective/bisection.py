"""The cut that an all-to-all has to cross most for what its links carry, as far as it is found.

Whatever begins on one side for someone on the other crosses it, N1 N2 chunks for sides of N1 and N2 accelerators; an
array's bisection is such a cut. Nodes are added to a side one by one, beginning with those that are nearer to one of
two far nodes, and then single nodes change sides as long as that makes it tighter.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.costgraph.collective.bounds import distances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph

MOST_BEGINS: Final = 4
"""Nodes from which each other node is looked at."""


def widest_exchange(graph: CollectiveGraph, rates: Mapping[tuple[int, int], Fraction]) -> frozenset[int]:
    """Return one side of the cut that is found to be tightest.

    Parameters
    ----------
    graph
        Each of whose chunks goes from one accelerator to another.
    rates
        Of links, in any unit.
    """
    cut = _Cut(graph, rates)
    far = [distances(graph, node) for node in range(graph.accelerators)]
    begins = sorted(range(graph.accelerators), key=lambda node: (-max(far[node]), node))[:MOST_BEGINS]
    best, side = Fraction(-1), frozenset[int]()
    for one in begins:
        for other in range(graph.accelerators):
            if other != one:
                nearer = sorted(range(graph.nodes), key=lambda node: (far[one][node] - far[other][node], node))
                ratio, found = cut.swept(nearer)
                if ratio > best:
                    best, side = ratio, found
    return cut.improved(side, best)


class _Cut:
    """How tight cuts are."""

    def __init__(self, graph: CollectiveGraph, rates: Mapping[tuple[int, int], Fraction]) -> None:
        self.graph = graph
        self.rates = rates
        self.wanted = Counter((one.sources[0], one.targets[0]) for one in graph.demands)
        self.gives: dict[int, list[tuple[int, int]]] = {}
        for (source, target), count in self.wanted.items():
            self.gives.setdefault(source, []).append((target, count))
            self.gives.setdefault(target, [])

    def swept(self, order: Sequence[int]) -> tuple[Fraction, frozenset[int]]:
        """Return the tightest cut around a beginning of an order."""
        inside: set[int] = set()
        best, size = Fraction(-1), 0
        needed, carried = 0, Fraction(0)
        for number, node in enumerate(order[:-1], 1):
            carried += sum(
                (
                    -self.rates[other, node] if other in inside else self.rates[node, other]
                    for other in self.graph.after[node]
                ),
                start=Fraction(0),
            )
            needed += sum(0 if target in inside else count for target, count in self.gives.get(node, ()))
            needed -= sum(self.wanted.get((source, node), 0) for source in inside)
            inside.add(node)
            if carried and needed / carried > best:
                best, size = needed / carried, number
        return best, frozenset(order[:size])

    def ratio(self, inside: frozenset[int]) -> Fraction:
        """Return what has to cross a cut over what its links carry."""
        needed = sum(
            count for (source, target), count in self.wanted.items() if source in inside and target not in inside
        )
        carried = sum(
            (rate for hop, rate in self.rates.items() if hop[0] in inside and hop[1] not in inside), Fraction(0)
        )
        return needed / carried if carried else Fraction(-1)

    def improved(self, side: frozenset[int], best: Fraction) -> frozenset[int]:
        """Return the cut after single nodes have changed sides for as long as it gets tighter."""
        while True:
            ends = {node for hop in self.rates if (hop[0] in side) != (hop[1] in side) for node in hop}
            found = max(((self.ratio(side ^ {node}), side ^ {node}) for node in sorted(ends)), key=lambda one: one[0])
            if found[0] <= best:
                return side
            best, side = found
