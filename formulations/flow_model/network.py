"""One edge's coupling as a network: every pair of values is one path, and the path costs what the pair costs.

A table is a bipartite network with an arc a pair. A cost over words needs far fewer arcs: a word s is
rewritten into a word q one letter a level, so that a node before level h is

    (q_1 .. q_(h-1); s_h .. s_H; what s_1 .. s_(h-1) multiply the terms that look at s by)

and an arc at level h replaces s_h by q_h at the cost of level h, which the node and q_h determine. With k
letters these are k^(H+1) arcs a level (times the different products, which only `op` under the accounting
`receiver` needs), not k^(2H) pairs: the factored min-plus product of hypar_opt.costgraph.minplus, drawn as a graph.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.costgraph import CostGraph, EdgeCost, EdgeTerm, WordEdge
from hypar_opt.costgraph.factors import product_of, products_by_level
from hypar_opt.costgraph.objective import sum_edges, times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.costgraph.factors import Factors


Arc: TypeAlias = tuple[int, int, int]
"""Tail, head, cost."""
Node: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Letters of q above, letters of s from here on, products of the factors of the letters of s above, by kind."""


MAX_ARCS = 200_000
"""Beyond it, building a model alone takes many seconds."""
MAX_STATES = 2**12
"""Products of letters' factors before a level; where there are more, no two of those below are taken to be equal."""


@dataclass(frozen=True)
class FlowNetwork:
    """Arcs between nodes: 0 .. first - 1 are the first variable's values, the next `second` the second's.

    The arcs come level by level; every one lies on a path from an allowed first value to an allowed second one.
    """

    first: int
    second: int
    arcs: tuple[Arc, ...]

    @cached_property
    def outgoing(self) -> Mapping[int, Sequence[int]]:
        """For every node that has some: the positions of the arcs that leave it."""
        return _by_node(tail for tail, _, _ in self.arcs)

    @cached_property
    def incoming(self) -> Mapping[int, Sequence[int]]:
        """For every node that has some: the positions of the arcs that enter it."""
        return _by_node(head for _, head, _ in self.arcs)

    @property
    def inner(self) -> Sequence[int]:
        """The nodes that are no variable's value."""
        return [node for node in self.incoming if node >= self.first + self.second]

    @property
    def most(self) -> int:
        """What the dearest path costs; the arcs that enter a node come before those that leave it."""
        found: dict[int, int] = {}
        for tail, head, cost in self.arcs:
            found[head] = max(found.get(head, 0), found.get(tail, 0) + cost)
        return max(found.values(), default=0)

    def costing(self, costs: Sequence[int]) -> FlowNetwork:
        """Return the same network with other costs, by arc."""
        arcs = ((tail, head, cost) for (tail, head, _), cost in zip(self.arcs, costs, strict=True))
        return replace(self, arcs=tuple(arcs))

    def reversed(self) -> FlowNetwork:
        """Return the network of the exchanged variables."""

        def other(node: int) -> int:
            inner = self.first + self.second
            return node if node >= inner else (node + self.second) % inner

        arcs = tuple((other(head), other(tail), cost) for tail, head, cost in reversed(self.arcs))
        return FlowNetwork(self.second, self.first, arcs)


def arc_count(edge: EdgeCost) -> int:
    """Return how many arcs a cost's network has at most."""
    if not isinstance(edge, WordEdge):
        return edge.shape[0] * edge.shape[1]
    k, k2, levels = len(edge.first.alphabet), len(edge.second.alphabet), edge.first.length
    first, second = ({t.factors for t in edge.terms if t.side == side and not t.free} for side in (0, 1))
    arcs, states = 0, 1
    reached = products_by_level(tuple(first) if second else (), levels)
    for h in range(levels):
        states = len(next(reached)) if states <= MAX_STATES else states * k
        arcs += k2 ** (h + 1) * k ** (levels - h) * states
    return arcs


def too_many_arcs(graph: CostGraph) -> str | None:
    """Return why a graph's programme is too large to draw up, or None."""
    arcs = sum(arc_count(cost) for cost in graph.edge_costs.values())
    return f"its model would have {arcs:,} arcs, its limit is {MAX_ARCS:,}; try joint-dp" if arcs > MAX_ARCS else None


def network_of(edge: EdgeCost, first: Sequence[int], second: Sequence[int]) -> FlowNetwork:
    """Return the network of a cost between the allowed values of two variables."""
    if isinstance(edge, WordEdge) and edge.first.length:
        sides = {term.side for term in edge.terms if not term.free}
        return _words(edge.transposed(), second, first).reversed() if sides == {0} else _words(edge, first, second)
    table = edge.dense(object)
    n, n2 = edge.shape
    return FlowNetwork(n, n2, tuple((i, n + j, int(table[i, j])) for i in first for j in second))


def common_network(
    costs: Sequence[EdgeCost], first: Sequence[int], second: Sequence[int]
) -> tuple[FlowNetwork, tuple[tuple[int, ...], ...]]:
    """Return one network for several costs of a pair, and by cost what its arcs cost.

    The costs are summed with weights so far apart that the sum's digits, in that base, are the costs: the network of
    the sum is a network of each of them.
    """
    if len(costs) == 1:
        network = network_of(costs[0], first, second)
        return network, (tuple(cost for _, _, cost in network.arcs),)
    bits = max(cost.upper for cost in costs).bit_length()
    shifts = [bits * number for number in range(len(costs))]
    total = sum_edges([times(cost, 1 << shift) for cost, shift in zip(costs, shifts, strict=True)])
    network, mask = network_of(total, first, second), (1 << bits) - 1
    return network, tuple(tuple(cost >> shift & mask for _, _, cost in network.arcs) for shift in shifts)


def _words(edge: WordEdge, first: Sequence[int], second: Sequence[int]) -> FlowNetwork:
    """Rewrite the allowed words of the first variable level by level, then drop what leads nowhere."""
    kinds = tuple(dict.fromkeys(term.factors for term in edge.terms if term.side == 0 and not term.free))
    cost = _level_cost(edge, kinds)
    size, last = edge.first.size, edge.first.length - 1
    states: dict[Node, int] = {((), edge.first.letters(s), (1,) * len(kinds)): s for s in first}
    arcs: list[Arc] = []
    fresh = size + edge.second.size
    for h in range(last + 1):
        reached: dict[Node, int] = {}
        for (above, (a, *below), gone), tail in states.items():
            here = tuple(product * kind[h][a] for product, kind in zip(gone, kinds, strict=True))
            for b in range(len(edge.second.alphabet)):
                word = (*above, b)
                state = (word, tuple(below), here if h < last else ())
                if state not in reached:
                    reached[state] = (
                        fresh
                        if h < last
                        else size + reduce(lambda index, letter: index * len(edge.second.alphabet) + letter, word)
                    )
                    fresh += h < last
                arcs.append((tail, reached[state], cost(h, a, b, above, gone)))
        states = reached
    return FlowNetwork(size, edge.second.size, _useful(arcs, {size + q for q in second}))


def _by_node(nodes: Iterable[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for position, node in enumerate(nodes):
        found.setdefault(node, []).append(position)
    return found


def _level_cost(edge: WordEdge, kinds: tuple[Factors, ...]) -> Callable[..., int]:
    """Return the cost of an arc: sum over terms of weights[h] x share[a][b] x the factors of the letters above."""

    def factor(term: EdgeTerm, above: tuple[int, ...], gone: tuple[int, ...]) -> int:
        if term.free:
            return 1
        return gone[kinds.index(term.factors)] if term.side == 0 else product_of(term.factors, above)

    @cache
    def cost(h: int, a: int, b: int, above: tuple[int, ...], gone: tuple[int, ...]) -> int:
        return sum(t.weights[h] * t.share[a][b] * factor(t, above, gone) for t in edge.terms)

    return cost


def _useful(arcs: list[Arc], alive: set[int]) -> tuple[Arc, ...]:
    """Keep the arcs that lead to an allowed value; arcs come level by level."""
    kept = []
    for arc in reversed(arcs):
        if arc[1] in alive:
            alive.add(arc[0])
            kept.append(arc)
    return tuple(reversed(kept))
