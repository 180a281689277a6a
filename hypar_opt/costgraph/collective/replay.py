"""What a schedule comes to, played from its begin to its end."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.costgraph.collective.moves import read_moves

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.collective.graph import CollectiveGraph
    from hypar_opt.costgraph.collective.moves import Move


def value_of(graph: CollectiveGraph, choices: Sequence[int]) -> int:
    """Return what a schedule takes: its last end, or by how many rounds all its steps are done."""
    moves = read_moves(choices)
    if graph.goal != "rounds":
        return max((one.end for one in moves), default=0)
    rounds: dict[int, int] = {}
    for (step, ends), count in loads(moves).items():
        needed = -(-count // graph.link_of[ends].messages)
        rounds[step] = max(rounds.get(step, 0), needed)
    return sum(rounds.values())


def loads(moves: Sequence[Move]) -> Counter[tuple[int, tuple[int, int]]]:
    """Return how many chunks each link carries in each synchronous step, by (step, ends)."""
    return Counter((one.end, hop) for one in moves for hop in pairwise(one.route))


def is_schedule(graph: CollectiveGraph, choices: Sequence[int]) -> bool:
    """Return whether choices are moves along links, within what these carry, that bring about what is demanded."""
    try:
        moves = read_moves(choices)
    except ValueError:
        return False
    known = all(
        0 <= one.chunk < len(graph.demands)
        and one.begin >= 0
        and len(one.route) > 1
        and all(hop in graph.link_of for hop in pairwise(one.route))
        and max(one.route[0], one.route[-1]) < graph.accelerators
        and min(one.route[1:-1], default=graph.accelerators) >= graph.accelerators
        for one in moves
    )
    fits = _fits_in_time if graph.goal == "time" else _fits_in_steps
    return known and fits(graph, moves) and _brings_about(graph, moves)


def least_duration(graph: CollectiveGraph, route: Sequence[int], chunks: int = 1) -> int:
    """Return what a message takes at least along a route: all latencies, and the transfers of its slowest link.

    Parameters
    ----------
    chunks
        How many of them are joined in it.
    """
    links = [graph.link_of[hop] for hop in pairwise(route)]
    return sum(link.latency for link in links) + chunks * max(link.transfer for link in links)


def _fits_in_steps(graph: CollectiveGraph, moves: Sequence[Move]) -> bool:
    if any(one.end != one.begin + 1 for one in moves):
        return False
    if graph.goal == "rounds":
        return max((one.end for one in moves), default=0) <= (graph.steps or 0)
    return all(count <= graph.link_of[ends].messages for (_, ends), count in loads(moves).items())


def _fits_in_time(graph: CollectiveGraph, moves: Sequence[Move]) -> bool:
    free_from: dict[tuple[int, int], int] = {}
    for (begin, end, route, _), chunks in sorted(_messages(graph, moves).items()):
        if end - begin < least_duration(graph, route, chunks):
            return False
        for hop in pairwise(route):
            if free_from.get(hop, 0) > begin:
                return False
            free_from[hop] = end
    return True


def _messages(graph: CollectiveGraph, moves: Sequence[Move]) -> Counter[tuple[int, int, tuple[int, ...], int]]:
    """Return how many chunks each message has, by begin, end, route and, where they are not joined, its place."""
    return Counter((one.begin, one.end, one.route, 0 if graph.joined else place) for place, one in enumerate(moves))


def _brings_about(graph: CollectiveGraph, moves: Sequence[Move]) -> bool:
    held = [{source: 1 << source for source in one.sources} for one in graph.demands]
    last: dict[tuple[int, int], tuple[int, int | None]] = {}
    adding = any(one.adds for one in moves)
    for one, payload in _arrivals(held, moves):
        own = held[one.chunk]
        if adding:
            # what arrives at one moment has no order: all of it is added, or the same takes the place of what is there
            arrival, where = (one.end, None if one.adds else payload), (one.chunk, one.route[-1])
            if last.get(where, arrival)[0] == one.end and last.get(where, arrival) != arrival:
                return False
            last[where] = arrival
        before = own.get(one.route[-1], 0)
        if not payload or (before & payload if one.adds else before & ~payload):
            return False
        own[one.route[-1]] = before | payload
    for own, demand in zip(held, graph.demands, strict=True):
        whole = sum(1 << source for source in demand.sources)
        if any(own.get(target, 0) != whole for target in demand.targets):
            return False
    return True


def _arrivals(held: Sequence[dict[int, int]], moves: Sequence[Move]) -> Iterator[tuple[Move, int]]:
    """Yield every move as it arrives, with what it took along; what arrives at a time can be sent at that time."""
    at: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for place, one in enumerate(moves):
        at[one.end][0].append(place)
        at[one.begin][1].append(place)
    taken: dict[int, int] = {}
    for now in sorted(at):
        arriving, leaving = at[now]
        for place in arriving:
            yield moves[place], taken.get(place, 0)
        for place in leaving:
            taken[place] = held[moves[place].chunk].get(moves[place].route[0], 0)
