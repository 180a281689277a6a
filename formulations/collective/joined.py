"""The best that is constructed, where chunks may be joined to messages and schedules of these are not searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from formulations.collective import matching, rabenseifner, recursive_doubling, shifted, shifted_paths
from formulations.collective.expanded import routes
from formulations.collective.finish import concluded
from formulations.collective.halves import moves_by
from formulations.collective.starts import best_start
from hypar_opt.costgraph.collective import value_of
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

_CONSTRUCTIONS: tuple[Formulation, ...] = (
    shifted.FORMULATION,
    shifted_paths.FORMULATION,
    matching.FORMULATION,
    recursive_doubling.FORMULATION,
    rabenseifner.FORMULATION,
)


def best_constructed(graph: CollectiveGraph, run: Run) -> Solution:
    """Return the best Solution of constructions with few messages and of those with few bytes."""
    best = concluded(
        graph, run, moves_by(graph, lambda half: best_start(half, routes(half) or [], run)), "chunk by chunk"
    )
    for one in _CONSTRUCTIONS:
        if run.limits.over or best.status is Status.OPTIMAL:
            break
        if one.accepts(graph, run) is None:
            found = one.solve(graph, run)
            if found.choices is not None and (
                best.choices is None or value_of(graph, found.choices) < value_of(graph, best.choices)
            ):
                best = replace(found, native_status=f"{one.name}: {found.native_status}")
    if best.status is Status.OPTIMAL:
        return best
    return replace(best, note="schedules with messages of several chunks are not searched")
