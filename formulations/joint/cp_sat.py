"""joint-cp-sat: strategies and sites in one CP-SAT model (`model`), for a check by other means on joint-enumeration.

Before the search, joint-dp and quick bounds of placements narrow the variables' ranges (`narrowed`) to pairs that cost
no more than a first one, found by alternating between both sides. The model is right without that; it only leaves
more for the search to find out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from formulations.joint.common import Pairs, conclude, unsuited
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.joint.model import JointModel
    from formulations.joint.oracles import Strategies
    from formulations.joint.sites import Box
    from hypar_opt.costgraph.placement import JointGraph

MAX_SUM = 2**62
"""CP-SAT sums an objective in an int64."""
MAX_CLAUSES = 600_000
"""Of the placement, three for two leaves and two sites: beyond it, building a model alone takes many seconds."""


@dataclass(frozen=True)
class JointCpSat:
    """One-hot strategies and sites, and the products of bytes and weights, in CP-SAT.

    Parameters
    ----------
    helped
        Whether bounds from elsewhere narrow the search.
    """

    helped: bool = True
    name: ClassVar[str] = "joint-cp-sat"
    summary: ClassVar[str] = "exact: strategies and sites in one constraint model (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        needs_words=True,
        warm_start=True,
        encoding="joint-model",
        packages=("ortools",),
        decides="both",
        rank=110,
        vouches_for={"joint": 2},
    )

    def accepts(self, graph: JointGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose products fit 64 bits."""
        from formulations.flow_model.network import too_many_arcs
        from formulations.joint.sites import wide

        reason, large = unsuited(graph), too_many_arcs(graph.parallelism)
        if reason is not None:
            return reason
        if large is not None:
            return f"the strategies' model is too large: {large}, or alternating"
        clauses = 3 * graph.levels * graph.placement.leaves * graph.placement.sites**2 // 2
        if clauses > MAX_CLAUSES:
            return (
                f"its model of {graph.placement.leaves} leaves on {graph.placement.sites} sites would have "
                f"{clauses:,} clauses, its limit is {MAX_CLAUSES:,}; try joint-enumeration or alternating"
            )
        if wide(graph).upper >= MAX_SUM:
            return "bytes times weights do not fit 64 bits; try joint-enumeration or alternating"
        return clash("ortools", "highspy")

    def solve(self, graph: JointGraph, run: Run) -> Solution:
        """Narrow, build, search, and recompute what was found."""
        from formulations.joint.oracles import NoStrategies, Strategies, offer_identity

        best, strategies = Incumbent.of(Pairs(graph), run), Strategies(graph, run.limits)
        try:
            if self.helped or not graph.levels:
                offer_identity(best, strategies)
            return self._solved(best, strategies)
        except NoStrategies:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        except Stopped:
            return conclude(best, None, "stopped before the search")

    def _solved(self, best: Incumbent, strategies: Strategies) -> Solution:
        from formulations.joint.model import joint_model
        from formulations.joint.sites import wide

        graph, run = strategies.graph, best.run
        box = wide(graph)
        cuts: dict[tuple[int, ...], int] = {}
        lower = 0
        if self.helped or not graph.levels:
            run.phase("narrowing the model")
            box, cuts, lower = self._help(best, strategies, box)
            run.bound(lower)
            if best.value is not None and lower >= best.value:
                return conclude(best, lower, "bounds meet")
        run.check()
        run.phase("building the model")
        built = joint_model(graph, box, cuts)
        run.phase("searching")
        return _searched(built, best, Pairs(graph), lower)

    def _help(self, best: Incumbent, strategies: Strategies, box: Box) -> tuple[Box, dict[tuple[int, ...], int], int]:
        """Return a narrower box, cuts, and a bound: P of the least weights."""
        from formulations.joint.alternating import alternated
        from formulations.joint.oracles import quick_bound
        from formulations.joint.outer import first_volumes
        from formulations.joint.sites import narrowed

        graph, run = strategies.graph, best.run
        quick = quick_bound(graph, run)
        alternated(best, strategies, strategies.best((1,) * graph.levels))
        assert best.choices is not None
        assert best.value is not None
        volumes = [*first_volumes(graph, strategies), graph.volumes(Pairs(graph).split(best.choices)[0])]
        cuts = {volume: quick(volume) for volume in volumes}
        box = narrowed(box, strategies, quick, best.value, graph.placement.base)
        return box, cuts, int(strategies.best(box.least).value)


FORMULATION = JointCpSat()


def _searched(built: JointModel, best: Incumbent, pairs: Pairs, lower: int) -> Solution:
    """Solve; pairs go to `best` as they come.

    Parameters
    ----------
    lower
        A bound that is known already.
    """
    from formulations.cp_sat.search import search

    hint = None if best.choices is None else pairs.translated(best.choices)
    answer = search(built, built, best, best.run, presolve=True, hint=hint, lower=lower)
    if answer.status is Status.INFEASIBLE and best.choices is not None:
        note = "the solver says that there is no plan, and one is known"
        return Solution(Status.ERROR, native_status=answer.native_status, note=note)
    if answer.status in (Status.INFEASIBLE, Status.ERROR):
        return Solution(answer.status, native_status=answer.native_status, note=answer.note)
    bound = max(lower, built.unit * (answer.bound or 0))
    met = answer.status is not Status.OPTIMAL or bound == best.value
    note = "" if met else "the solver says optimal, but its bound is another"
    return conclude(best, bound, answer.native_status, note, {"cost_unit": built.unit})
