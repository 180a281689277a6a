"""All-to-alls by bandwidth alone: flows of all chunks that load links least, by linear programming (HiGHS in SciPy)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Final

from formulations.collective.finish import KINDS, shown
from formulations.collective.packing.commodities import bound_by, commodities, ways
from hypar_opt.costgraph.collective.bandwidth import BandwidthBound, bandwidth_bound, rate
from hypar_opt.costgraph.collective.pieces import TreePiece, busiest, is_packing, pieces_written
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from formulations.collective.packing.commodities import Commodities, Hop
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_FLOWS: Final = 60_000
"""Sources times links."""


@dataclass(frozen=True)
class AllToAllFlows:
    """Flows of all chunks."""

    name: ClassVar[str] = "all-to-all-flows"
    summary: ClassVar[str] = "least time of an all-to-all by bandwidth: flows that load links least (HiGHS in SciPy)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="flows",
        packages=("scipy",),
        decides="sends",
        reads_shares=True,
        rank=408,
        default_for={"collective": 6},
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Accept all-to-alls by bandwidth alone that fit into a programme."""
        if graph.goal != "bandwidth":
            return f"its flows are for the objective bandwidth, and here it is {graph.goal}; try collective-cp-sat"
        if any(len(one.sources) > 1 or len(one.targets) > 1 for one in graph.demands):
            return "its chunks go from one accelerator to one, and here they go to several; try forestcoll"
        size = len(graph.links) * (1 if self._shifted(graph) else len({one.sources for one in graph.demands}))
        if size > MOST_FLOWS:
            return f"its programme would have {size:,} flows, at most {MOST_FLOWS:,} are built; try a smaller group"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Solve the programme, and recount what it says."""
        run.phase("solving the linear programme of all flows")
        bound = bandwidth_bound(graph)
        run.bound(bound.value)
        found = self._flows(graph, run.limits.remaining_s())
        if found is None:
            return Solution(Status.NO_SOLUTION, None, bound.value, "stopped before the programme was solved")
        by_lengths = bound_by(graph, found.lengths)
        if by_lengths > bound.value:
            bound = BandwidthBound(by_lengths, "lengths")
        run.bound(bound.value)
        choices = pieces_written(_pieces(graph, found))
        if not is_packing(graph, choices):
            return Solution(Status.NO_SOLUTION, None, bound.value, "rounded flows do not get everywhere")
        value = busiest(graph, choices)
        run.incumbent(value, choices)
        status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
        native = f"flows; bound: {KINDS[bound.kind]}"
        return Solution(status, choices, bound.value, native, statistics=shown(bound))

    @staticmethod
    def _shifted(graph: CollectiveGraph) -> bool:
        """Return whether the flows of one accelerator stand for all: everyone gives everyone as much."""
        everyone = graph.accelerators * (graph.accelerators - 1)
        return bool(graph.shifts) and len({(one.sources, one.targets) for one in graph.demands}) == everyone

    def _flows(self, graph: CollectiveGraph, seconds: float | None) -> Commodities | None:
        wanted = _wanted(graph)
        if not self._shifted(graph):
            hops = {link.ends: number for number, link in enumerate(graph.links)}
            return commodities(graph.nodes, hops, [rate(graph, hop) for hop in hops], wanted, seconds)
        inverse = [_inverse(shift) for shift in graph.shifts]
        ends = {end: number for number, end in enumerate(graph.after[0])}
        groups = {link.ends: ends[inverse[link.ends[0]][link.ends[1]]] for link in graph.links}
        found = commodities(graph.nodes, groups, [rate(graph, (0, end)) for end in ends], {0: wanted[0]}, seconds)
        if found is None:
            return None
        flows = {
            source: {(shift[first], shift[second]): amount for (first, second), amount in found.flows[0].items()}
            for source, shift in enumerate(graph.shifts)
        }
        return found._replace(flows=flows)


def _inverse(shift: tuple[int, ...]) -> dict[int, int]:
    return {there: node for node, there in enumerate(shift)}


def _wanted(graph: CollectiveGraph) -> Mapping[int, Mapping[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for one in graph.demands:
        own = found.setdefault(one.sources[0], {})
        own[one.targets[0]] = own.get(one.targets[0], 0) + 1
    return found


def _pieces(graph: CollectiveGraph, found: Commodities) -> Iterator[TreePiece]:
    """Yield all chunks, each cut as what flows from its source to its target is."""
    chunks: dict[Hop, list[int]] = {}
    for number, one in enumerate(graph.demands):
        chunks.setdefault((one.sources[0], one.targets[0]), []).append(number)
    for source, own in _wanted(graph).items():
        shares: dict[int, list[tuple[tuple[int, ...], Fraction]]] = {}
        for target, way, amount in ways(dict(found.flows[source]), source, own):
            shares.setdefault(target, []).append((way, amount))
        for target, parts in shares.items():
            unit = lcm(*(amount.denominator for _, amount in parts))
            for number in chunks[source, target]:
                for way, amount in parts:
                    yield TreePiece(number, int(amount * unit), ((way, False),))


FORMULATION = AllToAllFlows()
