"""Recursive doubling: in each stage twice as many have what all of them had (Thakur, Rabenseifner and Gropp, 2005).

In an all-reduce two exchange all they have and add it up, in lg p stages; in a gathering what the other lacks; a
reduction is the mirror of that, recursive halving. Of other numbers of accelerators than powers of two those that are
too many give what they have to another first, and get everything in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.doubling import by_doubling, exchanged, gathered, order_of, timed
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class RecursiveDoubling:
    """Two exchange what they have, then four, then eight."""

    name: ClassVar[str] = "recursive-doubling"
    summary: ClassVar[str] = "two exchange all they have, then four, then eight"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=413)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls, and all-reduces of those whose sums have no way to each other."""
        declined = for_all(graph)
        if declined is not None or not graph.sums_to_all:
            return declined
        found = exchanged(graph, by_doubling(order_of(graph)))
        if isinstance(found, list):
            return None
        return f"sums of accelerators {found[0]} and {found[1]} have no way but through others; try rabenseifner"

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Double."""
        joining = by_doubling(order_of(graph))
        if not graph.sums_to_all:
            moves = staged(graph, lambda gathering: gathered(gathering, joining))
        else:
            stages = exchanged(graph, joining)
            moves = timed(graph, stages) if isinstance(stages, list) else None
        return concluded(graph, run, moves, "recursive doubling")


FORMULATION = RecursiveDoubling()
