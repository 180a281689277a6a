"""pipeline-dp: a dynamic programme over the down-sets of the order in which groups need each other.

Contiguous stages one after the other begin with growing down-sets D_1 < D_2 < ... < D_K, the last of which is all
groups, and stage i has D_i without D_(i-1). With f(D, c) the least that the stages of D take where c_k devices of kind
k are taken, and t_o(S) what a stage takes with the groups S if it is done in the way o, on m_o devices of kind k_o,

    f(D, c) = min over D' < D and o of  max(f(D', c - m_o e_(k_o)), t_o(D without D')),

or the sum instead of the maximum. Only down-sets D are looked at from D' whose groups take, each where it
takes least, no more than a stage may; and none from which the devices that are left cannot do what is left. Where sum
and maximum both count, the least sum is found for falling limits of the maximum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.search import DownSetSearch, StageCut
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

BYTES_A_STATE: Final = 14
"""Of the tables: a time, where it came from, and by which kind."""
LONGEST: Final = 2**61
"""What all times of a graph may add up to, for sums of 64 bits."""


@dataclass(frozen=True)
class PipelineDp:
    """Contiguous stages, exactly."""

    name: ClassVar[str] = "pipeline-dp"
    summary: ClassVar[str] = "dynamic programme over the down-sets of a pipeline's operators"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="down-sets",
        decides="stages",
        rank=300,
        default_for={"pipeline": 0},
    )

    def accepts(self, graph: StageGraph, run: Run) -> str | None:
        """Accept contiguous stages with times that sums of 64 bits hold."""
        if not graph.contiguous:
            return "its stages are contiguous and this pipeline's need not be; try pipeline-cp-sat"
        if upper_bound(graph) >= LONGEST:
            return "the times of this pipeline have too many digits for sums of 64 bits; try pipeline-cp-sat"
        return None

    def solve(self, graph: StageGraph, run: Run) -> Solution:
        """StageCut the groups in their own order first, which bounds what is then looked for among all down-sets."""
        from formulations.pipeline.down_sets.lattice import chain_of, lattice_of
        from formulations.pipeline.down_sets.search import DownSetSearch, states_of

        row = 2 * graph.groups + BYTES_A_STATE * states_of(graph)
        chain = DownSetSearch(graph, chain_of(graph, range(graph.groups)))
        best: StageCut | None = None
        bound = lower_bound(graph)
        try:
            best = _Best(graph, run).found(chain, None)
            run.phase("down-sets")
            search = DownSetSearch(graph, lattice_of(graph, run, run.limits.memory_bytes // row))
            if run.limits.over:
                raise Stopped
            run.phase(f"{search.lattice.count:,} down-sets")
            best = _Best(graph, run).found(search, best)
        except Stopped:
            status = Status.NO_SOLUTION if best is None else Status.FEASIBLE
            return Solution(status, None if best is None else best.choices, bound, "stopped")
        said, sizes = f"{search.lattice.count:,} down-sets", {"down_sets": search.lattice.count}
        if best is None:
            return Solution(Status.INFEASIBLE, native_status=said, statistics=sizes)
        return Solution(Status.OPTIMAL, best.choices, graph.value(best.choices), said, statistics=sizes)


@dataclass(frozen=True)
class _Best:
    """The best stages over a lattice, by whatever the objective is."""

    graph: StageGraph
    run: Run

    def found(self, search: DownSetSearch, known: StageCut | None) -> StageCut | None:
        """Return the best stages there are: those known where none are better."""
        best = known
        graph = self.graph
        if not graph.sum_weight:
            most = upper_bound(graph) if best is None else best.longest - 1
            return self._better(best, search.least(self.run, most, of_sum=False))
        least_longest = 0
        if graph.max_weight:
            shortest = search.least(self.run, upper_bound(graph), of_sum=False)
            if shortest is None:
                return best
            best, least_longest = self._better(best, shortest), shortest.longest
        most = upper_bound(graph)
        while (cut := search.least(self.run, most, of_sum=True)) is not None:
            best = self._better(best, cut)
            most = cut.longest - 1
            if graph.sum_weight * cut.total + graph.max_weight * least_longest >= self._value(best):
                break
        return best

    def _better(self, best: StageCut | None, found: StageCut | None) -> StageCut | None:
        if found is None or (best is not None and self._value(best) <= self._value(found)):
            return best
        self.run.incumbent(self._value(found), found.choices)
        return found

    def _value(self, cut: StageCut | None) -> int:
        assert cut is not None  # there is one where it is asked
        return self.graph.sum_weight * cut.total + self.graph.max_weight * cut.longest


def upper_bound(graph: StageGraph) -> int:
    """Return what no stage takes more than, whatever it has."""
    return max(sum(map(int, option.times)) + sum(map(int, option.transfers)) for option in graph.options)


def lower_bound(graph: StageGraph) -> int:
    """Return what no plan costs less than: all groups where they take least, evenly."""
    from formulations.pipeline.down_sets.lattice import least_times

    times = [int(one) for one in least_times(graph)]
    effort = sum(int(one) for one in least_times(graph, of_devices=True))
    longest = max(-(-effort // graph.devices), max(times, default=0))
    return graph.sum_weight * sum(times) + graph.max_weight * longest


FORMULATION = PipelineDp()
