"""pipeline-batch: the stages by which a batch is done soonest by a named schedule, from the last stage to the first.

Endings of the pipeline, stages that have with a group whatever comes behind it, are extended by a stage in front, those
first of which a batch takes least at least: all that an ending makes a batch take is some few numbers (`line`), and of
what comes before it the sum of times and the longest stages are known, at their least, by the groups and devices that
are left (`before`). An ending is left out where another one of the same groups, devices and stages has no greater
number, or its bound is no better than the best plan. Where a stage need not read the one before it, bounds are what
the ending takes alone and what the slowest stage before it does, and no ending is left out for another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from formulations.pipeline.batch.line import Endings
    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

MOST_SETS: Final = 1_500
"""Of groups at the end: all stages between two of them are listed."""
MOST_MICROBATCHES: Final = 128
"""By 1f1b, where an ending has the square of them as numbers."""
LONGEST: Final = 2**57
"""What no batch takes longer than, in units of the graph: numbers of 64 bits hold it, and ways that there are not."""


@dataclass(frozen=True)
class PipelineBatch:
    """Contiguous stages, exactly."""

    name: ClassVar[str] = "pipeline-batch"
    summary: ClassVar[str] = "stages of a pipeline for the time of a batch by gpipe or 1f1b, from the last to the first"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        warm_start=True,
        encoding="endings",
        decides="stages",
        reads_batch=True,
        rank=308,
        default_for={"pipeline": 2},
        vouches_for={"pipeline": 2},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept a batch of few enough microbatches, with times that 64 bits hold."""
        if graph.batch is None:
            return "it is for the batch time by gpipe or 1f1b, and this pipeline asks for another; try pipeline-dp"
        if graph.batch.rule == "1f1b" and graph.batch.microbatches > MOST_MICROBATCHES and is_line(graph):
            many = f"{graph.batch.microbatches:,} microbatches, beyond {MOST_MICROBATCHES}"
            return f"{many}: the order of 1f1b has that many squared; try fewer, or gpipe"
        if graph.batch.most // graph.batch.divisor >= LONGEST:
            return "the times of this pipeline have too many digits for sums of 64 bits; round its seconds"
        return None

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Begin with the cuts that are best for the slowest stage and for the sum of all, then search."""
        from formulations.pipeline.batch.before import least_before
        from formulations.pipeline.batch.search import EndingSearch
        from formulations.pipeline.batch.stages import StagesBehind
        from formulations.pipeline.bounds import homeless, lower_bound
        from hypar_opt.formulation.incumbent import Incumbent

        alone = homeless(graph)
        if alone is not None:
            return Solution(Status.INFEASIBLE, native_status=f"no device may have {alone}")
        assert graph.batch is not None  # as accepted
        best, bound, unit = Incumbent.of(graph, run), lower_bound(graph), graph.batch.divisor
        run.bound(bound)
        try:
            lattice = _behind(graph, run)
            _offer_cuts(graph, run, best)
            run.phase(f"stages between {lattice.count:,} down-sets")
            behind = StagesBehind(graph.replace(batch=graph.batch.divided()), lattice)
            before = least_before(behind.graph, behind.every, run)
            search = EndingSearch(behind, before, _endings(behind.graph), best, run, unit)
            run.phase("from the last stage")
            found = search.search()
        except Stopped:
            status = Status.NO_SOLUTION if best.choices is None else Status.FEASIBLE
            return Solution(status, best.choices, bound, "stopped")
        said, sizes = f"{search.looked_at:,} endings", {"endings": search.looked_at, "down_sets": lattice.count}
        if best.choices is None:
            if found is None:
                return Solution(Status.INFEASIBLE, native_status=said, statistics=sizes)
            return Solution(Status.NO_SOLUTION, None, max(bound, found), f"stopped after {said}", statistics=sizes)
        if found is None:
            return Solution(Status.OPTIMAL, best.choices, best.value, said, statistics=sizes)
        return Solution(Status.FEASIBLE, best.choices, max(bound, found), f"stopped after {said}", statistics=sizes)


def is_line(graph: StageGraph) -> bool:
    """Return whether each group reads the one before it, so that each stage does."""
    batch = graph.batch
    return batch is not None and {(group, group + 1) for group in range(graph.groups - 1)} <= set(batch.reads)


def _endings(graph: StageGraph) -> Endings | None:
    """Return what matters of endings; None where there are branches."""
    from formulations.pipeline.batch.line import GPipeEndings, OneForwardOneBackwardEndings

    batch = graph.batch
    assert batch is not None  # as accepted
    if not is_line(graph):
        return None
    return GPipeEndings(batch.microbatches) if batch.rule == "gpipe" else OneForwardOneBackwardEndings(batch)


def _behind(graph: StageGraph, run: Run) -> Lattice:
    """Return the sets that have with a group whatever comes behind it."""
    from formulations.pipeline.down_sets.lattice import lattice_of

    turned = graph.replace(order=tuple((second, first) for first, second in graph.order), in_flight=1)
    try:
        return lattice_of(turned, run, MOST_SETS)
    except Refusal as refusal:
        raise Refusal(
            f"{run.source} declines: this order has more than {MOST_SETS:,} down-sets, and all stages between two of "
            "them would be listed; try a pipeline of fewer operators, or without a schedule"
        ) from refusal


def _offer_cuts(graph: StageGraph, run: Run, best: Incumbent) -> None:
    """Offer the plans whose sum of stages is least for every limit of the longest, which are best of many batches."""
    from formulations.pipeline.down_sets.best import cuts_by_longest
    from formulations.pipeline.down_sets.lattice import lattice_of
    from formulations.pipeline.down_sets.search import DownSetSearch

    plain = graph.replace(batch=None)
    search = DownSetSearch(plain, lattice_of(plain, run, MOST_SETS))
    for cut in cuts_by_longest(search, run):
        best.offer(cut.choices)
    shortest = search.least(run, search.most, of_sum=False)
    if shortest is not None:
        best.offer(shortest.choices)


FORMULATION = PipelineBatch()
