"""Sends of a gathering, written down stage by stage: each chunk gets to each accelerator once.

Where two are no neighbours a chunk takes a shortest way, from the last accelerator on it that has the chunk already;
those on the way have it from then on. So the sends of a chunk are a tree, and their mirror is a reduction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.collective.ways import Ways
from hypar_opt.costgraph.collective import Move

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph


class Spreading:
    """What is sent, and who has what from when on.

    Parameters
    ----------
    graph
        A gathering, whose chunks have one source each.
    """

    def __init__(self, graph: CollectiveGraph) -> None:
        self.graph = graph
        self.ways = Ways(graph)
        self.moves: list[Move] = []
        self.held = [{one.sources[0]: 0} for one in graph.demands]
        self.begin = 0

    def has(self, node: int) -> list[int]:
        """Return the chunks that an accelerator has from before this stage."""
        return [chunk for chunk, nodes in enumerate(self.held) if nodes.get(node, self.begin + 1) <= self.begin]

    def send(self, chunk: int, start: int, target: int, after: int = 0) -> None:
        """Send a chunk to an accelerator that has not got it yet, in this stage.

        Parameters
        ----------
        start
            Who has it.
        after
            Steps into the stage.
        """
        nodes = self.held[chunk]
        if target in nodes:
            return
        path = self.ways.path(start, target)
        first = max((place + 1 for place, one in enumerate(path) if one[-1] in nodes), default=0)
        for route in path[first:]:
            begin = max(self.begin + after, nodes[route[0]])
            self.moves.append(Move(begin, begin + 1, chunk, route))
            nodes[route[-1]] = begin + 1

    def end_stage(self) -> None:
        """Let the next stage begin when all of this one has arrived."""
        self.begin = max((one.end for one in self.moves), default=0)


def by_source(graph: CollectiveGraph) -> dict[int, list[int]]:
    """Return the chunks of a gathering by where they begin."""
    found: dict[int, list[int]] = {}
    for number, one in enumerate(graph.demands):
        found.setdefault(one.sources[0], []).append(number)
    return found


def around(nodes: Sequence[int], place: int, far: int) -> int:
    """Return who is so many places further on, behind the last of all the first again."""
    return nodes[(place + far) % len(nodes)]
