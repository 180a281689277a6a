"""The best assignment without capacities, found by blocks where there are some."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from formulations.joint_dp.buckets import EliminationResult
from formulations.joint_dp.elimination import min_fill
from formulations.joint_dp.folding import FoldingResult
from formulations.joint_dp.segments import SegmentOrder

if TYPE_CHECKING:
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

SMALL = 2**20
"""Cells of a table in work; where blocks need no more, it is not looked whether another order needs less."""


def order_by_blocks(graph: CostGraph, run: Run) -> SegmentOrder | None:
    """Return the order by blocks where there are blocks that are alike, and their tables are no obstacle."""
    if not graph.repeats:
        return None
    order = graph.once(SegmentOrder, lambda: SegmentOrder.of(graph))
    if order is None or order.peak_bytes(graph) > run.limits.memory_bytes:
        return None
    sizes = [variable.size for variable in graph.variables]
    largest = order.largest(sizes)
    if largest <= SMALL:
        return order
    usual = max((prod(sizes[x] for x in (*step.scope, step.variable)) for step in min_fill(graph)), default=1)
    return order if largest <= usual else None


def best_assignment(graph: CostGraph, run: Run) -> EliminationResult | FoldingResult | None:
    """Return the best assignment without capacities, by blocks where there are some; None if none is allowed.

    Raises
    ------
    Stopped
        If a limit is hit before the last variable.
    """
    order = order_by_blocks(graph, run)
    return EliminationResult.of(graph, run) if order is None else FoldingResult.of(graph, order, run)
