"""A cut that shows how much has to get through it, found by minimum cuts and counted by itself."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.collective.links import LinkUse

MOST_ACCELERATORS: Final = 64
_SHARES: Final = 10**4
"""Of the quickest link, what others carry in time."""


def narrow_cut(use: LinkUse) -> frozenset[int] | None:
    """Return a set of nodes into which much has to get for what its links carry; None of large arrays.

    What is counted of it is proven, whichever set it is.
    """
    import networkx as nx

    instance = use.instance
    if len(instance.machine.accelerators) > MOST_ACCELERATORS:
        return None
    turned = all(chunk.summed and len(chunk.targets) == 1 for chunk in instance.chunks)
    rates = {hop[::-1] if turned else hop: rate for hop, rate in _rates(use).items()}
    graph: nx.DiGraph[int] = nx.DiGraph()
    for hop, rate in rates.items():
        graph.add_edge(*hop, rate=rate)
    outside, worst, narrow = -1, Fraction(0), None
    for sink, sources in _wants(use, turned=turned).items():
        graph.add_node(outside)
        graph.add_edges_from((outside, source, {"rate": count}) for source, count in sources.items())
        while True:
            for (first, second), rate in rates.items():
                graph[first][second]["capacity"] = rate * worst.numerator
            for source, count in sources.items():
                graph[outside][source]["capacity"] = count * worst.denominator
            value, (_, inside) = nx.minimum_cut(graph, outside, sink)
            if value >= worst.denominator * sum(sources.values()):
                break
            needed = sum(count for source, count in sources.items() if source not in inside)
            carried = sum(rate for hop, rate in rates.items() if hop[1] in inside and hop[0] not in inside)
            worst = Fraction(needed, carried)
            narrow = frozenset(inside)
        graph.remove_node(outside)
    nodes = frozenset(range(len(instance.machine.names)))
    return nodes - narrow if turned and narrow is not None else narrow


def _rates(use: LinkUse) -> Mapping[tuple[int, int], int]:
    """Return what links carry, in steps or as shares of the quickest."""
    if use.instance.goal != "time":
        return use.messages
    joined = use.instance.messages == "joined"
    seconds = {hop: use.transfer(hop) + (0 if joined else use.latency(hop)) for hop in use.messages}
    quickest = min(seconds.values())
    return {hop: max(1, int(_SHARES * quickest / one)) for hop, one in seconds.items()}


def _wants(use: LinkUse, *, turned: bool) -> Mapping[int, Counter[int]]:
    """Return by who has to get something how many chunks from where; of a sum by all, from one who adds to it."""
    found: dict[int, Counter[int]] = {}
    for chunk in use.instance.chunks:
        ends = (chunk.targets, chunk.sources) if turned else (chunk.sources, chunk.targets)
        for target in ends[1]:
            source = next((one for one in ends[0] if one != target), None)
            if source is not None:
                found.setdefault(target, Counter())[source] += 1
    return found
