"""The best that is constructed, where chunks may be joined to messages and schedules of these are not searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from formulations.collective.constructions import best_constructed
from formulations.collective.expanded import routes
from formulations.collective.finish import concluded
from formulations.collective.halves import moves_by
from formulations.collective.starts import best_start
from hypar_opt.costgraph.collective import read_moves
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution

LARGE: Final = ("shifted-trees", "shifted-paths", "link-matching", "recursive-doubling", "rabenseifner")
"""Who is asked of large collectives: some with few messages, some with few bytes, none that searches for cycles."""


def concluded_joined(graph: CollectiveGraph, run: Run) -> Solution:
    """Return the best Solution of constructions, with few messages or with few bytes."""
    chunkwise = moves_by(graph, lambda half: best_start(half, routes(half) or [], run))
    found = concluded(graph, run, chunkwise, "chunk by chunk")
    choices, by = best_constructed(graph, found.choices, run, anyway=LARGE)
    if by and choices is not None:
        found = concluded(graph, run, read_moves(choices), by)
    if found.status is Status.OPTIMAL:
        return found
    return replace(found, note="schedules with messages of several chunks are not searched")
