"""From the sends that a construction finds to a Solution with the bound beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.costgraph.collective import is_schedule, value_of, written
from hypar_opt.costgraph.collective.bandwidth import bandwidth_bound
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.costgraph.collective.pieces import busiest, is_packing, pieces_written, whole_pieces
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.costgraph.collective.bandwidth import BandwidthBound
    from hypar_opt.costgraph.collective.bounds import ScheduleBound
    from hypar_opt.costgraph.collective.pieces import TreePiece
    from hypar_opt.formulation.run import Run

KINDS = {
    "cut": "what has to get through a cut",
    "distance": "a chunk's longest way",
    "messages": "all messages that there have to be",
    "partition": "all messages between the parts of a partition",
    "lengths": "how far all chunks have to get, by lengths of links",
    "late": "what comes late, and then has to get through a cut",
}
"""What shows a bound, in words."""


JOINED: Final = "its flows are of a chunk each, and here chunks may be joined to messages; try rabenseifner"
"""Why searches of all schedules have nothing to say where they are not all."""
MOST_SENDS: Final = 2**21
"""Of constructions that write down each."""


def for_all(graph: CollectiveGraph) -> str | None:
    """Return why a construction by which every chunk gets to, or comes from, several is of no use; or None."""
    if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
        return "by it a chunk gets to several accelerators, and here each goes to one; try collective-cp-sat"
    sends = sum(max(len(one.sources), len(one.targets)) for one in graph.demands)
    if sends > MOST_SENDS:
        return f"it would write down {sends:,} sends, at most {MOST_SENDS:,}; try multitree"
    return None


def concluded(graph: CollectiveGraph, run: Run, moves: Sequence[Move] | None, name: str) -> Solution:
    """Return the Solution of a construction: OPTIMAL where it meets the bound."""
    if graph.goal == "bandwidth":
        return packed(graph, run, None if moves is None else whole_pieces(moves), name)
    bound = lower_bound(graph)
    run.bound(bound.value)
    choices = None if moves is None else written(moves)
    if choices is None or not is_schedule(graph, choices):
        why = "takes more steps than there may be" if graph.goal == "rounds" else "finds no schedule"
        return Solution(Status.NO_SOLUTION, None, bound.value, f"{name} {why}")
    value = value_of(graph, choices)
    run.incumbent(value, choices)
    status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
    return Solution(status, choices, bound.value, f"{name}; bound: {KINDS[bound.kind]}", statistics=shown(bound))


def packed(graph: CollectiveGraph, run: Run, pieces: Sequence[TreePiece] | None, name: str) -> Solution:
    """Return the Solution of trees, by the objective bandwidth."""
    bound = bandwidth_bound(graph)
    run.bound(bound.value)
    choices = None if pieces is None else pieces_written(pieces)
    if choices is None or not is_packing(graph, choices):
        return Solution(Status.NO_SOLUTION, None, bound.value, f"{name} finds no trees")
    value = busiest(graph, choices)
    run.incumbent(value, choices)
    status = Status.OPTIMAL if value == bound.value else Status.FEASIBLE
    return Solution(status, choices, bound.value, f"{name}; bound: {KINDS[bound.kind]}", statistics=shown(bound))


def shown(bound: ScheduleBound | BandwidthBound) -> dict[str, int | float | str]:
    """Return what shows a bound, for a plan's statistics: the nodes of a cut, those outside where they are fewer."""
    parts = getattr(bound, "parts", ())
    if parts:
        return {"bound_by": bound.kind, "bound_parts": " | ".join(" ".join(map(str, part)) for part in parts[:64])}
    return {"bound_by": bound.kind, "bound_nodes": " ".join(map(str, bound.nodes[:64]))} if bound.nodes else {}
