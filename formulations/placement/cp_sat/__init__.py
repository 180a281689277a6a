"""placement-cp-sat: the programme of formulations.placement.assignment in OR-Tools' CP-SAT.

CP-SAT computes in exact integers: its claims rest on no tolerance. Where only time counts it does not solve the
programme with times as variables, but asks which fixed times are possible (formulations.placement.times).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from formulations.placement.assignment import ENCODING
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.placement.times.search import VectorMemory
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

MAX_SUM = 2**62
"""CP-SAT sums all costs of an objective in an int64."""


@dataclass(frozen=True)
class PlacementCpSat:
    """Leaves on sites, and a matching of sites at every level.

    Parameters
    ----------
    presolve
        Whether bounds, symmetry and a start are used.
    cuts
        Whether the model has cuts.
    memory
        What is known of the array, where only time counts; None forgets it after every question.
    """

    presolve: bool = True
    cuts: bool = False
    memory: VectorMemory | None = None
    name: ClassVar[str] = "placement-cp-sat"
    summary: ClassVar[str] = "exact placement: bounds, symmetry, then clause learning (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding=ENCODING,
        packages=("ortools", "scipy"),
        decides="placement",
        rank=140,
        vouches_for={"placement": 1},
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose costs fit 64 bits."""
        from formulations.placement.assignment.programme import Scale
        from formulations.placement.assignment.solving import too_large

        large = too_large(graph)
        if large is not None:
            return large
        scale = Scale.of(graph)
        if scale.most * graph.sites**2 >= MAX_SUM:
            return "the costs, divided by their common divisor, do not fit 64 bits; try local-search"
        return clash("ortools", "highspy")

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Prove what can be proven without a search, then search; what is found is recomputed."""
        from formulations.placement.assignment.solving import solved
        from formulations.placement.cp_sat.model import search
        from formulations.placement.times.search import VectorMemory, by_times

        vectors = (self.memory or VectorMemory()).of(graph) if self.presolve and not self.cuts else None
        by_array = search if vectors is None else partial(by_times, graph, vectors)
        return solved(graph, run, by_array, presolve=self.presolve, cuts=self.cuts)

    def remembering(self) -> PlacementCpSat:
        """Return a formulation that keeps what it learns of an array for the next volumes."""
        from formulations.placement.times.search import VectorMemory

        return replace(self, memory=VectorMemory())


FORMULATION = PlacementCpSat()
