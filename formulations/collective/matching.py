"""Chunks matched to links that are free, the rarest first, in steps or as time goes on.

Whenever links are free, accelerators choose in turn, by chance, who is first; each takes in what it lacks and a free
way brings: on the way that has least to bring, the chunk that fewest have. A link is never idle while it could bring
something, and rare chunks are spread before they are missed, so that what is to get into a corner is there in time.
It is done again, with other chances, until the bound is met. That links are matched to chunks as time goes on is how
TACOS finds its schedules (Won et al., MICRO 2024), which takes any chunk; that the rarest goes first is from file
sharing.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from formulations.collective.finish import concluded
from formulations.collective.halves import constructed
from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.costgraph.collective.replay import least_duration
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_TRIES: Final = 64
_SENDS_TRIED: Final = 60_000
"""Of all tries together, after the first."""


def matched(graph: CollectiveGraph, run: Run) -> list[Move]:
    """Return the sends of a gathering: the best of several tries, or the first that meets the bound.

    Raises
    ------
    Stopped
        If the run has to end before there is any.
    """
    random, least = Random(run.limits.seed), lower_bound(graph).value
    tries = min(MOST_TRIES, 1 + _SENDS_TRIED // (len(graph.demands) * graph.accelerators))
    best: list[Move] = []
    for _ in range(tries):
        if best and (run.limits.over or _until(best) == least):
            break
        found = _Matching(graph, random).moves(run)
        if not best or _until(found) < _until(best):
            best = found
    return best


def _until(moves: list[Move]) -> int:
    return max((one.end for one in moves), default=0)


class _Matching:
    """Who has what, and which links are busy, while a schedule is made; sets of chunks are the bits of integers."""

    def __init__(self, graph: CollectiveGraph, random: Random) -> None:
        self.graph = graph
        self.random = random
        self.timed = graph.goal == "time"
        self.held = [0] * graph.accelerators
        self.wanted = [0] * graph.accelerators
        for chunk, demand in enumerate(graph.demands):
            self.held[demand.sources[0]] |= 1 << chunk
            for target in demand.targets:
                self.wanted[target] |= 1 << chunk
        self.coming = list(self.held)
        """What each has, and what is on its way to it."""
        self.missing = sum((want & ~has).bit_count() for want, has in zip(self.wanted, self.held, strict=True))
        self.sought = [len(set(one.targets) - set(one.sources)) for one in graph.demands]
        """By chunk, how many who have to have it neither do nor will."""
        self.open = sum(1 << chunk for chunk, count in enumerate(self.sought) if count)
        """Chunks that someone has yet to get."""
        self.free = {link.ends: 1 if self.timed else link.messages for link in graph.links}
        self.before: list[list[int]] = [[] for _ in range(graph.nodes)]
        for link in graph.links:
            self.before[link.ends[1]].append(link.ends[0])
        self.busy: list[tuple[int, int, int, tuple[int, ...]]] = []
        self.found: list[Move] = []

    def moves(self, run: Run) -> list[Move]:
        """Return the sends of one try.

        Raises
        ------
        Stopped
            If the run has to end.
        """
        now, nodes = 0, list(range(self.graph.accelerators))
        while self.missing:
            run.check()
            self.random.shuffle(nodes)
            # who has to have more is served before those that only pass on
            for node in sorted(nodes, key=lambda one: not self.wanted[one] & ~self.coming[one]):
                self._serve(node, now)
            now = self.busy[0][0]
            while self.busy and self.busy[0][0] == now:
                _, node, chunk, route = heappop(self.busy)
                self.held[node] |= 1 << chunk
                for hop in pairwise(route):
                    self.free[hop] += 1
        return self.found

    def _serve(self, node: int, now: int) -> None:
        """Let a node take in what free links bring."""
        while True:
            lacking = self.open & ~self.coming[node]
            offers = [(route, self.held[route[0]] & lacking) for route in self._free_ways(node)]
            offers = [(route, chunks) for route, chunks in offers if chunks]
            if not offers:
                return
            route, chunks = min(offers, key=lambda one: (len(one[0]), one[1].bit_count(), self.random.random()))
            self._send(self._rarest(chunks), route, now)

    def _rarest(self, chunks: int) -> int:
        """Return the one of a set that most have yet to get; by chance where several are such."""
        most = 0
        rare: list[int] = []
        while chunks:
            lowest = chunks & -chunks
            chunks ^= lowest
            chunk = lowest.bit_length() - 1
            if self.sought[chunk] > most:
                most, rare = self.sought[chunk], []
            if self.sought[chunk] == most:
                rare.append(chunk)
        return self.random.choice(rare)

    def _free_ways(self, node: int) -> Iterator[tuple[int, ...]]:
        """Yield the shortest way by free links, through switches alone, from every accelerator that has one."""
        waiting: deque[tuple[int, ...]] = deque([(node,)])
        seen = {node}
        while waiting:
            route = waiting.popleft()
            for other in self.before[route[0]]:
                if other in seen or not self.free[other, route[0]]:
                    continue
                seen.add(other)
                if other < self.graph.accelerators:
                    yield (other, *route)
                else:
                    waiting.append((other, *route))

    def _send(self, chunk: int, route: tuple[int, ...], now: int) -> None:
        node = route[-1]
        end = now + (least_duration(self.graph, route) if self.timed else 1)
        self.coming[node] |= 1 << chunk
        if self.wanted[node] >> chunk & 1:
            self.sought[chunk] -= 1
            self.open &= ~(int(not self.sought[chunk]) << chunk)
            self.missing -= 1
        for hop in pairwise(route):
            self.free[hop] -= 1
        heappush(self.busy, (end, node, chunk, route))
        self.found.append(Move(now, end, chunk, route))


@dataclass(frozen=True)
class LinkMatching:
    """Free links and rare chunks."""

    name: ClassVar[str] = "link-matching"
    summary: ClassVar[str] = "free links take the rarest chunks that they can bring, in steps or in time"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", rank=406, default_for={"collective": 2}
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline where each chunk goes to one."""
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "it spreads chunks to several accelerators, and here each goes to one; try collective-cp-sat"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Match until the bound is met, or often enough."""
        try:
            moves = constructed(graph, lambda gathering: matched(gathering, run))
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        return concluded(graph, run, moves, "free links and rare chunks")


FORMULATION = LinkMatching()
