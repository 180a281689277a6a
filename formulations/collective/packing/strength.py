"""All-reduces by spanning trees without directions: as many as there can be (Nash-Williams and Tutte, 1961).

Along a tree a sum comes together and goes out again, wherever its root is: each direction of each of its links carries
the chunk once. So an all-reduce of all accelerators is a packing of spanning trees, and of these there are as many as
the least of what links between the parts of a partition carry, over the parts less one: its strength. That no other
all-reduce is better follows from gossip: between p parts every chunk takes 2 (p - 1) messages (Harary and Schwenk,
1974).

Trees in which every set X of nodes has at most k (|X| - 1) links, and all have k (p - 1) together, are k spanning
trees. How much of a link goes into these is found link by link, each as much as the tightest set around it leaves
(Cunningham, Optimal attack and reinforcement of a network, 1985); where that is too little in the end, tight sets are
the parts of a partition that is weaker, whose strength is tried next. Links get directions so that k lead to every node
but one, which makes trees that grow from that one the spanning trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from formulations.collective.packing.arborescences import Packer
from formulations.collective.packing.flow import MOST, CapacityNetwork

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from formulations.collective.packing.arborescences import Tree
    from formulations.collective.packing.splitting import Routes
    from hypar_opt.formulation.run import Run

    Rates = Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class SpanningTrees:
    """A packing of spanning trees, and the partition that shows that there are no more.

    Parameters
    ----------
    strength
        How many trees there are of links that carry one each.
    parts
        Sets of nodes.
    trees
        With how often each is there.
    """

    strength: Fraction
    parts: tuple[frozenset[int], ...]
    trees: tuple[Tree, ...]


def spanning_trees(nodes: int, rates: Rates, run: Run) -> SpanningTrees:
    """Return as many spanning trees as there can be of links that carry as much one way as the other.

    Parameters
    ----------
    nodes
        How many there are: all have to be in every tree.
    rates
        By (from, to), both ways.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    links = {hop: rate for hop, rate in rates.items() if hop[0] < hop[1]}
    parts = tuple(frozenset((node,)) for node in range(nodes))
    while True:
        strength = _strength(links, parts)
        count, scale = strength.numerator, strength.denominator
        used, tight = _used(nodes, {hop: rate * scale for hop, rate in links.items()}, count, run)
        if sum(used.values()) == count * (nodes - 1):
            break
        parts = _merged(nodes, tight)
    divisor = reduce(gcd, used.values(), count)
    used, count = {hop: one // divisor for hop, one in used.items()}, count // divisor
    routes = _directed(nodes, used, count)
    trees = tuple(Packer(routes, {0: count}, tuple(range(nodes))).packed(run))
    return SpanningTrees(strength, parts, trees)


def _strength(links: Rates, parts: Sequence[frozenset[int]]) -> Fraction:
    part = {node: number for number, nodes in enumerate(parts) for node in nodes}
    between = sum(rate for (first, second), rate in links.items() if part[first] != part[second])
    return Fraction(between, len(parts) - 1)


def _used(nodes: int, links: Rates, count: int, run: Run) -> tuple[dict[tuple[int, int], int], list[frozenset[int]]]:
    """Return as much of links as goes into so many trees, and the sets that leave no more of one."""
    used: dict[tuple[int, int], int] = dict.fromkeys(links, 0)
    tight = []
    for hop, most in links.items():
        run.check()
        spare, around = _spare(nodes, used, hop, count)
        used[hop] = min(most, spare)
        if spare < most:
            tight.append(around)
    return {hop: one for hop, one in used.items() if one}, tight


def _spare(nodes: int, used: Rates, hop: tuple[int, int], count: int) -> tuple[int, frozenset[int]]:
    """Return how much more of a link there can be: the least of count (|X| - 1) less what X has, over sets around it.

    Twice that is 2 count (|X| - 1) less the degrees of X, and what crosses its border.
    """
    degree = [0] * nodes
    for (first, second), one in used.items():
        degree[first] += one
        degree[second] += one
    source, sink = nodes, nodes + 1
    arcs = {pair: one for (first, second), one in used.items() if one for pair in ((first, second), (second, first))}
    taken = 0
    for node in range(nodes):
        weight = 2 * count - degree[node]
        if weight > 0:
            arcs[node, sink] = weight
        elif weight < 0:
            arcs[source, node] = -weight
            taken -= weight
    arcs |= {(source, node): MOST for node in hop}
    flow, outside = CapacityNetwork(arcs).cut(source, sink)
    return (flow - taken - 2 * count) // 2, frozenset(range(nodes)) - outside


def _merged(nodes: int, sets: Iterable[frozenset[int]]) -> tuple[frozenset[int], ...]:
    """Return the parts that sets make which have a node in common, and all other nodes alone."""
    parts = [frozenset((node,)) for node in range(nodes)]
    for one in sets:
        meeting = [part for part in parts if part & one]
        parts = [part for part in parts if not part & one] + [frozenset().union(*meeting)]
    return tuple(parts)


def _directed(nodes: int, used: Rates, count: int) -> Routes:
    """Return links with directions, so that as many as there are trees lead to every node but the first."""
    source, sink = nodes + len(used), nodes + len(used) + 1
    arcs: dict[tuple[int, int], int] = {(node, sink): count for node in range(1, nodes)}
    for number, (hop, one) in enumerate(used.items(), nodes):
        arcs[source, number] = one
        arcs |= {(number, node): MOST for node in hop}
    flows = CapacityNetwork(arcs).flows(source, sink)
    routes: Routes = {}
    for number, hop in enumerate(used, nodes):
        for first, second in (hop, hop[::-1]):
            into = flows.get((number, second), 0)
            if into:
                routes[first, second] = [((first, second), into)]
    return routes
