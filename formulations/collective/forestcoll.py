"""Least time by bandwidth alone: the tightest cut, and trees packed up to it (ForestColl, Zhao et al., 2024).

Of gatherings the cut is the optimum, and trees reach it. A reduction is the mirror of a gathering. An all-reduce adds
up along trees and gathers along the same trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import KINDS
from formulations.collective.packing.gather import Packed, gathered
from formulations.collective.packing.optimum import gathering, narrowest, too_unlike
from hypar_opt.costgraph.collective.bandwidth import BandwidthBound, bandwidth_bound
from hypar_opt.costgraph.collective.mirror import gathering_of, mirrored
from hypar_opt.costgraph.collective.pieces import TreePiece, busiest, pieces_written
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph
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
            found = gathered(_half(graph), run)
            bound, pieces = _whole(graph, found, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        choices = pieces_written(pieces)
        value = busiest(graph, choices)
        run.incumbent(value, choices)
        status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
        nodes = {"bound_nodes": " ".join(map(str, bound.nodes[:64]))} if bound.nodes else {}
        return Solution(
            status,
            choices,
            bound.value,
            f"trees; bound: {KINDS[bound.kind]}",
            statistics={"bound_by": bound.kind, **nodes},
        )


def _half(graph: CollectiveGraph) -> CollectiveGraph:
    """Return the gathering that a collective is, or is put together of."""
    if not graph.summed:
        return graph
    return mirrored(graph) if graph.reducing else gathering_of(graph)


def _whole(graph: CollectiveGraph, found: Packed, run: Run) -> tuple[BandwidthBound, tuple[TreePiece, ...]]:
    """Return the bound and the trees of a collective, from those of its gathering."""
    if not graph.summed:
        return BandwidthBound(found.value, "cut", tuple(sorted(found.inside))), found.pieces
    if graph.reducing:
        outside = tuple(sorted(set(range(graph.nodes)).difference(found.inside)))
        return BandwidthBound(found.value, "cut", outside), tuple(_turned(one) for one in found.pieces)
    both = tuple(TreePiece(one.chunk, one.weight, _turned(one).ways + one.ways) for one in found.pieces)
    asked = gathering(_half(graph))
    narrow = narrowest(asked, run)
    through = BandwidthBound(narrow.ratio * asked.unit, "cut", tuple(sorted(narrow.inside)))
    return max(through, bandwidth_bound(graph), key=lambda one: one.value), both


def _turned(piece: TreePiece) -> TreePiece:
    """Return a tree along which is added up what it would bring to all."""
    return piece._replace(ways=tuple((way[::-1], True) for way, _ in reversed(piece.ways)))


FORMULATION = ForestColl()
