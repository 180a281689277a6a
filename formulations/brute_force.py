"""brute-force: every assignment in one table, the reference for tests.

    min over (x_1, ..., x_n) of sum over v of u_v[x_v] + sum over edges of c_vw[x_v, x_w]

subject to every variable's mask and to every capacity, all entries computed, none skipped. A front comes from one such
table a criterion.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import FrontPoint, FrontSolution, Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, CostGraph

MAX_ASSIGNMENTS = 2**24
MAX_VARIABLES = 60
"""An axis each; NumPy's arrays have at most 64."""


@dataclass(frozen=True)
class BruteForce:
    """The table of all assignments."""

    name: ClassVar[str] = "brute-force"
    summary: ClassVar[str] = "every assignment; small problems only"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        capacities=True,
        pairwise_capacities=True,
        encoding="table",
        rank=60,
        vouches_for={"network": 1, "strategy-graph": 3},
    )

    def accepts(self, graph: CostGraph, run: Run) -> str | None:
        """Accept what fits one table."""
        count = prod(variable.size for variable in graph.variables)
        if count > MAX_ASSIGNMENTS:
            return f"about 10^{len(str(count)) - 1} assignments, its limit is {MAX_ASSIGNMENTS:,}; try joint-dp"
        if len(graph.variables) > MAX_VARIABLES:
            return f"{len(graph.variables)} layers, its limit is {MAX_VARIABLES}; try joint-dp"
        return None

    def solve(self, graph: CostGraph, run: Run) -> Solution:
        """Fill the table and take its minimum, the first of several."""
        try:
            total = np.where(_allowed(graph), _table(graph, run), graph.forbidden)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped before the table was full")
        choices = tuple(int(x) for x in np.unravel_index(int(np.argmin(total)), total.shape))
        value = int(total[choices])
        if value >= graph.forbidden:
            return Solution(Status.INFEASIBLE, native_status="no allowed assignment")
        run.incumbent(value, choices)
        return Solution(Status.OPTIMAL, choices, value, "all assignments seen", statistics={"assignments": total.size})

    def accepts_front(self, graphs: Sequence[CostGraph], run: Run) -> str | None:
        """Accept what fits one table a criterion."""
        return self.accepts(graphs[0], run)

    def front(self, graphs: Sequence[CostGraph], run: Run) -> FrontSolution:
        """Fill a table a criterion; then take the first vector in order, drop all that it dominates, and so on."""
        points: list[FrontPoint] = []
        try:
            totals = [_table(graph, run) for graph in graphs]
            allowed = np.broadcast_to(_allowed(graphs[0]), totals[0].shape)
            left, vectors = np.flatnonzero(allowed), [total[allowed] for total in totals]
            order = np.lexsort([np.unique(column, return_inverse=True)[1] for column in reversed(vectors)])
            left, vectors = left[order], [column[order] for column in vectors]
            while len(left):
                run.check()
                values = tuple(int(column[0]) for column in vectors)
                choices = np.unravel_index(int(left[0]), allowed.shape)
                points.append(FrontPoint(values, tuple(int(x) for x in choices)))
                better = np.any([column < value for column, value in zip(vectors, values, strict=True)], axis=0)
                left, vectors = left[better], [column[better] for column in vectors]
        except Stopped:
            return FrontSolution(
                tuple(points), complete=False, native_status="stopped before all assignments were seen"
            )
        facts = {"assignments": allowed.size}
        return FrontSolution(tuple(points), complete=True, native_status="all assignments seen", statistics=facts)


def _table(graph: CostGraph, run: Run) -> Array:
    """Return what every assignment costs."""
    total = np.zeros(tuple(variable.size for variable in graph.variables), dtype=graph.dtype)
    for variable, cost in enumerate(graph.unary_costs):
        total += _along(cost.dense(graph.dtype), graph, variable)
    for (first, second), edge in graph.edge_costs.items():
        total += _along(edge.dense(graph.dtype), graph, first, second)
        run.check()
    return total


def _along(values: Array, graph: CostGraph, *axes: int) -> Array:
    """Lay a cost along the axes of its variables (in ascending order)."""
    return values.reshape([variable.size if i in axes else 1 for i, variable in enumerate(graph.variables)])


def _allowed(graph: CostGraph) -> Array:
    """Which assignments every mask and every capacity allows."""
    allowed = np.ones([1] * len(graph.variables), dtype=np.bool_)
    for i, variable in enumerate(graph.variables):
        if variable.mask is not None:
            allowed = allowed & _along(variable.mask, graph, i)
    for capacity in graph.capacities:
        used = [_along(use.dense(object), graph, i) for i, use in capacity.usages.items()]
        used += [_along(use.dense(object), graph, *pair) for pair, use in capacity.pairs.items()]
        allowed = allowed & np.asarray(sum(used) <= capacity.limit, dtype=np.bool_)
    return allowed


FORMULATION = BruteForce()
