"""recursive-bisection: near halves of the array for the halves of the partition, level by level, then exchanges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class RecursiveBisection:
    """Split the sites, and exchange what brings most nearer, within halves and at the end over all leaves."""

    name: ClassVar[str] = "recursive-bisection"
    summary: ClassVar[str] = "halves of the array that are near each other, level by level"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        packages=("scipy",),
        decides="placement",
        rank=160,
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept what tables of all pairs of sites fit."""
        from formulations.placement.found import too_many_sites

        return too_many_sites(graph)

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Bisect, descend, bound; of the steps' placements the best, for descent may go by an estimate."""
        from formulations.placement.bisection import bisected
        from formulations.placement.found import bound_of, concluded
        from formulations.placement.improve import descended, everywhere
        from formulations.placement.prices import PriceTables

        run.phase("bisecting")
        prices = PriceTables.of(graph)
        split = bisected(graph, prices.nearness)
        run.incumbent(graph.value(split), split)
        run.phase("exchanging leaves")
        at = descended(prices, everywhere(split, graph.sites), graph.leaves, run.limits)
        settled = tuple(int(site) for site in at[: graph.leaves])
        placed = min(split, settled, key=graph.value)
        if placed != split:
            run.incumbent(graph.value(placed), placed)
        native = "bisected, then stopped" if run.limits.over else "bisected, then exchanges until none gained"
        return concluded(graph, placed, bound_of(graph, run), native)


FORMULATION = RecursiveBisection()
