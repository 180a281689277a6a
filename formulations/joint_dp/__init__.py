"""joint-dp: the exact dynamic programme over all levels at once.

On a chain it is the two-pass shortest path of HyPar's Algorithm 1 with whole strategies as states,

    M_1 = u_1,    M_(l+1)[q] = u_(l+1)[q] + min over s of M_l[s] + c_l[s, q],

whose min-plus product is factored level by level (hypar_opt.costgraph.minplus): O(L H k^H) time, one
message of k^H numbers a layer, and the plan read off backwards. On any other graph it is variable
elimination along a min-fill order: the message of a variable depends on its neighbours at the time,
and of those one at most needs no dense table. Exact integers throughout.

Capacities couple all layers. Where the plan that is best without them is within them, it is the answer; else, on graphs
without cycles, labels of costs and usages take the place of costs (formulations.label_setting). Labels of two criteria
and more enumerate Pareto fronts, under capacities, too, on graphs with cycles along the same elimination order.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, ClassVar

from formulations.joint_dp.buckets import Buckets, EliminationResult, downward, potentials, upward
from formulations.joint_dp.elimination import BYTES_PER_CELL, is_forest, message_cells, min_fill, peak_bytes
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import GIB, Run, Stopped
from hypar_opt.formulation.solution import FrontSolution, Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.joint_dp.folding import FoldingResult
    from formulations.joint_dp.segments import SegmentOrder
    from hypar_opt.costgraph import Array, CostGraph

SMALL = 2**20
"""Cells of a table in work; where blocks need no more, it is not looked whether another order needs less."""
CYCLES = (
    "the plan that is best without capacities exceeds one, and under capacities only graphs without cycles are solved"
)


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
        """Return None if the tables fit the memory limit, and the graph has no cycles or its capacities are slack."""
        reason = _too_large(graph, run)
        if reason is None and graph.capacities and not is_forest(graph) and not _fits_anyway(graph, run):
            return f"{CYCLES}; try cp-sat or milp-highs"
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
            found = _folded(graph, run) or EliminationResult.of(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped before the last layer")
        if found is None:
            return Solution(Status.INFEASIBLE, native_status="no allowed assignment")
        value, choices = found.value, found.choices
        if not graph.feasible(choices):
            run.bound(value)
            return cheapest(graph, run) if is_forest(graph) else Solution(Status.NO_SOLUTION, None, value, CYCLES)
        run.incumbent(value, choices)
        if run.proof is not None and isinstance(found, EliminationResult):
            run.proof(potentials(found.buckets, found.messages))
        return Solution(Status.OPTIMAL, choices, value, "dynamic programme complete", statistics=found.facts)

    def min_marginals(self, graph: CostGraph, run: Run) -> tuple[Array, ...]:
        """Return for every variable and value the least cost of an assignment that has it."""
        buckets = Buckets.of(graph, run.limits.workers)
        return downward(buckets, *upward(buckets, run), run)


def _order(graph: CostGraph, run: Run) -> SegmentOrder | None:
    """Return the order by blocks where there are blocks that are alike, and their tables are no obstacle."""
    if not graph.repeats or run.proof is not None:
        return None
    from formulations.joint_dp.segments import SegmentOrder

    order = SegmentOrder.of(graph)
    if order is None or order.peak_bytes(graph) > run.limits.memory_bytes:
        return None
    sizes = [variable.size for variable in graph.variables]
    largest = order.largest(sizes)
    if largest <= SMALL:
        return order
    usual = max((prod(sizes[x] for x in (*step.scope, step.variable)) for step in min_fill(graph)), default=1)
    return order if largest <= usual else None


def _folded(graph: CostGraph, run: Run) -> FoldingResult | None:
    """Return the best assignment without capacities, found by blocks; None where there are none to be used."""
    order = _order(graph, run)
    if order is None:
        return None
    from formulations.joint_dp.folding import FoldingResult

    return FoldingResult.of(graph, order, run)


def _too_large(graph: CostGraph, run: Run) -> str | None:
    """Return why the tables do not fit the memory limit, or None."""
    if _order(graph, run) is not None:
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
        found = _folded(graph, run) or EliminationResult.of(graph, run)
    except Stopped:
        return True
    return found is None or graph.feasible(found.choices)


FORMULATION = JointDP()
