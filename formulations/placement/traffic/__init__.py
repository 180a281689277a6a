"""placement-traffic: any amounts between any devices, as a quadratic assignment.

What is found by exchanges of devices, from several beginnings, is proven by the bound of Gilmore and Lawler where it
meets that, and else by OR-Tools' CP-SAT, in exact integers, as far as the model is not too large.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.costgraph.placement.traffic import TrafficGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

MOST_SITES = 1024
"""Of tables of all pairs of sites."""


@dataclass(frozen=True)
class PlacementTraffic:
    """Devices on sites, and which amount each two sites exchange."""

    name: ClassVar[str] = "placement-traffic"
    summary: ClassVar[str] = "exact placement of any traffic: exchanges, Gilmore-Lawler bound, then CP-SAT"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="assignment of devices",
        packages=("ortools", "scipy"),
        decides="placement",
        reads_traffic=True,
        rank=145,
        vouches_for={},
    )

    def accepts(self, graph: PlacementGraph | TrafficGraph, run: Run) -> str | None:
        """Accept sums over pairs, of not too many sites."""
        if getattr(graph, "usage", None) is not None:
            return "the busiest link's time is no sum over pairs; try placement-cp-sat"
        if graph.sites > MOST_SITES:
            return f"{graph.sites:,} sites, and it takes up to {MOST_SITES:,}; try identity"
        return clash("ortools", "highspy")

    def solve(self, graph: PlacementGraph | TrafficGraph, run: Run) -> Solution:
        """Bound, exchange, then search; what is found is recomputed."""
        from formulations.placement.traffic.solving import solved

        return solved(graph.traffic, run)


FORMULATION = PlacementTraffic()
