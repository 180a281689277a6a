"""joint-dp: the exact dynamic programme over all levels at once.

On a chain it is the two-pass shortest path of HyPar's Algorithm 1 with whole strategies as states,

    M_1 = u_1,    M_(l+1)[q] = u_(l+1)[q] + min over s of M_l[s] + c_l[s, q],

whose min-plus product is factored level by level (hypar_opt.costgraph.minplus): O(L H k^H) time, one
message of k^H numbers a layer, and the plan read off backwards. On any other graph it is variable
elimination along a min-fill order: the message of a variable depends on its neighbours at the time,
and of those one at most needs no dense table. Exact integers throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.joint_dp.buckets import Buckets, decode, downward, potentials, upward
from formulations.joint_dp.elimination import message_cells, peak_bytes
from hypar_opt.formulation import Capabilities
from hypar_opt.plan import Solution, Status
from hypar_opt.run import GIB, Run, Stopped

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, CostGraph


@dataclass(frozen=True)
class JointDP:
    """Variable elimination with the factored min-plus product."""

    name: ClassVar[str] = "joint-dp"
    summary: ClassVar[str] = "exact dynamic programme over all levels at once"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=True, certifies=True, encoding="elimination")

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Return None if the tables fit the memory limit."""
        steps = Buckets.of(graph).steps
        need, have = peak_bytes(graph, steps), run.limits.memory_bytes
        if need <= have:
            return None
        largest = max(message_cells(steps, [variable.size for variable in graph.variables]), default=1)
        return (
            f"its tables need about {need / GIB:.3g} GiB (the largest has {largest:,} entries) and the memory "
            f"limit is {have / GIB:.3g} GiB; try a higher --memory-limit, fewer levels, or cp-sat"
        )

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Eliminate, then decode."""
        buckets = Buckets.of(graph, run.limits.workers)
        run.phase(f"eliminating {len(buckets.steps)} layers")
        try:
            messages, children = upward(buckets, run)
            value = sum(int(message.values) for message in messages.values() if not message.scope)
            if value >= graph.forbidden:
                return Solution(Status.INFEASIBLE, native_status="no allowed assignment")
            choices = tuple(decode(buckets, messages, children, run))
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped before the last layer")
        run.incumbent(value, choices)
        if run.proof is not None:
            run.proof(potentials(buckets, messages))
        cells = message_cells(buckets.steps, buckets.sizes)
        facts = {
            "largest_message": max(cells, default=1),
            "width": max((len(x.scope) for x in buckets.steps), default=0),
        }
        return Solution(Status.OPTIMAL, choices, value, "dynamic programme complete", statistics=facts)

    def min_marginals(self, graph: CostGraph, run: Run) -> tuple[Array, ...]:
        """Return for every variable and value the least cost of an assignment that has it."""
        buckets = Buckets.of(graph, run.limits.workers)
        return downward(buckets, *upward(buckets, run), run)


FORMULATION = JointDP()
