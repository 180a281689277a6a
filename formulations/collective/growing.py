"""Trees that take turns to grow, in synchronous steps or as time goes on: see `multitree`."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.replay import least_duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Demand
    from hypar_opt.formulation.run import Run


MOST_SENDS_IN_TIME: Final = 20_000
"""Of trees that are grown as time goes on: every tree is asked at every arrival."""


class _GrowingTree:
    """A chunk's tree while it grows; `joined` are those who may be asked from the next step on."""

    def __init__(self, number: int, demand: Demand) -> None:
        self.number = number
        self.missing = set(demand.targets) - set(demand.sources)
        self.nodes = set(demand.sources)
        self.frontier = list(demand.sources)
        self.joined: list[int] = []
        self.places: dict[int, int] = {}

    def begin_step(self, graph: CollectiveGraph) -> None:
        """Let those who joined in the last step be asked, and leave out whose neighbours are all in the tree."""
        asked = [*self.frontier, *self.joined]
        # switches are in no tree, so that who has one as a neighbour is always asked
        self.frontier = [node for node in asked if not self.nodes.issuperset(graph.after[node])]
        self.joined, self.places = [], {}

    def grow(self, graph: CollectiveGraph, free: dict[tuple[int, int], int]) -> tuple[int, ...] | None:
        """Add a node; return the way to it, or None where there is none in this step.

        Who had no way once in a step has none later in it: links only fill up, and the tree only grows.
        """
        for most in range(2, graph.switches + 3):
            for place in range(self.places.get(most, 0), len(self.frontier)):
                self.places[most] = place
                route = self._way(graph, free, self.frontier[place], most)
                if route is not None:
                    for hop in pairwise(route):
                        free[hop] -= 1
                    self.nodes.add(route[-1])
                    self.missing.discard(route[-1])
                    return route
            self.places[most] = len(self.frontier)
        return None

    def _way(
        self, graph: CollectiveGraph, free: dict[tuple[int, int], int], start: int, most: int
    ) -> tuple[int, ...] | None:
        """Return the shortest way by free links to an accelerator outside the tree, through switches alone.

        Parameters
        ----------
        most
            Nodes of it, both ends counted.
        """
        for other in graph.after[start]:
            if other < graph.accelerators and other not in self.nodes and free[start, other]:
                return start, other
        if most == 2:
            return None
        waiting: deque[tuple[int, ...]] = deque([(start,)])
        seen = {start}
        while waiting:
            route = waiting.popleft()
            if len(route) == most:
                return None
            for other in graph.after[route[-1]]:
                if other in seen or other in self.nodes or not free[route[-1], other]:
                    continue
                if other < graph.accelerators:
                    return (*route, other)
                seen.add(other)
                waiting.append((*route, other))
        return None


def grown(graph: CollectiveGraph, run: Run, order: Sequence[int] | None = None) -> list[Move]:
    """Return the sends of all trees, in synchronous steps.

    Parameters
    ----------
    order
        Chunks, whose trees take turns so; without it by their numbers.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    trees = [_GrowingTree(number, graph.demands[number]) for number in order or range(len(graph.demands))]
    moves: list[Move] = []
    step = 0
    while any(tree.missing for tree in trees):
        run.check()
        free = {link.ends: link.messages for link in graph.links}
        turns = [tree for tree in trees if tree.missing]
        for tree in turns:
            tree.begin_step(graph)
        while turns:
            turns = [tree for tree in turns if tree.missing and _add(graph, tree, free, moves, step)]
        step += 1
    return moves


def _add(
    graph: CollectiveGraph, tree: _GrowingTree, free: dict[tuple[int, int], int], moves: list[Move], step: int
) -> bool:
    route = tree.grow(graph, free)
    if route is not None:
        moves.append(Move(step, step + 1, tree.number, route))
        tree.joined.append(route[-1])
    return route is not None


def grown_in_time(graph: CollectiveGraph, run: Run, order: Sequence[int] | None = None) -> list[Move]:
    """Return the sends of all trees as time goes on: whenever something has arrived, trees take turns.

    Parameters
    ----------
    order
        As in steps.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    trees = [_GrowingTree(number, graph.demands[number]) for number in order or range(len(graph.demands))]
    of_chunk = {tree.number: tree for tree in trees}
    free = {link.ends: 1 for link in graph.links}
    under_way: list[tuple[int, int, tuple[int, ...]]] = []
    moves: list[Move] = []
    now = 0
    while any(tree.missing for tree in trees):
        run.check()
        turns = [tree for tree in trees if tree.missing]
        for tree in turns:
            tree.begin_step(graph)
        while turns:
            able = []
            for tree in turns:
                route = tree.grow(graph, free) if tree.missing else None
                if route is not None:
                    end = now + least_duration(graph, route)
                    moves.append(Move(now, end, tree.number, route))
                    heappush(under_way, (end, tree.number, route))
                    able.append(tree)
            turns = able
        now = under_way[0][0]
        while under_way and under_way[0][0] == now:
            _, number, route = heappop(under_way)
            of_chunk[number].joined.append(route[-1])
            for hop in pairwise(route):
                free[hop] += 1
    return moves


def grows_in_time(graph: CollectiveGraph) -> bool:
    """Return whether trees are grown as time goes on, too: where links differ, and not too many sends."""
    kinds = {(link.latency, link.transfer) for link in graph.links}
    sends = sum(max(len(one.sources), len(one.targets)) for one in graph.demands)
    return graph.goal == "time" and len(kinds) > 1 and sends <= MOST_SENDS_IN_TIME
