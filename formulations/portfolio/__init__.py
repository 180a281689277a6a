"""portfolio: the exact mixed-integer programme and the decomposition side by side, on a graph that comes from tables.

`milp-highs` closes graphs of which presolve leaves little; `lagrangian` finds good plans and bounds of any. Where there
are at most `members.MOST` values and pairs at the start, `branch-and-bound` takes its place: it divides what the bound
leaves open before it dives, and proves graphs of few variables with large tables, on which the programme is slow.
Each is told what the other has found (`exchange`): plans are starts and cutoffs, and the prices of the better bound say
what of the graph a better plan can have at all. The run ends when the best bound reaches the best plan, or a member
says that it has a proof.

How cores are shared: what a better plan can have shrinks as plan and bound draw near. As long as it is more than
`members.MOST` values and pairs, or still becomes fewer quickly, the linear programme takes longer than it is worth, and
only a small core near the bound is searched now and then. Then the programme is drawn up and searched. Where there are
more than `MOST` at the start, `lagrangian` has all workers, of which it lends one to the programme as long as that is
searched; else each has half of them. One worker is not shared: the members take turns, the programme first where it is
small from the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.flow_model.waiting import clash
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


@dataclass(frozen=True)
class Portfolio:
    """Two searches that tell each other what they find."""

    name: ClassVar[str] = "portfolio"
    summary: ClassVar[str] = "milp-highs and branch-and-bound or lagrangian side by side"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        needs_tables=True,
        capacities=True,
        warm_start=True,
        prices=True,
        encoding="portfolio",
        packages=("highspy", "numba"),
        rank=180,
        default_for={"strategy-graph": 1},
        vouches_for={"strategy-graph": 1},
        runs=("milp-highs", "branch-and-bound", "lagrangian"),
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept what can be searched beside whatever solvers this process has loaded."""
        return clash("highspy", "ortools")

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Let the members search until one has a proof, both together have one, or the run is over."""
        from formulations.portfolio.exchange import Exchange
        from formulations.portfolio.members import Members

        exchange = Exchange(graph.tables, run)
        members = Members(graph, exchange)
        members.search()
        return exchange.concluded(members.solutions.copy())


FORMULATION = Portfolio()
