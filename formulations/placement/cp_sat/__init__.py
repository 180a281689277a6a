"""placement-cp-sat: the programme of formulations.placement.assignment in OR-Tools' CP-SAT.

CP-SAT computes in exact integers: its claims rest on no tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.placement.assignment import ENCODING, Scale, solved, too_large
from formulations.placement.cp_sat.search import search
from formulations.polytope import clash
from hypar_opt.formulation import Capabilities

if TYPE_CHECKING:
    from hypar_opt.placement import PlacementGraph
    from hypar_opt.plan import Solution
    from hypar_opt.run import Run

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
    """

    presolve: bool = True
    cuts: bool = False
    name: ClassVar[str] = "placement-cp-sat"
    summary: ClassVar[str] = "exact placement: bounds, symmetry, then clause learning (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True, warm_start=True, encoding=ENCODING, packages=("ortools", "scipy"), decides="placement"
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose costs fit 64 bits."""
        large = too_large(graph)
        if large is not None:
            return large
        scale = Scale.of(graph)
        if scale.most * graph.sites**2 >= MAX_SUM:
            return "the costs, divided by their common divisor, do not fit 64 bits; try local-search"
        return clash("ortools", "highspy")

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Prove what can be proven without a search, then search; what is found is recomputed."""
        return solved(graph, run, search, presolve=self.presolve, cuts=self.cuts)


FORMULATION = PlacementCpSat()
