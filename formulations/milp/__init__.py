"""milp-cbc and milp-highs: the polytope of formulations.flow_model as a mixed-integer programme.

PuLP states it once (`model`), CBC (`cbc`) or HiGHS (`highs`) solves it. Only x is declared
binary; the flows are continuous, for a plan has only one. On graphs without cycles the linear programme is
integral and both solvers finish at the root.

Both compute in floating point, so that their proofs rest on tolerances, which a Solution's note names: scaled
costs are integers at least 1 apart and a gap below 0.4 is asked for, absolute and not relative. The plan is
recomputed exactly; a bound counts after rounding by 1e-9 of it on the safe side. They are only given costs up to 2^27
and usages up to 2^20; larger numbers are rounded down, and what that leaves open is settled in exact integers
(`formulations.flow_model.refinement`), so that costs, usages and capacities may be of any magnitude.

Graphs that come from tables are too large for PuLP; milp-highs hands them to `formulations.local_polytope`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from formulations.flow_model import ENCODING
from formulations.flow_model.waiting import clash
from formulations.milp import cbc, highs
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from formulations.flow_model.finish import SolverAnswer
    from formulations.flow_model.polytope import Polytope
    from formulations.milp.model import PulpModel
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

    Search: TypeAlias = Callable[[PulpModel, Polytope, Incumbent, Run], SolverAnswer]


@dataclass(frozen=True)
class Milp:
    """One-hot values and continuous flows, through PuLP.

    Parameters
    ----------
    name, summary, capabilities
        For tables.
    search
        Runs the solver.
    """

    name: str
    summary: str
    capabilities: Capabilities
    search: Search

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose costs floating point can represent."""
        from formulations import local_polytope
        from formulations.flow_model.network import too_many_arcs

        if self._large(graph):
            return local_polytope.accepts(graph, run)
        large = too_many_arcs(graph)
        return large or (clash("highspy", "ortools") if "highspy" in self.capabilities.packages else None)

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Draw up the polytope, encode it, search, and recompute what was found."""
        from formulations import local_polytope
        from formulations.flow_model.finish import SolverAnswer, conclude, settled
        from formulations.flow_model.polytope import Polytope
        from formulations.flow_model.refinement import refined
        from hypar_opt.formulation.incumbent import Incumbent

        if self._large(graph):
            return local_polytope.solve(graph, run)
        best = Incumbent.of(graph, run)
        run.phase("building the model")
        polytope = Polytope.of(graph)
        answer = settled(polytope, best)
        if answer is None:
            run.phase("searching")
            stopped = SolverAnswer(Status.NO_SOLUTION, "stopped before the search")
            answer = stopped if run.limits.over else refined(polytope, best, run, self._built)
        return conclude(polytope, best, answer)

    def _built(self, polytope: Polytope, best: Incumbent, run: Run) -> SolverAnswer:
        from formulations.milp.model import build

        return self.search(build(polytope), polytope, best, run)

    def _large(self, graph: CostGraph) -> bool:
        """Return whether a graph comes from tables, and goes to HiGHS as arrays: `formulations.local_polytope`."""
        return graph.ceiling is not None and "highspy" in self.capabilities.packages


CBC = Milp(
    "milp-cbc",
    "mixed-integer programme, CBC through PuLP",
    Capabilities(
        exact=True,
        capacities=True,
        pairwise_capacities=True,
        warm_start=True,
        encoding=ENCODING,
        packages=("pulp",),
        rank=30,
        vouches_for={"network": 4},
    ),
    cbc.search,
)
HIGHS = Milp(
    "milp-highs",
    "mixed-integer programme, HiGHS through PuLP",
    Capabilities(
        exact=True,
        capacities=True,
        pairwise_capacities=True,
        warm_start=True,
        prices=True,
        encoding=ENCODING,
        packages=("pulp", "highspy"),
        rank=40,
        vouches_for={"network": 3, "strategy-graph": 2},
    ),
    highs.search_flows,
)
