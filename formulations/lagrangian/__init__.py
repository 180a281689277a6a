"""lagrangian: prices for memory, messages for edges; plans from both, and a bound.

    max over prices p >= 0 and messages of the bound in `hypar_opt.costgraph.duals`

is ascended by message passing with soft leasts, whose shares say how prices are to move, while the smoothing falls.
What hard passes choose nearly fits, and is repaired by raising the prices of violated rows only. From there plans are
found by dives, which give values to the most connected variables first while the dual goes on, and by annealing in
rounds: again and again a random induced forest is settled by dynamic programming on costs, prices and noise, which
falls, and the prices move on. The best plan of a round is made better by exact moves of small trees that still fit, and
the best ones of all by `formulations.neighbourhood_search`. Where there is a deadline and a second thread, that divides
what the dual leaves open (`search_tree`).

Every plan is checked in exact integers before it is told, and so is every bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import UNCERTIFIED, Solution, Status, beyond

if TYPE_CHECKING:
    from formulations.lagrangian.parts import Parts
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

PASSES, SWEEPS, ROUNDS = 400, 1000, 5
"""Of the dual; of a round of annealing, at first; and rounds where there is no deadline."""
MOST_COSTS = 4_000_000
"""Of values and pairs of values that are written down where a graph has no tables; those of words grow fast."""


@dataclass(frozen=True)
class Lagrangian:
    """The decomposition; ends at a deadline, when nothing better can be, or by its numbers of steps.

    Parameters
    ----------
    passes, sweeps, rounds
        Of the dual, of a round of annealing, and how many of those there are without a deadline. Then the same
        numbers and the same seed give the same plan; by the clock it depends on the machine.
    """

    passes: int = PASSES
    sweeps: int = SWEEPS
    rounds: int = ROUNDS
    name: ClassVar[str] = "lagrangian"
    summary: ClassVar[str] = "prices for memory and messages for edges: plans by dives and annealing, and a bound"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False,
        capacities=True,
        warm_start=True,
        prices=True,
        encoding="lagrangian",
        packages=("numba",),
        rank=190,
        vouches_for={"strategy-graph": 5},
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept what tables hold."""
        if graph.ceiling is None:
            costs = sum(one.size for one in graph.variables) + sum(prod(one.shape) for one in graph.edge_costs.values())
            if costs > MOST_COSTS:
                return f"its tables would have {costs:,} costs, its limit is {MOST_COSTS:,}; try joint-dp"
        try:
            graph.tables  # noqa: B018 - kept where it succeeds
        except ValueError as reason:
            return f"{reason}; try joint-dp"
        return None

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Search, and say what is proven."""
        from formulations.lagrangian.parts import Parts

        run = run if graph.ceiling is not None else replace(run, proof=None)
        parts = Parts(graph.tables, run, self.passes, self.sweeps, self.rounds)
        parts.search()
        if run.proof is not None:
            run.proof(parts.bounds.duals)
        return concluded(parts)


def concluded(parts: Parts) -> Solution:
    """Return what a search has proven."""
    from formulations.lagrangian.bounds import EXACT

    best, bounds, tree, facts = parts.incumbent, parts.bounds, parts.tree, parts.facts
    value = best.value
    if bounds.refutation is not None and value is None:
        note = f"{EXACT}, {UNCERTIFIED}" if tree.exhausted and tree.branched else ""
        return Solution(Status.INFEASIBLE, native_status=bounds.refutation, note=note, statistics=facts)
    if value is not None and value <= bounds.value:
        return Solution(Status.OPTIMAL, best.choices, value, "the bound is met", statistics=facts)
    if value is not None:
        facts["certified_gap"] = value - bounds.value
    if tree.exhausted and value is not None:
        native = f"nothing is open after {tree.branched} divisions"
        return Solution(Status.OPTIMAL, best.choices, value, native, beyond(bounds.value, value, EXACT), facts)
    status = Status.NO_SOLUTION if value is None else Status.FEASIBLE
    native = "no plan that fits was found" if value is None else "the best of its plans"
    return Solution(status, best.choices, tree.bound, native, beyond(bounds.value, tree.bound, EXACT), facts)


FORMULATION = Lagrangian()
