"""Trees with weights as the choices of a solution, and what they come to: of the objective bandwidth.

A chunk is cut into pieces, each as much of it as its weight is of the weights of all its pieces, and each with a tree.
By a tree's branches that add, what all sources contribute comes together in its root; by the others it gets from there
to all targets. What is least is what the busiest link takes for all that goes along it.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph, Demand
    from hypar_opt.costgraph.collective.moves import Move

Way: TypeAlias = "tuple[tuple[int, ...], bool]"
"""A branch: its nodes, and whether it adds."""


class TreePiece(NamedTuple):
    """A part of a chunk: how much it is beside the chunk's other pieces, and the branches of its tree."""

    chunk: int
    weight: int
    ways: tuple[Way, ...]


def pieces_written(pieces: Iterable[TreePiece]) -> tuple[int, ...]:
    """Return pieces as choices: of each its chunk, weight and number of branches; of these adds, length and nodes."""
    found: list[int] = []
    for one in pieces:
        found += (one.chunk, one.weight, len(one.ways))
        for route, adds in one.ways:
            found += (int(adds), len(route), *route)
    return tuple(found)


def read_pieces(choices: Sequence[int]) -> list[TreePiece]:
    """Return the pieces that choices are.

    Raises
    ------
    ValueError
        If they break off.
    """
    found: list[TreePiece] = []
    place, end = 0, len(choices)
    while place < end:
        if place + 3 > end:
            raise ValueError(f"choices break off after {len(found)} pieces")
        chunk, weight, count = choices[place : place + 3]
        place += 3
        ways: list[Way] = []
        for _ in range(count):
            if place + 2 > end:
                raise ValueError(f"choices break off after {len(found)} pieces")
            behind = place + 2 + choices[place + 1]
            ways.append((tuple(choices[place + 2 : behind]), bool(choices[place])))
            place = behind
        if place > end:
            raise ValueError(f"choices break off after {len(found)} pieces")
        found.append(TreePiece(chunk, weight, tuple(ways)))
    return found


def whole_pieces(moves: Iterable[Move]) -> list[TreePiece]:
    """Return a schedule's sends as the trees of chunks that are not cut."""
    ways: dict[int, list[Way]] = {}
    for one in sorted(moves, key=lambda one: (one.chunk, not one.adds, one.begin)):
        ways.setdefault(one.chunk, []).append((one.route, one.adds))
    return [TreePiece(chunk, 1, tuple(found)) for chunk, found in ways.items()]


def busiest(graph: CollectiveGraph, choices: Sequence[int]) -> Fraction:
    """Return what the busiest link takes, in the graph's unit."""
    pieces = read_pieces(choices)
    whole: Counter[int] = Counter()
    for one in pieces:
        whole[one.chunk] += one.weight
    unit = lcm(1, *set(whole.values()))
    carried: Counter[tuple[int, int]] = Counter()
    for one in pieces:
        amount = one.weight * (unit // whole[one.chunk])
        for route, _ in one.ways:
            for hop in pairwise(route):
                carried[hop] += amount
    return Fraction(max((count * graph.link_of[hop].transfer for hop, count in carried.items()), default=0), unit)


def is_packing(graph: CollectiveGraph, choices: Sequence[int]) -> bool:
    """Return whether choices are trees along links that bring about all that is demanded."""
    try:
        pieces = read_pieces(choices)
    except ValueError:
        return False
    if {one.chunk for one in pieces} != set(range(len(graph.demands))):
        return False
    return all(
        one.weight > 0
        and all(hop in graph.link_of for route, _ in one.ways for hop in pairwise(route))
        and all(len(route) > 1 and max(route[0], route[-1]) < graph.accelerators for route, _ in one.ways)
        and is_tree(graph.demands[one.chunk], one.ways)
        for one in pieces
    )


def is_tree(demand: Demand, ways: Collection[Way]) -> bool:
    """Return whether branches bring what all sources have together in one place, and from there to all targets."""
    ups = {route[0]: route[-1] for route, adds in ways if adds}
    downs = {route[-1]: route[0] for route, adds in ways if not adds}
    if len(ups) + len(downs) < len(ways):
        return False
    roots = _ends(ups, demand.sources)
    if roots is None or len(set(roots.values())) != 1 or not ups.keys() <= roots.keys():
        return False
    (root,) = set(roots.values())
    begins = _ends(downs, (*downs, *demand.targets))
    return begins is not None and set(begins.values()) == {root}


def _ends(after: Mapping[int, int], begins: Iterable[int]) -> dict[int, int] | None:
    """Return for all nodes on the ways from some, each node to the one after it, where it ends; None on a circle."""
    found: dict[int, int] = {}
    for begin in begins:
        way, node = [], begin
        while node not in found and node in after:
            way.append(node)
            if len(way) > len(after):
                return None
            node = after[node]
        end = found.setdefault(node, node)
        found.update(dict.fromkeys(way, end))
    return found
