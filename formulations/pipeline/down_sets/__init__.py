"""pipeline-dp: a dynamic programme over the down-sets of the order in which groups need each other.

Contiguous stages one after the other begin with growing down-sets D_1 < D_2 < ... < D_K, the last of which is all
groups, and stage i has D_i without D_(i-1). With f(D, c) the least that the stages of D take where c_k devices of kind
k are taken, and t_o(S) what a stage takes with the groups S if it is done in the way o, on m_o devices of kind k_o,

    f(D, c) = min over D' < D and o of  max(f(D', c - m_o e_(k_o)), t_o(D without D')),

or the sum instead of the maximum. Only down-sets D are looked at from D' whose groups take, each where it
takes least, no more than a stage may, and whose groups some device holds; and none from which the devices that are left
cannot do or hold what is left. Where sum and maximum both count, the least sum is found for falling limits of the
maximum.

Where what is in flight decides what fits (`StageGraph.counts_behind`), the order is turned around: the stages of D' are
then those behind, and c says how many replicas these have (else that is a part of the state, too). Whether a stage in
front fits depends on its own groups and on that number alone, so that of two ways to one state the better one suffices,
and no others are lost. Bounds of times hold of any plan, and so of fewer; those of memories count what is in flight at
least with so many replicas behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.pipeline.bounds import homeless, lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.down_sets.search import StageCut
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class PipelineDp:
    """Contiguous stages, exactly."""

    name: ClassVar[str] = "pipeline-dp"
    summary: ClassVar[str] = "dynamic programme over the down-sets of a pipeline's operators"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="down-sets",
        decides="stages",
        reads_given_times=True,
        rank=300,
        default_for={"pipeline": 0},
        vouches_for={"pipeline": 0},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept contiguous stages."""
        if not graph.contiguous:
            return "its stages are contiguous and this pipeline's need not be; try pipeline-cp-sat"
        return None

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """Cut the groups in their own order first, which bounds what is then looked for among all down-sets."""
        from formulations.pipeline.down_sets.best import best_of
        from formulations.pipeline.down_sets.lattice import bytes_of, chain_of, lattice_of
        from formulations.pipeline.down_sets.search import DownSetSearch
        from formulations.pipeline.down_sets.states import states_of
        from formulations.pipeline.rules import one_device

        alone = homeless(graph)
        if alone is not None:
            return Solution(Status.INFEASIBLE, native_status=f"no device may have {alone}")
        most = run.limits.memory_bytes // bytes_of(graph, states_of(graph))
        chain = DownSetSearch(graph, chain_of(graph))
        best: StageCut | None = None
        bound = lower_bound(graph)
        try:
            best = best_of(chain, run, None)
            run.phase("down-sets")
            search = DownSetSearch(graph, lattice_of(graph, run, most))
            if run.limits.over:
                raise Stopped
            run.phase(f"{search.lattice.count:,} down-sets")
            best = best_of(search, run, best)
        except Stopped:
            choices = one_device(graph, run) if best is None else best.choices
            status = Status.NO_SOLUTION if choices is None else Status.FEASIBLE
            return Solution(status, None if choices is None else tuple(choices), bound, "stopped")
        said, sizes = f"{search.lattice.count:,} down-sets", {"down_sets": search.lattice.count}
        if best is None:
            return Solution(Status.INFEASIBLE, native_status=said, statistics=sizes)
        return Solution(Status.OPTIMAL, best.choices, graph.value(best.choices), said, statistics=sizes)

    def stage_marginals(self, graph: StageGraph, options: Sequence[int], run: Run) -> list[list[int | None]]:
        """Return by group and stage what a plan costs at least that has the group there, stages as they are."""
        from formulations.pipeline.down_sets.marginals import stage_marginals

        return stage_marginals(graph, options, run)


FORMULATION = PipelineDp()
