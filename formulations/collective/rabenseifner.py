"""Recursive halving and doubling (Rabenseifner, Optimization of collective reduction operations, 2004).

An all-reduce first adds up by halves, then quarters, and so on, until everyone has the sum of a part, and gathers the
parts the same way back. Of 2^k + r accelerators r give all they have to another first, and get everything in the end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.doubling import by_doubling, gathered, order_of
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class Rabenseifner:
    """Halves, quarters, and back."""

    name: ClassVar[str] = "rabenseifner"
    summary: ClassVar[str] = "recursive halving, then recursive doubling (Rabenseifner)"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=414)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls."""
        return for_all(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Halve, and double."""
        joining = by_doubling(order_of(graph))
        kept, chunks = joining.remaining, len(graph.demands)
        owners = [kept[chunk * len(kept) // chunks] for chunk in range(chunks)]
        moves = staged(graph, lambda gathering: gathered(gathering, joining), owners)
        return concluded(graph, run, moves, "recursive halving and doubling")


FORMULATION = Rabenseifner()
