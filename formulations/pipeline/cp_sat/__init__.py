"""pipeline-cp-sat: groups of operators in slots, in OR-Tools' CP-SAT.

A Boolean says whether a group stands in a slot, others what of an output crosses there. CP-SAT computes in exact
integers: its claims rest on no tolerance. Equal slots are taken in the order of their first groups; of contiguous
stages in the order of the stages, each of which has a number that does not fall along the order of groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

MAX_SUM = 2**62
"""CP-SAT sums all times, and all usages, in an int64."""
MOST_VARIABLES = 2_000_000
"""Of groups and outputs, times slots: a model that is built in a minute."""


@dataclass(frozen=True)
class PipelineCpSat:
    """Stages, contiguous or not."""

    name: ClassVar[str] = "pipeline-cp-sat"
    summary: ClassVar[str] = "stages of a pipeline, contiguous or not, by clause learning (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="stage-numbers",
        packages=("ortools",),
        decides="stages",
        rank=301,
        default_for={"pipeline": 1},
        vouches_for={"pipeline": 1},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose times fit 64 bits."""
        from formulations.pipeline.programme import StageProgramme

        size = (graph.groups + 2 * len(graph.owners)) * len(graph.slots)
        if graph.counts_behind:
            size += len(graph.slots) ** 2 + graph.groups * len(graph.slots) * graph.in_flight
        if size > MOST_VARIABLES:
            return f"{size:,} groups and outputs times slots, beyond {MOST_VARIABLES:,}; try pipeline-linear"
        programme = StageProgramme.of(graph)
        whole = graph.sum_weight * len(graph.slots) + graph.max_weight
        if programme.most * max(whole, 1) >= MAX_SUM:
            return "the times, divided by their common divisor, do not fit 64 bits; try pipeline-linear"
        if any(way.capacity is not None and sum(way.kept(graph.in_flight)) >= MAX_SUM for way in programme.ways):
            return "what operators keep does not fit 64 bits; try pipeline-linear"
        return clash("ortools", "highspy")

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Begin with cuts of the groups' own order, then search; what is found is recomputed."""
        from formulations.pipeline.cp_sat.model import build
        from formulations.pipeline.finish import solved_by_cp_sat

        return solved_by_cp_sat(graph, run, build)


FORMULATION = PipelineCpSat()
