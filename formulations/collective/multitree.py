"""MultiTree (Huang et al., Communication algorithm-architecture co-design for distributed deep learning, ISCA 2021).

One tree a chunk, rooted where the chunk begins. In each synchronous step every link serves as many trees as it carries
chunks; trees take turns, and in its turn a tree gets one node: its members of before this step are asked in the order
in which they joined, and the first with a free way to a node that is not in the tree gets that as a child. When no
tree gets any, the step ends. A gathering goes down the trees, a reduction up them in mirrored order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import concluded
from formulations.collective.halves import constructed
from hypar_opt.costgraph.collective import Move
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph, Demand
    from hypar_opt.formulation.run import Run


class _GrowingTree:
    """A chunk's tree while it grows."""

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
        self.frontier = [node for node in asked if any(self._is_open(graph, other) for other in graph.after[node])]
        self.joined, self.places = [], {}

    def _is_open(self, graph: CollectiveGraph, node: int) -> bool:
        return node >= graph.accelerators or node not in self.nodes

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
                    self.joined.append(route[-1])
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


def grown(graph: CollectiveGraph, run: Run) -> list[Move]:
    """Return the sends of all trees.

    Raises
    ------
    Stopped
        If the run has to end.
    """
    trees = [_GrowingTree(number, demand) for number, demand in enumerate(graph.demands)]
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
    return route is not None


@dataclass(frozen=True)
class MultiTree:
    """Trees that take turns."""

    name: ClassVar[str] = "multitree"
    summary: ClassVar[str] = "one tree a chunk, grown in turns (MultiTree, ISCA 2021)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", groups=True, reads_shares=True, rank=402, default_for={"collective": 5}
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline what has no trees."""
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "its trees bring a chunk to several accelerators, and here each goes to one; try collective-cp-sat"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Grow the trees."""
        try:
            moves = constructed(graph, lambda gathering: grown(gathering, run))
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        return concluded(graph, run, moves, "trees in turns")


FORMULATION = MultiTree()
