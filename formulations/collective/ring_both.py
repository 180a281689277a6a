"""The ring in both directions: every chunk goes half way around on either side."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from formulations.collective.ring import ring_of
from hypar_opt.costgraph.collective import Move
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


def both_ways(graph: CollectiveGraph, onwards: Mapping[int, tuple[int, ...]]) -> list[Move]:
    """Return the sends of a gathering around a ring; of an even number chunks take the longer way on each side in turn.

    Parameters
    ----------
    onwards
        From each accelerator the way to the next.
    """
    backwards = {route[-1]: route[::-1] for route in onwards.values()}
    # through switches both may need the same links, and then take turns
    shared = {hop for route in onwards.values() for hop in pairwise(route)} & {
        hop for route in backwards.values() for hop in pairwise(route)
    }
    pace = 2 if shared else 1
    moves: list[Move] = []
    turn: dict[int, int] = {}
    for number, demand in enumerate(graph.demands):
        (source,) = demand.sources
        odd = turn[source] = 1 - turn.get(source, 1)
        longer = len(onwards) // 2
        shorter = len(onwards) - 1 - longer
        sides = (onwards, shorter if odd else longer, 0), (backwards, longer if odd else shorter, pace - 1)
        for routes, far, first in sides:
            node = source
            for step in range(first, first + far * pace, pace):
                moves.append(Move(step, step + 1, number, routes[node]))
                node = routes[node][-1]
    return moves


@dataclass(frozen=True)
class BidirectionalRing:
    """Around a Hamiltonian cycle on both sides."""

    name: ClassVar[str] = "bidirectional-ring"
    summary: ClassVar[str] = "around a Hamiltonian cycle, half way in either direction"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", packages=("ortools",), rank=411)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline where there is no cycle."""
        declined = for_all(graph)
        if declined is not None:
            return declined
        found = ring_of(graph, run)
        return f"{found}; try multitree" if isinstance(found, str) else None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Send around the cycle."""
        found = ring_of(graph, run)
        moves = None if isinstance(found, str) else staged(graph, lambda one: both_ways(one, found))
        return concluded(graph, run, moves, "around a ring both ways")


FORMULATION = BidirectionalRing()
