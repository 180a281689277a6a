"""joint-cp-sat: strategies and sites in one CP-SAT model (`model`), for a check by other means on joint-enumeration.

Before the search, joint-dp and quick bounds of placements narrow the variables' ranges (`box`) to pairs that cost
no more than a first one, found by alternating between both sides. The model is right without that; it only leaves
more for the search to find out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

    from formulations.joint.box import Box
    from formulations.joint.common import Incumbent
    from formulations.joint.model import JointModel
    from formulations.joint.strategies import Strategies
    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.run import Limits


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
        from formulations.joint.box import wide
        from formulations.joint.common import unsuited

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
        from formulations.joint.common import Incumbent, conclude
        from formulations.joint.strategies import NoPlan

        best = Incumbent.of(graph, run)
        try:
            return self._solved(best)
        except NoPlan:
            return Solution(Status.INFEASIBLE, native_status="no allowed strategies")
        except Stopped:
            return conclude(best, None, "stopped before the search")

    def _solved(self, best: Incumbent) -> Solution:
        from formulations.joint.box import wide
        from formulations.joint.common import conclude
        from formulations.joint.cp_sat import search
        from formulations.joint.model import joint_model
        from formulations.joint.strategies import Strategies

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
        from formulations.joint.alternation import alternated
        from formulations.joint.box import narrowed
        from formulations.joint.outer import first_volumes, quick_bound

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


def search(built: JointModel, best: Incumbent, lower: int) -> Solution:
    """Solve; pairs go to `best` as they come.

    Parameters
    ----------
    lower
        A bound that is known already.
    """
    from ortools.sat.python.cp_model import CpSolver

    from formulations.cp_sat.search import no_more, watched
    from formulations.joint.common import conclude

    solver, run = CpSolver(), best.run
    _configure(solver, run.limits)
    solver.best_bound_callback = lambda bound: run.bound(max(lower, built.unit * no_more(bound)))
    _hint(built, best)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(built.model, _recorder(built, best))
    name = solver.status_name(native)
    if name == "INFEASIBLE":
        return _infeasible(best)
    if name == "MODEL_INVALID":
        return Solution(Status.ERROR, native_status=name, note=built.model.validate())
    bound = max(lower, built.unit * int(solver.response_proto.inner_objective_lower_bound))
    note = "" if name != "OPTIMAL" or bound == best.value else "the solver says optimal, but its bound is another"
    return conclude(best, bound, name, note, {"cost_unit": built.unit})


def _infeasible(best: Incumbent) -> Solution:
    if best.pair is None:
        return Solution(Status.INFEASIBLE, native_status="INFEASIBLE")
    return Solution(
        Status.ERROR, native_status="INFEASIBLE", note="the solver says that there is no plan, and one is known"
    )


def _configure(solver: CpSolver, limits: Limits) -> None:
    parameters: Any = solver.parameters
    remaining = limits.remaining_s()
    if remaining is not None:
        parameters.max_time_in_seconds = remaining
    parameters.num_workers = max(1, limits.workers)
    parameters.random_seed = limits.seed
    parameters.linearization_level = 2
    parameters.catch_sigint_signal = False
    parameters.relative_gap_limit = 0.0
    parameters.absolute_gap_limit = 0.0


def _hint(built: JointModel, best: Incumbent) -> None:
    """Suggest the pair that is known, translated so that leaf 0 has the lowest site."""
    if best.choices is None or best.placed is None:
        return
    for literals, values, choice in zip(built.plan.x, built.polytope.values, best.choices, strict=True):
        for literal, value in zip(literals, values, strict=True):
            built.model.add_hint(literal, value == choice)
    shift = best.placed.index(min(best.placed))
    for leaf, literals in enumerate(built.sites.at):
        for site, literal in enumerate(literals):
            built.model.add_hint(literal, best.placed[leaf ^ shift] == site)


def _recorder(built: JointModel, best: Incumbent) -> CpSolverSolutionCallback:
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    class Recorder(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            rows = [[self.boolean_value(one) for one in row] for row in (*built.plan.x, *built.sites.at)]
            chosen, layers = [row.index(True) for row in rows], len(built.plan.x)
            best.offer(built.polytope.choices(chosen[:layers]), chosen[layers:])

    return Recorder()
