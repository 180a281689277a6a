"""identity: leaf i on site i, the placement that others are compared with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class Identity:
    """A rule; its bound says how far from the best it can be."""

    name: ClassVar[str] = "identity"
    summary: ClassVar[str] = "leaf i of the partition tree on accelerator i"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        packages=("scipy",),
        decides="placement",
        rank=170,
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept every array."""
        return None

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Place, then bound."""
        from formulations.placement.found import bound_of, concluded

        placed = tuple(range(graph.leaves))
        run.incumbent(graph.value(placed), placed)
        return concluded(graph, placed, bound_of(graph, run), "a rule, not a search")


FORMULATION = Identity()
