"""A partition of an array between whose parts much has to be exchanged for what its links carry."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx as nx


def weak_partition(nodes: int, rates: Mapping[tuple[int, int], Fraction]) -> list[frozenset[int]]:
    """Return parts between which links carry little for how many parts there are.

    It begins with each part a node. As long as some have more among each other, for how many they are less one, than
    all have, those with the most are put into one part: no partition is better for taking these apart. What is counted
    of it is proven, whichever it is.

    Parameters
    ----------
    rates
        By (from, to), both ways.
    """
    parts = [frozenset((node,)) for node in range(nodes)]
    while len(parts) > 2:
        part = {node: number for number, one in enumerate(parts) for node in one}
        between: dict[tuple[int, int], Fraction] = {}
        for hop, rate in rates.items():
            first, second = part[hop[0]], part[hop[1]]
            if first < second:
                between[first, second] = between.get((first, second), Fraction(0)) + rate
        ratio = sum(between.values(), start=Fraction(0)) / (len(parts) - 1)
        dense = _densest(len(parts), between, ratio)
        if not dense:
            break
        joined = frozenset().union(*(parts[number] for number in dense))
        parts = [one for number, one in enumerate(parts) if number not in dense] + [joined]
    return parts


def _densest(parts: int, between: Mapping[tuple[int, int], Fraction], ratio: Fraction) -> frozenset[int]:
    """Return the parts with the most among them for how many they are less one, if that is more than a ratio."""
    best: frozenset[int] = frozenset()
    while found := _dense(parts, between, ratio):
        among = [rate for (first, second), rate in between.items() if first in found and second in found]
        ratio, best = sum(among, start=Fraction(0)) / (len(found) - 1), found
    return best


def _dense(parts: int, between: Mapping[tuple[int, int], Fraction], ratio: Fraction) -> frozenset[int]:
    """Return parts with more among them than the ratio for each but one; none where there are none."""
    import networkx as nx

    unit = lcm(ratio.denominator, *(rate.denominator for rate in between.values()))
    graph: nx.DiGraph[object] = nx.DiGraph()
    for (first, second), rate in between.items():
        graph.add_edge("begin", (first, second), capacity=int(rate * unit))
        graph.add_edge((first, second), first)
        graph.add_edge((first, second), second)
    for number in range(parts):
        graph.add_edge(number, "end", capacity=int(ratio * unit))
    whole = int(sum(between.values(), start=Fraction(0)) * unit)
    for number in range(parts):
        graph[number]["end"]["capacity"] = 0  # it counts for nothing: one less than there are
        value, (inside, _) = nx.minimum_cut(graph, "begin", "end")
        graph[number]["end"]["capacity"] = int(ratio * unit)
        if value < whole:
            return frozenset(one for one in range(parts) if one in inside or one == number)
    return frozenset()
