"""joint-dp: the exact dynamic programme over all levels at once.

On a chain it is the two-pass shortest path of HyPar's Algorithm 1 with whole strategies as states,

    M_1 = u_1,    M_(l+1)[q] = u_(l+1)[q] + min over s of M_l[s] + c_l[s, q],

whose min-plus product is factored level by level (hypar_opt.costgraph.minplus): O(L H k^H) time, one
message of k^H numbers a layer, and the plan read off backwards. On any other graph it is variable
elimination along a min-fill order: the message of a variable depends on its neighbours at the time,
and of those one at most needs no dense table. Exact integers throughout.

Blocks of variables that are alike, one after the other, are eliminated until they repeat themselves (`folding`).

Capacities couple all layers. Where the plan that is best without them is within them, it is the answer; else, on graphs
without cycles or with blocks, labels of costs and usages take the place of costs (formulations.label_setting). Labels
of two criteria and more enumerate Pareto fronts, under capacities, too, on graphs with cycles along the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.joint_dp.best import best_assignment, order_by_blocks
from formulations.joint_dp.buckets import Buckets, downward, upward
from formulations.joint_dp.elimination import BYTES_PER_CELL, is_forest, message_cells, peak_bytes
from formulations.joint_dp.folded_marginals import folded_marginals
from formulations.joint_dp.folding import Folding
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import GIB, Run, Stopped
from hypar_opt.formulation.solution import FrontSolution, Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, CostGraph

CYCLES = (
    "the plan that is best without capacities exceeds one, and under capacities only graphs without cycles are solved"
)
"""Or with blocks that repeat; that is not said where there are none."""


@dataclass(frozen=True)
class JointDP:
    """Variable elimination with the factored min-plus product."""

    name: ClassVar[str] = "joint-dp"
    summary: ClassVar[str] = "exact dynamic programme over all levels at once"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        capacities=True,
        pairwise_capacities=True,
        certifies=True,
        encoding="elimination",
        rank=20,
        default_for={"network": 1, "front": 1},
        vouches_for={},
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Return None if the tables fit the memory limit, and so do labels where capacities need them.

        Graphs with cycles are taken under capacities that are not slack where blocks of theirs repeat.
        """
        reason = _too_large(graph, run)
        if reason is None and graph.capacities and not is_forest(graph) and not _fits_anyway(graph, run):
            return _too_many_states([graph], run) if graph.repeats else f"{CYCLES}; try cp-sat or milp-highs"
        return reason

    def accepts_front(self, graphs: Sequence[CostGraph], run: Run) -> str | None:
        """Return None if the tables fit the memory limit."""
        reasons = (*(_too_large(graph, run) for graph in graphs), _too_many_states(graphs, run))
        return next((reason for reason in reasons if reason is not None), None)

    def front(self, graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
        """Enumerate the front by labels."""
        from formulations.label_setting.fronts import front_of

        return front_of(graphs, run)

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Eliminate, then decode; turn to labels if a capacity is exceeded."""
        from formulations.label_setting.capacities import cheapest

        run.phase(f"eliminating {len(graph.variables)} layers")
        try:
            found = best_assignment(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped before the last layer")
        if found is None:
            return Solution(Status.INFEASIBLE, native_status="no allowed assignment")
        value, choices = found.value, found.choices
        if not graph.feasible(choices):
            run.bound(value)
            is_taken = graph.repeats or is_forest(graph)
            return cheapest(graph, run) if is_taken else Solution(Status.NO_SOLUTION, None, value, CYCLES)
        run.incumbent(value, choices)
        if run.proof is not None:
            run.proof(found.potentials)
        return Solution(Status.OPTIMAL, choices, value, "dynamic programme complete", statistics=found.facts)

    def min_marginals(self, graph: CostGraph, run: Run) -> tuple[Array, ...]:
        """Return for every variable and value the least cost of an assignment that has it."""
        order = order_by_blocks(graph, run)
        if order is not None:
            return folded_marginals(Folding.of(graph, order, run))
        buckets = Buckets.of(graph, run.limits.workers)
        return downward(buckets, *upward(buckets, run), run)


def _too_large(graph: CostGraph, run: Run) -> str | None:
    """Return why the tables do not fit the memory limit, or None."""
    if order_by_blocks(graph, run) is not None:
        return None
    steps = Buckets.of(graph).steps
    need, have = peak_bytes(graph, steps), run.limits.memory_bytes
    if need <= have:
        return None
    largest = max(message_cells(steps, [variable.size for variable in graph.variables]), default=1)
    return (
        f"its tables need about {need / GIB:.3g} GiB (the largest has {largest:,} entries) and the memory "
        f"limit is {have / GIB:.3g} GiB; try a higher --memory-limit, fewer levels, or cp-sat"
    )


def _too_many_states(graphs: Sequence[CostGraph], run: Run) -> str | None:
    """Return why labels by the values of several variables do not fit the memory limit, or None."""
    from formulations.label_setting.clusters import WORK, states

    if is_forest(graphs[0]):
        return None
    most, total = states(graphs[0])
    cell = max(BYTES_PER_CELL[graph.dtype is not object] for graph in graphs)
    need, have = WORK * 8 * most + total * cell * (len(graphs) + len(graphs[0].capacities)), run.limits.memory_bytes
    if need <= have:
        return None
    return (
        f"its labels are by the values of several variables, up to {most:,} combinations, which need about "
        f"{need / GIB:.3g} GiB and the memory limit is {have / GIB:.3g} GiB; try a higher --memory-limit, fewer "
        "levels, or cp-sat"
    )


def _fits_anyway(graph: CostGraph, run: Run) -> bool:
    """Return whether the best assignment without capacities is within them, or there is none; True at a limit."""
    try:
        found = best_assignment(graph, run)
    except Stopped:
        return True
    return found is None or graph.feasible(found.choices)


FORMULATION = JointDP()
