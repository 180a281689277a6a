"""Blocks that join two by two until there is one: what recursive doubling, its folds and levels of a partition share.

In a gathering every accelerator of a block has all chunks of the block, and those of two blocks give each other what
they lack, each with its counterpart. Where all have to have sums of all, everyone of a block holds the block's sum, so
that any accelerator of one may give it to any of the other: with counterparts that are no neighbours the sums cross
where the blocks meet, and the joint sum goes on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from formulations.collective.spreading import Spreading, by_source
from formulations.collective.timing import as_soon_as_possible, step_by_step
from formulations.collective.ways import Ways
from hypar_opt.costgraph.collective import Move

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph

Block: TypeAlias = tuple[int, ...]
Pair: TypeAlias = tuple[Block, Block]
Level: TypeAlias = list[Pair]


class Joining(NamedTuple):
    """How all become one block.

    Parameters
    ----------
    folds
        Those that are too many and give what they have to another first, and get everything in the end: (another, it).
    levels
        Innermost first, in each which blocks join.
    """

    folds: tuple[tuple[int, int], ...]
    levels: tuple[Level, ...]

    @property
    def remaining(self) -> Block:
        """All but those that are too many, in the order of their blocks."""
        return tuple(node for pair in self.levels[-1] for block in pair for node in block)


def order_of(graph: CollectiveGraph) -> Block:
    """Return those who take part, in the order of the group."""
    return max(graph.demands[0].sources, graph.demands[0].targets, key=len)


def by_doubling(order: Sequence[int]) -> Joining:
    """Return blocks of 1, 2, 4, ...; of the first 2 r of 2^k + r every second one is folded."""
    power = 1 << (len(order).bit_length() - 1)
    surplus = len(order) - power
    folds = tuple((order[2 * one], order[2 * one + 1]) for one in range(surplus))
    kept = [*order[: 2 * surplus : 2], *order[2 * surplus :]]
    levels = []
    size = 1
    while size < power:
        starts = range(0, power, 2 * size)
        levels.append([(tuple(kept[one : one + size]), tuple(kept[one + size : one + 2 * size])) for one in starts])
        size *= 2
    return Joining(folds, tuple(levels))


def by_halving(order: Sequence[int], axes: Sequence[int] = ()) -> Joining:
    """Return the blocks of a tree of halves, the first the larger one; an axis is halved until each is by itself.

    Parameters
    ----------
    axes
        Into how many each block is cut, outermost first, where they are not halves.
    """
    levels: list[Level] = []
    blocks: list[Block] = [tuple(order)]
    for size in axes:
        width = len(blocks[0]) // size
        parts = [[block[one : one + width] for one in range(0, len(block), width)] for block in blocks]
        levels += _halves(parts)
        blocks = [part for whole in parts for part in whole]
    levels += _halves([[(node,) for node in block] for block in blocks])
    return Joining((), tuple(levels[::-1]))


def _halves(wholes: Sequence[Sequence[Block]]) -> list[Level]:
    """Return the levels of parts that are halved until each is alone, outermost first."""
    levels: list[Level] = []
    left = [list(one) for one in wholes if len(one) > 1]
    while left:
        split = [(one[: (len(one) + 1) // 2], one[(len(one) + 1) // 2 :]) for one in left]
        levels.append([(_joint(first), _joint(second)) for first, second in split])
        left = [half for both in split for half in both if len(half) > 1]
    return levels


def _joint(parts: Iterable[Block]) -> Block:
    return tuple(node for part in parts for node in part)


def counterparts(ways: Ways, pair: Pair, within: frozenset[int] | None = None) -> list[tuple[int, int]]:
    """Return who of a block gets from whom of the other, for everyone of both: (from, to), by the fewest sends.

    Tried are the same places, and blocks of equal sizes turned over: as a whole, in halves, in quarters, and so on, so
    that on a ring or in a row those where two blocks meet are each other's.
    """

    def sends(found: Sequence[tuple[int, int]]) -> int:
        return sum(len(ways.path(*one, within)) for one in found)

    return min((_matched(*pair, turned) for turned in _turns(*pair)), key=sends)


def _turns(first: Block, second: Block) -> list[int]:
    """Return which bits of a place in a block are turned over; of blocks of no power of two none are."""
    size = len(first)
    if len(second) != size or size & (size - 1):
        return [0]
    return [size - (size >> halved) for halved in range(size.bit_length())]


def _matched(first: Block, second: Block, turned: int) -> list[tuple[int, int]]:
    there = [(first[(place ^ turned) % len(first)], node) for place, node in enumerate(second)]
    back = [(second[(place ^ turned) % len(second)], node) for place, node in enumerate(first)]
    return [*there, *back]


def gathered(graph: CollectiveGraph, joining: Joining) -> list[Move]:
    """Return the sends of a gathering, stage by stage."""
    sends = Spreading(graph)
    begins = by_source(graph)
    for kept, surplus in joining.folds:
        for chunk in begins.get(surplus, ()):
            sends.send(chunk, surplus, kept)
    sends.end_stage()
    for level in joining.levels:
        there = {node: sends.has(node) for pair in level for block in pair for node in block}
        for pair in level:
            for start, target in counterparts(sends.ways, pair):
                for chunk in there[start]:
                    sends.send(chunk, start, target)
        sends.end_stage()
    for kept, surplus in joining.folds:
        for chunk in range(len(graph.demands)):
            sends.send(chunk, kept, surplus)
    return sends.moves


def exchanged(graph: CollectiveGraph, joining: Joining) -> list[Move] | tuple[int, int]:
    """Return stages in which blocks exchange all that they hold, for an all-reduce; or whose way there is none for."""
    ways = Ways(graph)
    hops: list[Move] = []
    begin = 0
    for kept, surplus in joining.folds:
        if kept not in ways.neighbours(surplus):
            return surplus, kept
        hops.append(Move(0, 1, 0, ways.neighbours(surplus)[kept], adds=True))
        begin = 1
    for level in joining.levels:
        found = [_crossing(ways, pair, begin) for pair in level]
        for one in found:
            if isinstance(one, tuple):
                return one
            hops += one
        begin = max(one.end for one in hops)
    hops += [Move(begin, begin + 1, 0, ways.neighbours(kept)[surplus]) for kept, surplus in joining.folds]
    return [one._replace(chunk=chunk) for one in hops for chunk in range(len(graph.demands))]


def _crossing(ways: Ways, pair: Pair, begin: int) -> list[Move] | tuple[int, int]:
    """Return the sends by which each of two blocks gets the sum of the other, or between whom there is no way."""
    within = frozenset((*pair[0], *pair[1]))
    paths = []
    for start, target in counterparts(ways, pair, within):
        path = ways.path(start, target, within)
        if not path:
            return start, target
        paths.append(path)
    joint: dict[int, int] = {}
    found: list[Move] = []
    sides = [frozenset(block) for block in pair]
    for path in sorted(paths, key=len):
        target = path[-1][-1]
        if target in joint:
            continue
        theirs = sides[target not in sides[0]]
        # what is behind the last one of the other block lies in the target's own
        crossing = max(place for place, one in enumerate(path) if one[0] not in theirs)
        begins = {crossing: begin} | {
            place: joint[one[0]] for place, one in enumerate(path) if place > crossing and one[0] in joint
        }
        first = min(begins, key=lambda place: (begins[place] - place, -place))
        for place, route in enumerate(path[first:], first):
            if route[-1] not in joint:
                start = begin if place == crossing else joint[route[0]]
                found.append(Move(start, start + 1, 0, route, adds=place == crossing))
                joint[route[-1]] = start + 1
    return found


def timed(graph: CollectiveGraph, moves: list[Move]) -> list[Move]:
    """Return stages of any collective as a schedule; where rounds are to be few each is as many steps as it has sends.

    In synchronous steps stages are spread over as many as they need.
    """
    if graph.goal == "rounds":
        return moves
    return as_soon_as_possible(graph, moves) if graph.goal == "time" else step_by_step(graph, moves)
