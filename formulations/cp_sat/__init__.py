"""cp-sat: the polytope of formulations.flow_model in OR-Tools' CP-SAT.

One Boolean per variable and value, one per arc of every edge's network, every constraint linear; each
level of the words is a layer of the networks, so that the hierarchy is in the model.
CP-SAT computes in exact integers: its claims rest on no tolerance.

The alternative, measured and dropped, has a Boolean per layer, level and letter, a one-hot count of the growing
letters above, and a Boolean for every product of two letters and a count that has a cost. It is smaller, but its
linear relaxation is next to worthless: what branching does not find soon, it does not find. Seconds to a proof,
building included, median of three (ortools 9.15, 2 workers on 2 busy cores; `>`: stopped, with the bound's share
of the optimum):

| instance, H = 4 unless said | arcs | flow, as here | flow, with presolve | Booleans by level |
| --- | --- | --- | --- | --- |
| the ten networks of the paper, 3 accountings | 384-2304 | 0.02-0.30 | 0.03-0.37 | 0.01-0.98 |
| vgg-e, `published` | 2304 | 0.30 | 0.34 | 0.98 |
| vgg-e, {d, m, o}, H = 3, `receiver` | 8748 | 0.90 | 2.5 | 0.33 |
| resnet-18 | 4608 | 0.42 | 1.4 | > 60 (13 %) |
| resnet-50 | 10880 | 0.84 | 2.6 | > 60 (10 %) |
| vgg-e, H = 6 | 13824 | 2.2 | 4.8 | > 60 (3 %) |

So this file has the flow, with CP-SAT's presolve switched off: the model is tight as it is, and presolve takes
longer than the search that follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model import ENCODING
from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import FrontSolution, Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True)
class CpSat:
    """One-hot values and Boolean flows, in CP-SAT."""

    name: ClassVar[str] = "cp-sat"
    summary: ClassVar[str] = "constraint programming with clause learning (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        capacities=True,
        pairwise_capacities=True,
        warm_start=True,
        encoding=ENCODING,
        packages=("ortools",),
        spreads=True,
        rank=50,
        default_for={"network": 2, "strategy-graph": 2, "front": 2},
        vouches_for={"network": 2, "strategy-graph": 4},
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept what can be built in reasonable time and whose costs fit 64 bits."""
        from formulations.cp_sat.model import MAX_SUM
        from formulations.flow_model.network import arc_count, too_many_arcs
        from formulations.flow_model.polytope import span

        large = too_many_arcs(graph)
        if large is not None:
            return large
        arcs = sum(arc_count(cost) for cost in graph.edge_costs.values())
        values = sum(variable.size for variable in graph.variables)
        if span(graph) * (arcs + values) >= MAX_SUM:
            return "the costs, divided by their common divisor, do not fit 64 bits; try joint-dp"
        return clash("ortools", "highspy")

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Draw up the polytope, encode it, search, and recompute what was found.

        Raises
        ------
        Refusal
            If the usages of a capacity sum to more than 64 bits hold, which only the polytope shows.
        """
        from formulations.cp_sat.model import build, check_rows
        from formulations.cp_sat.search import search
        from formulations.flow_model.finish import SolverAnswer, conclude, settled
        from formulations.flow_model.polytope import Polytope
        from hypar_opt.formulation.incumbent import Incumbent

        best = Incumbent.of(graph, run)
        run.phase("building the model")
        polytope = Polytope.of(graph)
        check_rows(self.name, polytope)
        answer = settled(polytope, best)
        if answer is None and run.limits.over:
            answer = SolverAnswer(Status.NO_SOLUTION, "stopped before the search")
        if answer is None:
            built = build(polytope)
            run.phase("searching")
            answer = search(built, polytope, best, run)
        return conclude(polytope, best, answer)

    def accepts_front(self, graphs: Sequence[CostGraph], run: Run) -> str | None:
        """Accept what `accepts` would, of up to three criteria."""
        from formulations.fronts import declined

        return declined(graphs) or clash("ortools", "highspy")

    def front(self, graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
        """Enumerate the front by epsilon-constraints."""
        from formulations.fronts import front_of

        return front_of(graphs, run)


FORMULATION = CpSat()
