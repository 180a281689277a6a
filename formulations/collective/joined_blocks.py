"""Algorithms in which blocks join two by two until there is one, each with an order in which they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.collective.doubling import exchanged, gathered, timed
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged

if TYPE_CHECKING:
    from collections.abc import Callable

    from formulations.collective.doubling import Joining
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.protocol import Capabilities
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class JoinedBlocks:
    """An algorithm that joins blocks.

    Parameters
    ----------
    name, summary, capabilities
        As of any formulation.
    joining
        From the array to which blocks join, level by level.
    said
        What solutions call it.
    """

    name: str
    summary: str
    capabilities: Capabilities
    joining: Callable[[CollectiveGraph], Joining]
    said: str

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls, and all-reduces of blocks whose sums have no way to each other."""
        declined = for_all(graph)
        if declined is not None or not graph.sums_to_all:
            return declined
        found = exchanged(graph, self.joining(graph))
        if isinstance(found, list):
            return None
        return f"sums of accelerators {found[0]} and {found[1]} have no way but through others; try rabenseifner"

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Join blocks, level by level."""
        if not graph.sums_to_all:
            moves = staged(graph, lambda gathering: gathered(gathering, self.joining(graph)))
        else:
            stages = exchanged(graph, self.joining(graph))
            moves = timed(graph, stages) if isinstance(stages, list) else None
        return concluded(graph, run, moves, self.said)
