"""Levels of the partition tree one after the other, from the innermost: at each an all-reduce between halves.

Whoever is in one half exchanges with its counterpart in the other all it has, as HyPar's levels do with gradients. The
tree halves the accelerators in their order, as the levels of a network's array do; on a grid it halves each dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.doubling import by_halving, exchanged, gathered, order_of, timed
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.collective.doubling import Joining
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


def tree(graph: CollectiveGraph) -> Joining:
    """Return the levels of the partition tree."""
    order = order_of(graph)
    whole = order == tuple(range(graph.accelerators))
    return by_halving(order, [size for size in graph.dims if size > 1][:-1] if whole else ())


@dataclass(frozen=True)
class Hierarchical:
    """An all-reduce a level."""

    name: ClassVar[str] = "hierarchical"
    summary: ClassVar[str] = "levels of the partition tree one after the other, halves exchange all they have"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=415)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls, and all-reduces of halves that have no way to each other."""
        declined = for_all(graph)
        if declined is not None or not graph.sums_to_all:
            return declined
        found = exchanged(graph, tree(graph))
        if isinstance(found, list):
            return None
        return f"sums of accelerators {found[0]} and {found[1]} have no way but through others; try rabenseifner"

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Join halves, level by level."""
        if not graph.sums_to_all:
            moves = staged(graph, lambda gathering: gathered(gathering, tree(graph)))
        else:
            stages = exchanged(graph, tree(graph))
            moves = timed(graph, stages) if isinstance(stages, list) else None
        return concluded(graph, run, moves, "levels of the partition tree")


FORMULATION = Hierarchical()
