"""Least time, exactly: of gatherings and reductions by intervals, where all sends take equally long by steps.

An all-reduce adds up first and gathers then, either in the least time, and each send goes as soon as it can, or it is
the best of all constructions if that takes less; that there is no better is known where that meets the bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from formulations.collective.constructions import best_constructed
from formulations.collective.finish import KINDS, shown
from formulations.collective.halves import moves_by
from formulations.collective.intervals import equal_duration, in_steps, in_units, schedule_before
from formulations.collective.starts import best_start
from formulations.collective.timing import until
from hypar_opt.costgraph.collective import read_moves, value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run

Route = tuple[int, ...]
_NOTE: Final = "of schedules that first add up and then gather, or constructed ones; others are not searched"


@dataclass(frozen=True)
class Search:
    """What is known of a gathering after a search for its best schedule.

    Parameters
    ----------
    moves
        The best, or None.
    bound
        What none is below.
    native
        What the search ended with.
    """

    moves: list[Move] | None
    bound: int
    native: str


def concluded_in_time(
    graph: CollectiveGraph,
    ways: Sequence[Route],
    run: Run,
    fewest: Callable[[CollectiveGraph, Sequence[Route], Run], Search],
) -> Solution:
    """Return the Solution of a search for the least time.

    Parameters
    ----------
    ways
        All from accelerator to accelerator.
    fewest
        Searches the fewest steps of a gathering.
    """
    least = lower_bound(graph)
    run.bound(least.value)
    searches: list[Search] = []

    def gather(gathering: CollectiveGraph) -> list[Move] | None:
        turned = set(gathering.links) != set(graph.links)
        own = sorted(route[::-1] for route in ways) if turned else ways
        duration = equal_duration(gathering, own)
        if duration is None:
            searches.append(_soonest(gathering, own, run))
        else:
            found = fewest(in_steps(gathering), own, run)
            moves = None if found.moves is None else in_units(found.moves, duration)
            searches.append(Search(moves, found.bound * duration, found.native))
        return searches[-1].moves

    moves = moves_by(graph, gather)
    halves = graph.summed and not graph.reducing
    bound = max([least.value, *(one.bound for one in searches if not halves)])
    native = f"bound: {KINDS[least.kind]}" if bound == least.value else searches[-1].native
    if moves is None:
        return Solution(Status.NO_SOLUTION, None, bound, searches[-1].native, statistics=shown(least))
    choices, by = written(moves), ""
    if halves and value_of(graph, choices) > bound:
        better, by = best_constructed(graph, choices, run)
        choices = better or choices
    native = f"{by}; {native}" if by else native
    value = value_of(graph, choices)
    run.incumbent(value, choices)
    status = Status.OPTIMAL if value == bound else Status.FEASIBLE
    note = _NOTE if halves and value > bound else ""
    statistics = shown(least) if bound == least.value else {}
    return Solution(status, choices, bound, native, note, statistics)


def _soonest(graph: CollectiveGraph, ways: Sequence[Route], run: Run) -> Search:
    """Search a gathering's schedules by intervals, better than what constructions find."""
    bound, best = lower_bound(graph).value, best_start(graph, ways, run)
    if best is None or until(best) == bound or run.limits.over:
        return Search(best, bound, "a construction meets the bound" if best else "stopped before the search")
    better, by = best_constructed(graph, written(best), run)
    best = read_moves(better) if by and better is not None else best
    if until(best) == bound or run.limits.over:
        return Search(best, bound, by or "stopped before the search")
    run.phase("searching schedules in time")
    found = schedule_before(graph, ways, bound, until(best), run)
    return Search(found.moves or best, found.bound, f"intervals on links: {found.status}, by CP-SAT")
