"""From the order of sends to when each is: as soon as can be, where links have times of their own, or step by step.

The order is that of stages: what a send takes along is what has arrived in stages before its own. So a send waits for
that, and what arrives in its own stage or later is not let in before it has begun, lest the send take that along, too;
nor is what takes the place of what is there let in before what has arrived in stages before its own.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from hypar_opt.costgraph.collective.replay import least_duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move

Route: TypeAlias = tuple[int, ...]
Held: TypeAlias = tuple[int, int]
"""A chunk, and an accelerator."""


class JoinedMoves(NamedTuple):
    """Chunks that go the same way in a stage, together."""

    route: Route
    moves: tuple[Move, ...]


class _Links(Protocol):
    """What links are busy with."""

    def take(self, message: JoinedMoves, earliest: int) -> tuple[int, int]:
        """Return begin and end of a message, as soon as its links are free."""

    def give_back(self, messages: Sequence[JoinedMoves], times: Sequence[tuple[int, int]]) -> None:
        """Let links be as free again as they were before these, which are the whole stage."""

    def keep(self) -> None:
        """Begin another stage."""


class _Seconds:
    """Until when each link is busy."""

    def __init__(self, graph: CollectiveGraph) -> None:
        self.graph = graph
        self.free: dict[tuple[int, int], int] = {}
        self.before: dict[tuple[int, int], int] = {}

    def take(self, message: JoinedMoves, earliest: int) -> tuple[int, int]:
        hops = list(pairwise(message.route))
        begin = max([earliest, *(self.free.get(hop, 0) for hop in hops)])
        end = begin + least_duration(self.graph, message.route, len(message.moves))
        for hop in hops:
            self.before.setdefault(hop, self.free.get(hop, 0))
            self.free[hop] = end
        return begin, end

    def give_back(self, messages: Sequence[JoinedMoves], times: Sequence[tuple[int, int]]) -> None:
        self.free.update(self.before)

    def keep(self) -> None:
        self.before = {}


class _Steps:
    """How many chunks each link carries in each step."""

    def __init__(self, graph: CollectiveGraph) -> None:
        self.graph = graph
        self.load: Counter[tuple[int, tuple[int, int]]] = Counter()

    def take(self, message: JoinedMoves, earliest: int) -> tuple[int, int]:
        hops = [(hop, self.graph.link_of[hop].messages) for hop in pairwise(message.route)]
        step = earliest
        while any(self.load[step, hop] >= most for hop, most in hops):
            step += 1
        for hop, _ in hops:
            self.load[step, hop] += 1
        return step, step + 1

    def give_back(self, messages: Sequence[JoinedMoves], times: Sequence[tuple[int, int]]) -> None:
        for message, (step, _) in zip(messages, times, strict=True):
            for hop in pairwise(message.route):
                self.load[step, hop] -= 1

    def keep(self) -> None:
        return


def until(moves: Iterable[Move]) -> int:
    """Return when the last move ends."""
    return max((one.end for one in moves), default=0)


def as_soon_as_possible(graph: CollectiveGraph, moves: Iterable[Move]) -> list[Move]:
    """Return the same sends in the same order, each as soon as its chunk is there and all links of its route are free.

    Parameters
    ----------
    moves
        In stages: of each what begins it. What arrives at an accelerator in earlier ones is waited for. Where messages
        are joined, those of a stage with the same route are one.
    """
    return _placed(_Seconds(graph), moves, joined=graph.joined)


def step_by_step(graph: CollectiveGraph, moves: Iterable[Move]) -> list[Move]:
    """Return the same sends in synchronous steps, in each of which links carry what they do.

    Parameters
    ----------
    moves
        In stages, in which a link may carry any number of chunks. From a schedule of steps comes one of no more.
    """
    return _placed(_Steps(graph), moves, joined=False)


def _placed(links: _Links, moves: Iterable[Move], *, joined: bool) -> list[Move]:
    there: dict[Held, int] = {}
    whole: dict[Held, int] = {}
    begun: dict[Held, int] = {}
    found: list[Move] = []
    for _, stage in groupby(sorted(moves), key=lambda one: one.begin):
        messages = _messages(stage, joined=joined)
        earliest = [max(there.get((one.chunk, one.route[0]), 0) for one in each.moves) for each in messages]
        for _ in range(len(messages) + 1):
            times = [links.take(each, begin) for each, begin in zip(messages, earliest, strict=True)]
            late = _too_early(messages, times, begun, (there, whole))
            if not late:
                break
            links.give_back(messages, times)
            for place, wait in late.items():
                earliest[place] = times[place][0] + wait
        links.keep()
        for each, (begin, end) in zip(messages, times, strict=True):
            for one in each.moves:
                key = one.chunk, each.route[-1]
                there[key] = max(there.get(key, 0), end)
                if not one.adds:
                    whole[key] = there[key]
                found.append(one._replace(begin=begin, end=end))
    return found


def _messages(stage: Iterable[Move], *, joined: bool) -> list[JoinedMoves]:
    if not joined:
        return [JoinedMoves(one.route, (one,)) for one in stage]
    together: dict[Route, list[Move]] = {}
    for one in stage:
        together.setdefault(one.route, []).append(one)
    return [JoinedMoves(route, tuple(chunks)) for route, chunks in together.items()]


def _too_early(
    messages: Sequence[JoinedMoves],
    times: Sequence[tuple[int, int]],
    begun: dict[Held, int],
    arrived: tuple[Mapping[Held, int], Mapping[Held, int]],
) -> dict[int, int]:
    """Return by place by how much messages are too early: what they bring would be sent on by who is not to have it.

    Parameters
    ----------
    begun
        By chunk and accelerator, when that has sent it last; taken over.
    arrived
        When it got last what came in earlier stages: anything, which what takes its place has to come after; and what
        took the place of what was there, which what is added has to come after.
    """
    for each, (begin, _) in zip(messages, times, strict=True):
        for one in each.moves:
            key = one.chunk, each.route[0]
            begun[key] = max(begun.get(key, 0), begin)
    found: dict[int, int] = {}
    for place, (each, (_, end)) in enumerate(zip(messages, times, strict=True)):
        keys = [((one.chunk, each.route[-1]), one.adds) for one in each.moves]
        last = max(max(begun.get(key, -1), arrived[adds].get(key, -1)) for key, adds in keys)
        if last >= end:
            found[place] = last + 1 - end
    return found
