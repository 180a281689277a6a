"""How little a gathering takes by bandwidth alone: the tightest cut, as an exact fraction.

Whatever trees there are, what has to get into a set of nodes crosses its links. That this is all there is to it was
shown by Edmonds (1973) for one root and all nodes, and holds with switches and with nodes that only pass on, since as
much can leave a node as can enter it (Bang-Jensen, Frank, Jackson, 1995). The greatest ratio is found as by Dinkelbach
(1967): where less flows to a node than has to, the minimum cut has a greater ratio, which is tried next.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm
from typing import TYPE_CHECKING

from formulations.collective.packing.flow import MOST, CapacityNetwork

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class Gathering:
    """What begins where, who has to have all of it, and at what rates links carry it.

    Parameters
    ----------
    nodes
        How many there are.
    rates
        By (from, to), in whole numbers without a common divisor.
    unit
        A chunk takes so many of the graph's units of time on a link of rate 1.
    begins
        By node, how many chunks.
    targets
        Who has to have all chunks.
    """

    nodes: int
    rates: Mapping[tuple[int, int], int]
    unit: Fraction
    begins: Mapping[int, int]
    targets: tuple[int, ...]

    def at(self, most: Fraction) -> dict[tuple[int, int], int]:
        """Return what links carry in a time, beside `weights`, as whole numbers."""
        return {hop: rate * most.numerator for hop, rate in self.rates.items()}


@dataclass(frozen=True)
class TightestRatio:
    """The least time, and a cut that shows it.

    Parameters
    ----------
    ratio
        Chunks that have to get in, over the rates of the links by which they can.
    inside
        The nodes behind the cut.
    """

    ratio: Fraction
    inside: frozenset[int]


def gathering(graph: CollectiveGraph) -> Gathering:
    """Return what a graph whose chunks have one source each and all the same targets asks for."""
    transfers = {link.ends: link.transfer for link in graph.links}
    least = lcm(*set(transfers.values()))
    rates = {ends: least // one for ends, one in transfers.items()}
    divisor = reduce(gcd, rates.values())
    begins = Counter(one.sources[0] for one in graph.demands)
    targets = sorted({node for one in graph.demands for node in one.targets})
    reduced = {ends: rate // divisor for ends, rate in rates.items()}
    return Gathering(graph.nodes, reduced, Fraction(least, divisor), begins, tuple(targets))


def too_unlike(asked: Gathering) -> bool:
    """Return whether rates are too unlike for exact flows."""
    return sum(asked.rates.values()) * sum(asked.begins.values()) ** 2 > MOST


def optimum(asked: Gathering, run: Run, *, alike: bool = False) -> TightestRatio:
    """Return the least ratio at which everyone can get all.

    Parameters
    ----------
    alike
        Whether the array looks the same from every target, so that one speaks for all.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    start, needed = asked.nodes, sum(asked.begins.values())
    best = TightestRatio(Fraction(0), frozenset())
    for sink in asked.targets[:1] if alike else asked.targets:
        if asked.begins.get(sink) == needed:
            continue
        while True:
            run.check()
            ratio = best.ratio
            arcs = asked.at(ratio) | {(start, node): count * ratio.denominator for node, count in asked.begins.items()}
            flow, inside = CapacityNetwork(arcs).cut(start, sink)
            if flow >= needed * ratio.denominator:
                break
            enters = sum(count for node, count in asked.begins.items() if node not in inside)
            carried = sum(rate for hop, rate in asked.rates.items() if hop[1] in inside and hop[0] not in inside)
            best = TightestRatio(Fraction(enters, carried), inside)
    return best


def narrowest(asked: Gathering, run: Run) -> TightestRatio:
    """Return how long all chunks take together through the narrowest cut between two targets.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    first, *others = asked.targets
    best = TightestRatio(Fraction(0), frozenset())
    network = CapacityNetwork(asked.rates)
    for sink in others:
        run.check()
        flow, inside = network.cut(first, sink)
        best = max(best, TightestRatio(Fraction(sum(asked.begins.values()), flow), inside), key=lambda one: one.ratio)
    return best
