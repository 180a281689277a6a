"""local-search: seeded annealing from several placements, by exchanges of leaves and of subcubes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

RESTARTS = 8
"""From the best start, the second best, ..., and round again."""
STEPS = 4000
"""Of every annealing."""


@dataclass(frozen=True)
class LocalSearch:
    """Descend and anneal, again and again; ends by its number of steps, at the bound, or at a limit.

    Parameters
    ----------
    restarts, steps
        How long it goes on.
    """

    restarts: int = RESTARTS
    steps: int = STEPS
    name: ClassVar[str] = "local-search"
    summary: ClassVar[str] = "seeded annealing by exchanges of leaves and of subcubes"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        warm_start=True,
        packages=("scipy",),
        decides="placement",
        rank=150,
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept what tables of all pairs of sites fit."""
        from formulations.placement.found import too_many_sites

        return too_many_sites(graph)

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Bound, so that a placement that meets it ends the search; then search."""
        from formulations.placement.found import bound_of, concluded
        from formulations.placement.improve import PlacementSearch, starts

        bound = bound_of(graph, run)
        search = PlacementSearch(graph, run, None if bound is None else bound.value)
        given = () if run.start is None or not graph.feasible(run.start) else (run.start,)
        sweep = () if bound is None or bound.placed is None else (bound.placed,)
        ranked = sorted({*given, *sweep, *starts(graph, search.prices)}, key=lambda one: (graph.value(one), one))
        for one in ranked:
            search.best.offer(one)
        run.phase("annealing")
        done = search.annealed(ranked, self.restarts, self.steps)
        facts = {"annealings": done, "seed": run.limits.seed}
        return concluded(graph, search.placed, bound, "the best of its annealings", facts)


FORMULATION = LocalSearch()
