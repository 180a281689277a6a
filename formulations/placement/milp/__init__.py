"""placement-milp: the programme of formulations.placement.assignment in PuLP, solved by HiGHS.

HiGHS computes in floating point, so that a proof by search rests on tolerances, which a Solution's note names: scaled
costs are integers at least 1 apart and a gap below 0.4 is asked for. The placement is recomputed exactly; a
bound counts after rounding by 1e-9 of it on the safe side. HiGHS is only given costs up to 2^27 and rows of numbers
up to 2^20, rounded down where they are larger (`formulations.flow_model.refinement`), so that prices and times may be
of any magnitude. What is closed by a bound needs no search and no tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from formulations.placement.assignment import ENCODING
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class PlacementMilp:
    """Leaves on sites, and a matching of sites at every level.

    Parameters
    ----------
    presolve
        Whether bounds, symmetry and a start are used.
    cuts
        Whether the model has cuts.
    """

    presolve: bool = True
    cuts: bool = True
    name: ClassVar[str] = "placement-milp"
    summary: ClassVar[str] = "exact placement: bounds, symmetry, then a mixed-integer programme (HiGHS through PuLP)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding=ENCODING,
        packages=("pulp", "highspy", "scipy"),
        decides="placement",
        rank=130,
        vouches_for={"placement": 2},
    )

    def accepts(self, graph: PlacementGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose costs floating point can represent."""
        from formulations.placement.assignment.solving import too_large

        return too_large(graph) or clash("highspy", "ortools")

    def solve(self, graph: PlacementGraph, run: Run) -> Solution:
        """Prove what can be proven without a search, then search; what is found is recomputed."""
        from formulations.placement.assignment.solving import solved
        from formulations.placement.milp.model import search

        return solved(graph, run, search, presolve=self.presolve, cuts=self.cuts)


FORMULATION = PlacementMilp()
