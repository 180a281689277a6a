"""From a search for gatherings to schedules of any collective: reductions are mirrors, an all-reduce is both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from formulations.collective.given_steps import in_given_steps
from formulations.collective.timing import as_soon_as_possible, step_by_step
from hypar_opt.costgraph.collective import Demand
from hypar_opt.costgraph.collective.mirror import gathering_of, mirrored, reversed_moves

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move

Gather: TypeAlias = "Callable[[CollectiveGraph], list[Move] | None]"
"""From a gathering, whose chunks have one source each, to sends in synchronous steps; None where it finds none."""


def moves_by(graph: CollectiveGraph, gather: Gather, owners: Sequence[int] | None = None) -> list[Move] | None:
    """Return a schedule that is put together of gatherings; None where none was found.

    Parameters
    ----------
    owners
        Of an all-reduce, by chunk who adds it up and passes it on; without it, where the chunk of its number begins.
    """
    found = _in_steps(graph, gather, owners, None)
    return as_soon_as_possible(graph, found) if found is not None and graph.goal == "time" else found


def constructed(graph: CollectiveGraph, gather: Gather) -> list[Move] | None:
    """Return the same of a construction that knows nothing of rounds: in so many steps, where these are given."""

    def fitted(gathering: CollectiveGraph) -> list[Move] | None:
        return _fitted(gathering, _useful(gathering, gather))

    return moves_by(graph, fitted)


def staged(
    graph: CollectiveGraph, gather: Gather, owners: Sequence[int] | None = None, adding: Gather | None = None
) -> list[Move] | None:
    """Return the same of a construction in stages, in which a link may carry any number of chunks.

    In synchronous steps these are spread over as many as they need.

    Parameters
    ----------
    adding
        Of an all-reduce whose chunks follow each other, what the first half is the mirror of: the last chunk first, so
        that in the mirror it is the last. So what is added up first is passed on first.
    """

    def fitted(gathering: CollectiveGraph, by: Gather = gather) -> list[Move] | None:
        found = _fitted(gathering, _useful(gathering, by))
        return found if found is None or graph.goal != "steps" else step_by_step(gathering, found)

    moves = _in_steps(graph, fitted, owners, None if adding is None else lambda one: fitted(one, adding))
    if moves is None or graph.goal == "rounds":
        return moves
    # what is passed on need not wait until all is added up
    return as_soon_as_possible(graph, moves) if graph.goal == "time" else step_by_step(graph, moves)


def _fitted(gathering: CollectiveGraph, moves: list[Move] | None) -> list[Move] | None:
    return moves if moves is None or gathering.steps is None else in_given_steps(gathering, moves, gathering.steps)


def _in_steps(
    graph: CollectiveGraph, gather: Gather, owners: Sequence[int] | None, adding: Gather | None
) -> list[Move] | None:
    if not graph.summed:
        return _useful(graph, gather)
    if graph.reducing:
        found = _useful(mirrored(graph), gather)
        return None if found is None else reversed_moves(found, _last(found), adds=True)
    turned = mirrored(graph).links
    whole = gathering_of(graph) if owners is None else _owned(graph, owners)
    half = replace(whole, steps=None if graph.steps is None else graph.steps // 2)
    spread = _useful(half, gather)
    same = adding is None and set(turned) == set(graph.links)
    gathered = spread if same else _useful(replace(half, links=turned), adding or gather)
    if spread is None or gathered is None:
        return None
    until = _last(gathered)
    added = reversed_moves(gathered, until, adds=True)
    later = [one._replace(begin=one.begin + until, end=one.end + until) for one in spread]
    return [*added, *later]


def _owned(graph: CollectiveGraph, owners: Sequence[int]) -> CollectiveGraph:
    """Return what every chunk of an all-reduce is after it has been summed up by its owner."""
    demands = [Demand((owner,), one.targets) for one, owner in zip(graph.demands, owners, strict=True)]
    return replace(graph, demands=tuple(demands))


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
