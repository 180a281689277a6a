"""pipeline-batch-cp-sat: the stages by which a batch is done soonest by a named schedule, in OR-Tools' CP-SAT.

Groups stand in slots as in pipeline-cp-sat, with the same constraints of devices, memory and order. A slot's phases are
sums of its groups' times. By gpipe, of stages each of which reads the one before it, the batch has a closed form; else
every operation has a date, those of a stage one after the other in the order that the schedule has for a stage with so
many behind it. By 1f1b that order depends on where branches stand, any of which will do here: a bound is then one of
all plans, and a plan that takes longer as it is numbered is not called best.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

MOST_SIZE: Final = 50_000
"""Of stages times microbatches, and of groups and messages times slots and stages: what is searched in minutes."""
LONGEST: Final = 2**53
"""What no batch takes longer than: bounds that CP-SAT makes floats of are exact, and sums fit 64 bits."""
MOST_KEPT: Final = 2**62
"""CP-SAT sums what is kept in an int64."""


@dataclass(frozen=True)
class PipelineBatchCpSat:
    """Contiguous stages, for small pipelines."""

    name: ClassVar[str] = "pipeline-batch-cp-sat"
    summary: ClassVar[str] = "stages of a small pipeline for the time of a batch by gpipe or 1f1b (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="dates",
        packages=("ortools",),
        decides="stages",
        reads_batch=True,
        rank=309,
        vouches_for={"pipeline": 3},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept a batch of a small pipeline, with times that 64 bits hold."""
        from formulations.pipeline.batch_cp_sat.variables import most_stages

        batch = graph.batch
        if batch is None:
            return "it is for the batch time by gpipe or 1f1b, and this pipeline asks for another; try pipeline-cp-sat"
        stages = most_stages(graph)
        size = stages * stages * batch.microbatches + (graph.groups + len(batch.messages)) * len(graph.slots) * stages
        if size > MOST_SIZE:
            text = f"{graph.groups:,} groups on {len(graph.slots):,} slots in {stages} stages"
            return f"{text}, {batch.microbatches:,} microbatches: too large for it; try pipeline-batch"
        if batch.most // batch.divisor * (stages + 1) >= LONGEST:
            return "the times of this pipeline have too many digits for its exact bounds; round its seconds"
        if any(
            one.capacity is not None and sum(map(int, one.kept(graph.in_flight))) >= MOST_KEPT for one in graph.options
        ):
            return "what operators keep does not fit 64 bits; try pipeline-batch"
        return clash("ortools", "highspy")

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Begin with cuts of the groups' own order, then search; what is found is recomputed."""
        from formulations.pipeline.batch_cp_sat.model import build_batch
        from formulations.pipeline.finish import solved_by_cp_sat

        return solved_by_cp_sat(graph, run, build_batch)


FORMULATION = PipelineBatchCpSat()
