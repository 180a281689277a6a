"""All-to-alls by bandwidth alone: what each accelerator gives flows to all others, and links are loaded alike.

A linear programme: of all that begins at s, f[s, l] crosses link l; at every node what flows in less what flows out is
what is meant for it, and sum over s of f[s, l] <= T times the rate of l. Its prices are lengths of links: whatever ways
chunks take, T is no less than the sum of how far all have to get, over the sum of lengths times rates. Both are
recounted in fractions. Where an array looks the same from each accelerator the flows of one do, shifted to all.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph

Hop: TypeAlias = tuple[int, int]
Flow: TypeAlias = dict[Hop, Fraction]
FINEST: Final = 2520
"""Flows and lengths are taken for multiples of one over a number up to this, and recounted as such."""


class Commodities(NamedTuple):
    """What is known of an all-to-all after its linear programme.

    Parameters
    ----------
    flows
        By source: what crosses each link of what begins there, with where it is meant for.
    lengths
        Of links, by which no ways take less.
    """

    flows: dict[int, Flow]
    lengths: dict[Hop, int]


def commodities(
    nodes: int,
    groups: Mapping[Hop, int],
    rates: Sequence[Fraction],
    wanted: Mapping[int, Mapping[int, int]],
    seconds: float | None = None,
) -> Commodities | None:
    """Return flows that load links least, and lengths that show it, both rounded to fractions.

    Parameters
    ----------
    groups
        By link, the number of the group that it is loaded with.
    rates
        Of groups.
    wanted
        By source, how many chunks each target is to get from it.
    seconds
        How long that may take.

    Returns
    -------
    None where that was not long enough.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    hops = list(groups)
    sources = list(wanted)
    count = len(hops)
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    needed = np.zeros(nodes * len(sources))
    for number, source in enumerate(sources):
        for place, (first, second) in enumerate(hops):
            for node, sign in ((second, 1.0), (first, -1.0)):
                rows.append(number * nodes + node)
                columns.append(number * count + place)
                values.append(sign)
        for target, chunks in wanted[source].items():
            needed[number * nodes + target] += chunks
            needed[number * nodes + source] -= chunks
    size = count * len(sources) + 1
    conserved = coo_array((values, (rows, columns)), shape=(len(needed), size))
    loads = [
        (group, number * count + place) for number in range(len(sources)) for place, group in enumerate(groups.values())
    ]
    load_rows = [one[0] for one in loads] + list(range(len(rates)))
    load_columns = [one[1] for one in loads] + [size - 1] * len(rates)
    load_values = [1.0] * len(loads) + [-float(rate / min(rates)) for rate in rates]
    loaded = coo_array((load_values, (load_rows, load_columns)), shape=(len(rates), size))
    goal = np.zeros(size)
    goal[-1] = 1.0
    found = linprog(
        goal, loaded, np.zeros(len(rates)), conserved, needed, method="highs-ds", options={"time_limit": seconds}
    )
    if found.status:
        return None
    flows = {
        source: {
            hop: exact
            for hop, amount in zip(hops, found.x[number * count : (number + 1) * count], strict=True)
            if (exact := Fraction(float(amount)).limit_denominator(FINEST)) > 0
        }
        for number, source in enumerate(sources)
    }
    return Commodities(flows, _whole(hops, groups, -found.ineqlin.marginals))


def _whole(hops: Sequence[Hop], groups: Mapping[Hop, int], prices: Sequence[float]) -> dict[Hop, int]:
    """Return lengths as whole numbers, in proportion to prices."""
    most = max(prices)
    exact = [Fraction(max(0.0, float(price) / most)).limit_denominator(FINEST) for price in prices]
    unit = int(np.lcm.reduce([one.denominator for one in exact]))
    return {hop: int(exact[groups[hop]] * unit) for hop in hops}


def ways(flow: Flow, source: int, wanted: Mapping[int, int]) -> Iterator[tuple[int, tuple[int, ...], Fraction]]:
    """Yield (target, way, how much) that a flow is made of; of what is rounded away nothing.

    Parameters
    ----------
    flow
        Of all that begins at the source; used up.
    wanted
        By target, how much of it is meant for that.
    """
    into: dict[int, list[int]] = {}
    for first, second in flow:
        into.setdefault(second, []).append(first)
    for target in sorted(wanted):
        left = Fraction(wanted[target])
        while left:
            way = _back(flow, into, source, target)
            if way is None:
                break
            amount = min(left, *(flow[hop] for hop in itertools.pairwise(way)))
            for hop in itertools.pairwise(way):
                flow[hop] -= amount
            left -= amount
            yield target, way, amount


def _back(flow: Flow, into: Mapping[int, Sequence[int]], source: int, target: int) -> tuple[int, ...] | None:
    """Return the way with fewest links by which something still flows to a target."""
    after: dict[int, int] = {target: target}
    waiting = [target]
    for node in waiting:
        if node == source:
            way = [node]
            while way[-1] != target:
                way.append(after[way[-1]])
            return tuple(way)
        for first in into.get(node, ()):
            if first not in after and flow[first, node]:
                after[first] = node
                waiting.append(first)
    return None


def bound_by(graph: CollectiveGraph, lengths: Mapping[Hop, int]) -> Fraction:
    """Return what all chunks take at least: how far they have to get, over what all links carry of that in a time."""
    carried = sum((Fraction(length, graph.link_of[hop].transfer) for hop, length in lengths.items()), Fraction(0))
    far: dict[int, list[int]] = {}
    total = 0
    for one in graph.demands:
        source, target = one.sources[0], one.targets[0]
        if source not in far:
            far[source] = _distances(graph, lengths, source)
        total += far[source][target]
    return total / carried


def _distances(graph: CollectiveGraph, lengths: Mapping[Hop, int], source: int) -> list[int]:
    found = [-1] * graph.nodes
    waiting = [(0, source)]
    while waiting:
        far, node = heappop(waiting)
        if found[node] < 0:
            found[node] = far
            for other in graph.after[node]:
                if found[other] < 0:
                    heappush(waiting, (far + lengths[node, other], other))
    return found
