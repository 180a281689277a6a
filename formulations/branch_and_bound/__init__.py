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

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.branch_and_bound.search import BranchSearch
    from formulations.lagrangian.parts import Parts
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

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
        from formulations.branch_and_bound.search import BranchSearch
        from formulations.lagrangian.dual import Dual
        from formulations.lagrangian.parts import Parts
        from formulations.lagrangian.search import Schedule

        parts = Parts(graph.tables, run, PASSES, PASSES, 1, Dual)
        parts.begin()
        tree = BranchSearch(parts)
        if graph.tables.count and not tree.met:
            run.phase("dual ascent")
            left = run.limits.remaining_s()
            first = parts.searches[0]
            first.limits = run.limits if left is None else run.limits.within(ROOT * left)
            first.ascend(parts.dual, Schedule(first.limits, 1.0, PASSES, by_steps=True))
            first.limits = run.limits
            run.phase("branching")
            tree.search(Schedule(run.limits, TREE, 0))
            if not tree.met and not run.limits.over:
                parts.search()
        if run.proof is not None:
            run.proof(parts.bounds.duals)
        return _concluded(parts, tree)


def _concluded(parts: Parts, tree: BranchSearch) -> Solution:
    """Return what is proven."""
    best, bounds, facts = parts.incumbent, parts.bounds, parts.facts | tree.facts
    value = best.value
    if bounds.refutation is not None and value is None:
        return Solution(Status.INFEASIBLE, native_status=bounds.refutation, statistics=facts)
    if value is not None and value <= bounds.value:
        return Solution(Status.OPTIMAL, best.choices, value, "the bound is met", statistics=facts)
    if value is not None:
        facts["certified_gap"] = value - bounds.value
    if tree.exhausted:
        native = f"nothing is open after {tree.branched} divisions"
        if value is None:
            return Solution(Status.INFEASIBLE, native_status=native, note=f"{EXACT}, {UNCERTIFIED}", statistics=facts)
        return Solution(Status.OPTIMAL, best.choices, value, native, beyond(bounds.value, value), facts)
    status = Status.NO_SOLUTION if value is None else Status.FEASIBLE
    native = "no plan that fits was found" if value is None else "the best of its plans"
    return Solution(status, best.choices, tree.bound, native, beyond(bounds.value, tree.bound), facts)


EXACT = "a tree of bounds in exact integers"
UNCERTIFIED = "of which a certificate holds no more than the root"


def beyond(certified: int, bound: int) -> str:
    """Return what a bound rests on beyond that of the root; nothing if nothing."""
    if bound <= certified:
        return ""
    return (
        f"the certified root bound lies {bound - certified} below what is claimed, the rest is {EXACT}, {UNCERTIFIED}"
    )


FORMULATION = BranchAndBound()
