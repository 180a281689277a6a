"""branch-and-bound: the bound of messages and prices, and a search that divides what it leaves open.

The root is the dual ascent of `formulations.lagrangian`. What is left of a problem under its bound and the best plan
(values that can't fit beside the least of the others, values and pairs too far above the bound) is divided in two, and
either half ascends from the prices and messages of the whole: a few passes are enough. Where memory is what keeps the
bound low, halves are the values of a variable that take much of it and those that take little, so that a few divisions
leave nothing to pay for; where the edges are, a value of a variable that has few left, and all others (`splits`).
Several divisions are tried, and the one is kept of which both halves' bounds rise.

Every half that is left out was bounded in exact integers from messages and prices of its own, and so were the values
and pairs. There is no certificate of the whole tree: what one proves is the bound of its root.

(Land and Doig, An Automatic Method of Solving Discrete Programming Problems, 1960; strong branching as in Achterberg,
Koch and Martin, Branching Rules Revisited, 2005; reduced costs of messages as in Cooper et al., Soft Arc Consistency
Revisited, 2010.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.lagrangian import concluded
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

PASSES = 400
"""Of the root's ascent, where there is no deadline; and sweeps and rounds of annealing, which then is not begun."""
ROOT, TREE = 0.3, 0.5
"""Their shares, each of the time that is left when it begins; what then is left is for the search of `lagrangian`."""


@dataclass(frozen=True)
class BranchAndBound:
    """The search; without a deadline it goes on until there is a proof."""

    name: ClassVar[str] = "branch-and-bound"
    summary: ClassVar[str] = "bounds by message passing and prices for memory, and a tree of what they leave open"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        needs_tables=True,
        capacities=True,
        warm_start=True,
        prices=True,
        encoding="branch-and-bound",
        packages=("numba",),
        rank=185,
        vouches_for={"strategy-graph": 4},
        runs=("lagrangian",),
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept whatever comes from tables."""
        return None

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Ascend, branch, and go on as `lagrangian` in what is left of the time."""
        from formulations.lagrangian.dual import Dual
        from formulations.lagrangian.parts import Parts
        from formulations.lagrangian.search import Schedule
        from formulations.lagrangian.search_tree.search import BranchSearch

        parts = Parts(graph.tables, run, PASSES, PASSES, 1, Dual, BranchSearch)
        parts.begin()
        first, tree = parts.searches[0], parts.tree
        if graph.tables.count and not tree.met:
            run.phase("dual ascent")
            left = run.limits.remaining_s()
            first.limits = run.limits if left is None else run.limits.within(ROOT * left)
            first.ascend(parts.dual, Schedule(first.limits, 1.0, PASSES, by_steps=True))
            first.limits = run.limits
            run.phase("branching")
            tree.search(Schedule(run.limits, TREE, 0))
            if not tree.met and not run.limits.over:
                parts.search()
        if run.proof is not None:
            run.proof(parts.bounds.duals)
        return concluded(parts)


FORMULATION = BranchAndBound()
