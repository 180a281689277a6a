"""brute-force: every assignment in one table, the reference for tests.

    min over (x_1, ..., x_n) of sum over v of u_v[x_v] + sum over edges of c_vw[x_v, x_w]

subject to every variable's mask and to every capacity, all entries computed, none skipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hypar_opt.formulation import Capabilities
from hypar_opt.plan import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.run import Run

MAX_ASSIGNMENTS = 2**24
MAX_VARIABLES = 60
"""An axis each; NumPy's arrays have at most 64."""


@dataclass(frozen=True)
class BruteForce:
    """The table of all assignments."""

    name: ClassVar[str] = "brute-force"
    summary: ClassVar[str] = "every assignment; small problems only"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=True, capacities=True, encoding="table")

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
        total = np.zeros(tuple(variable.size for variable in graph.variables), dtype=graph.dtype)
        for variable, cost in enumerate(graph.unary_costs):
            total += _along(cost.dense(graph.dtype), graph, variable)
        for (first, second), edge in graph.edge_costs.items():
            total += _along(edge.dense(graph.dtype), graph, first, second)
            if run.limits.over:
                return Solution(Status.NO_SOLUTION, native_status="stopped before the table was full")
        total = np.where(_allowed(graph), total, graph.forbidden)
        choices = tuple(int(x) for x in np.unravel_index(int(np.argmin(total)), total.shape))
        value = int(total[choices])
        if value >= graph.forbidden:
            return Solution(Status.INFEASIBLE, native_status="no allowed assignment")
        run.incumbent(value, choices)
        return Solution(Status.OPTIMAL, choices, value, "all assignments seen", statistics={"assignments": total.size})


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
        used = sum(_along(use.dense(object), graph, i) for i, use in capacity.usages.items())
        allowed = allowed & np.asarray(used <= capacity.limit, dtype=np.bool_)
    return allowed


FORMULATION = BruteForce()
