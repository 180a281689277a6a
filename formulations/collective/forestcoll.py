"""Least time by bandwidth alone: the tightest cut, and trees packed up to it (ForestColl, Zhao et al., 2024).

Of gatherings the cut is the optimum, and trees reach it. A reduction is the mirror of a gathering. An all-reduce
adds up along trees and gathers along the same trees, see `packing.all_reduce`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import KINDS, shown
from formulations.collective.packing.all_reduce import reduced_and_gathered, turned
from formulations.collective.packing.gather import gathered
from formulations.collective.packing.optimum import gathering, too_unlike
from hypar_opt.costgraph.collective.bandwidth import BandwidthBound
from hypar_opt.costgraph.collective.mirror import gathering_of, mirrored
from hypar_opt.costgraph.collective.pieces import busiest, pieces_written
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.costgraph.collective.pieces import TreePiece
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class ForestColl:
    """Trees packed up to the tightest cut."""

    name: ClassVar[str] = "forestcoll"
    summary: ClassVar[str] = "least time by bandwidth: the tightest cut, and trees packed up to it (ForestColl)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="trees",
        packages=("ortools",),
        decides="sends",
        reads_shares=True,
        rank=407,
        default_for={"collective": 4},
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Accept collectives by bandwidth alone, whose chunks get to all."""
        if graph.goal != "bandwidth":
            return f"its trees are for the objective bandwidth, and here it is {graph.goal}; try multitree"
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "its trees bring a chunk to several accelerators, and here each goes to one"
        if too_unlike(gathering(_half(graph))):
            return "bandwidths are too unlike for flows in whole numbers; try multitree"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Find the cut, and the trees."""
        try:
            bound, pieces = self._found(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        choices = pieces_written(pieces)
        value = busiest(graph, choices)
        run.incumbent(value, choices)
        status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
        native = f"trees; bound: {KINDS[bound.kind]}"
        return Solution(status, choices, bound.value, native, statistics=shown(bound))

    def _found(self, graph: CollectiveGraph, run: Run) -> tuple[BandwidthBound, Sequence[TreePiece]]:
        if not graph.summed:
            found = gathered(graph, run)
            return BandwidthBound(found.value, "cut", tuple(sorted(found.inside))), found.pieces
        if not graph.reducing:
            return reduced_and_gathered(graph, run)
        found = gathered(mirrored(graph), run)
        outside = tuple(sorted(set(range(graph.nodes)).difference(found.inside)))
        return BandwidthBound(found.value, "cut", outside), [turned(one) for one in found.pieces]


def _half(graph: CollectiveGraph) -> CollectiveGraph:
    """Return the gathering that a collective is, or is put together of."""
    if not graph.summed:
        return graph
    return mirrored(graph) if graph.reducing else gathering_of(graph)


FORMULATION = ForestColl()
