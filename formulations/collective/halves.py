"""From a search for gatherings to schedules of any collective: reductions are mirrors, an all-reduce is both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from formulations.collective.timing import as_soon_as_possible, in_given_steps
from hypar_opt.costgraph.collective.mirror import gathering_of, mirrored, reversed_moves

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.collective import CollectiveGraph, Move

Gather: TypeAlias = "Callable[[CollectiveGraph], list[Move] | None]"
"""From a gathering, whose chunks have one source each, to sends in synchronous steps; None where it finds none."""


def moves_by(graph: CollectiveGraph, gather: Gather) -> list[Move] | None:
    """Return a schedule that is put together of gatherings; None where none was found."""
    found = _in_steps(graph, gather)
    return as_soon_as_possible(graph, found) if found is not None and graph.goal == "time" else found


def constructed(graph: CollectiveGraph, gather: Gather) -> list[Move] | None:
    """Return the same of a construction that knows nothing of rounds: in so many steps, where these are given."""

    def fitted(gathering: CollectiveGraph) -> list[Move] | None:
        found = _useful(gathering, gather)
        if found is None or gathering.steps is None:
            return found
        return in_given_steps(gathering, found, gathering.steps)

    return moves_by(graph, fitted)


def _in_steps(graph: CollectiveGraph, gather: Gather) -> list[Move] | None:
    if not graph.summed:
        return _useful(graph, gather)
    if graph.reducing:
        found = _useful(mirrored(graph), gather)
        return None if found is None else reversed_moves(found, _last(found), adds=True)
    turned = mirrored(graph).links
    half = replace(gathering_of(graph), steps=None if graph.steps is None else graph.steps // 2)
    spread = _useful(half, gather)
    same = set(turned) == set(graph.links)
    gathered = spread if same else _useful(replace(half, links=turned), gather)
    if spread is None or gathered is None:
        return None
    until = _last(gathered)
    later = [one._replace(begin=one.begin + until, end=one.end + until) for one in spread]
    return [*reversed_moves(gathered, until, adds=True), *later]


def _useful(graph: CollectiveGraph, gather: Gather) -> list[Move] | None:
    """Return the sends of a gathering without those to accelerators that neither have to have the chunk nor pass it on.

    In the mirror such an accelerator would have nothing to send.
    """
    moves = gather(graph)
    if moves is None:
        return None
    wanted = [set(demand.targets) for demand in graph.demands]
    found = []
    for one in sorted(moves, reverse=True):
        if one.route[-1] in wanted[one.chunk]:
            wanted[one.chunk].add(one.route[0])
            found.append(one)
    return found[::-1]


def _last(moves: list[Move]) -> int:
    return max((one.end for one in moves), default=0)
