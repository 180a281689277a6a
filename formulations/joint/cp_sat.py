"""joint-cp-sat: strategies and sites in one CP-SAT model (`model`), for a check by other means on joint-enumeration.

Before the search, joint-dp and quick bounds of placements narrow the variables' ranges (`box`) to pairs that cost
no more than a first one, found by alternating between both sides. The model is right without that; it only leaves
more for the search to find out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.joint.alternation import alternated
from formulations.joint.box import Box, narrowed, wide
from formulations.joint.common import Incumbent, conclude, unsuited
from formulations.joint.cuts import first_volumes, quick_bound
from formulations.joint.strategies import NoPlan, Strategies
from formulations.polytope import clash, too_many_arcs
from hypar_opt.formulation import Capabilities
from hypar_opt.plan import Solution, Status
from hypar_opt.run import Run, Stopped

if TYPE_CHECKING:
    from hypar_opt.placement import JointGraph

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
        exact=True, needs_words=True, warm_start=True, encoding="joint-model", packages=("ortools",), decides="both"
    )

    def accepts(self, graph: JointGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose products fit 64 bits."""
        reason = unsuited(graph)
        if reason is not None:
            return reason
        if too_many_arcs(graph.parallelism) is not None:
            return f"the strategies' model is too large: {too_many_arcs(graph.parallelism)}, or alternating"
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
        best = Incumbent.of(graph, run)
        try:
            return self._solved(best)
        except NoPlan:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        except Stopped:
            return conclude(best, None, "stopped before the search")

    def _solved(self, best: Incumbent) -> Solution:
        from formulations.joint.model import joint_model
        from formulations.joint.search import search

        graph, run = best.graph, best.run
        strategies, box = Strategies(graph, run.limits), wide(graph)
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
        return search(built, best, lower)

    def _help(self, best: Incumbent, strategies: Strategies, box: Box) -> tuple[Box, dict[tuple[int, ...], int], int]:
        """Return a narrower box, cuts, and a bound: P of the least weights."""
        graph, run = best.graph, best.run
        quick = quick_bound(graph, run)
        alternated(best, strategies, strategies.best((1,) * graph.levels))
        volumes = first_volumes(graph, strategies)
        volumes += [graph.volumes(best.choices)] if best.choices is not None else []
        cuts = {volume: quick(volume) for volume in volumes}
        assert best.value is not None
        box = narrowed(box, strategies, quick, best.value, graph.placement.base)
        return box, cuts, int(strategies.best(box.least).value)


FORMULATION = JointCpSat()
