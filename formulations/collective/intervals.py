"""A gathering's schedules in time: sends as intervals on the links of their routes, for CP-SAT.

a[c, n] is when accelerator n has chunk c, x[c, r] whether the chunk takes route r, whose last node takes it in once. A
send is as long as its route needs, so that it is the interval from a[c, n] less that long to a[c, n], on every link of
the route; the intervals of a link do not overlap, and none begins before the chunk is where the route does. The latest
a of those who have to have a chunk is to be least. Nothing is rounded: the unit divides all latencies and transfers.

Where every route takes equally long, d, time may be counted in steps of d: each begin rounded down to a whole number of
them leaves d or more between two sends of a link, and between a chunk's arrival and its leaving.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from formulations.collective.durations import durations, step_of
from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import distances
from hypar_opt.costgraph.collective.replay import least_duration

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

Route = tuple[int, ...]
MOST_SENDS: Final = 20_000
"""Chunks times routes, of a model."""
MOST_UNITS: Final = 2**50
"""Of time, in which CP-SAT still computes."""


def equal_duration(graph: CollectiveGraph, ways: Sequence[Route]) -> int | None:
    """Return what a chunk takes on every route, or None where that differs."""
    found = {least_duration(graph, route) for route in ways}
    return found.pop() if len(found) == 1 else None


def in_steps(graph: CollectiveGraph) -> CollectiveGraph:
    """Return the same collective in synchronous steps, of which a link has one chunk each."""
    links = tuple(replace(link, messages=1) for link in graph.links)
    return replace(graph, links=links, goal="steps", unit=1)


def in_units(moves: Sequence[Move], duration: int) -> list[Move]:
    """Return moves in steps as moves in time."""
    return [one._replace(begin=one.begin * duration, end=one.end * duration) for one in moves]


@dataclass(frozen=True)
class TimeAnswer:
    """What is known of a gathering's schedules in time.

    Parameters
    ----------
    status
        CP-SAT's.
    moves
        The best schedule that was found, or None.
    bound
        That no schedule, of those that were looked for, ends before.
    """

    status: str
    moves: list[Move] | None
    bound: int


def schedule_before(graph: CollectiveGraph, ways: Sequence[Route], least: int, end: int, run: Run) -> TimeAnswer:
    """Search a gathering's schedules that end before a time.

    Parameters
    ----------
    least
        That none ends before.
    end
        The time, in the graph's unit.
    """
    from formulations.cp_sat.search import bound_of, solver_within, watched
    from hypar_opt.formulation.solution import Status

    unit = step_of(graph)
    found = _intervals(graph, ways, unit, -(-least // unit), (end - 1) // unit)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        name = solver.status_name(solver.solve(found.model))
    if name == "INFEASIBLE":
        return TimeAnswer(name, None, end)
    bound = max(least, unit * (bound_of(solver, Status.NO_SOLUTION) or 0))
    if name not in ("OPTIMAL", "FEASIBLE"):
        return TimeAnswer(name, None, bound)
    moves = []
    for (chunk, route), one in found.taken.items():
        if solver.boolean_value(one):
            until = unit * solver.value(found.at[chunk, route[-1]])
            moves.append(Move(until - least_duration(graph, route), until, chunk, route))
    return TimeAnswer(name, moves, bound)


@dataclass(frozen=True)
class _Intervals:
    """The model.

    Parameters
    ----------
    model
        CP-SAT's.
    at
        By chunk and accelerator, when it is there.
    taken
        By chunk and route, whether the chunk takes it.
    """

    model: CpModel
    at: Mapping[tuple[int, int], IntVar]
    taken: Mapping[tuple[int, Route], IntVar]


def _intervals(graph: CollectiveGraph, ways: Sequence[Route], unit: int, least: int, most: int) -> _Intervals:
    """Return the model of schedules that end in `least` to `most` times the unit."""
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    until = model.new_int_var(least, max(least, most), "until")
    if most < least:
        model.add_bool_or([])
    at: dict[tuple[int, int], IntVar] = {}
    taken: dict[tuple[int, Route], IntVar] = {}
    on_link: dict[tuple[int, int], list[tuple[IntVar, IntVar, int]]] = {}
    long = durations(graph, ways)
    for chunk, demand in enumerate(graph.demands):
        (source,) = demand.sources
        near = distances(graph, source, timed=True)
        into: dict[int, list[IntVar]] = {}
        for node in range(graph.accelerators):
            soonest = near[node] // unit
            at[chunk, node] = model.new_int_var(soonest, 0 if node == source else max(soonest, most), "")
        for route in ways:
            if route[-1] == source or near[route[0]] // unit + long[route] > most:
                continue
            literal = model.new_bool_var("")
            taken[chunk, route] = literal
            into.setdefault(route[-1], []).append(literal)
            begin = at[chunk, route[-1]] - long[route]
            model.add(begin >= at[chunk, route[0]]).only_enforce_if(literal)
            for hop in pairwise(route):
                on_link.setdefault(hop, []).append((literal, at[chunk, route[-1]], long[route]))
        for node in range(graph.accelerators):
            _take_in(model, into.get(node, []), wanted=node in demand.targets and node != source)
            if node in demand.targets:
                model.add(at[chunk, node] <= until)
        _have_before_passing_on(model, taken, chunk, source, into)
    for sends in on_link.values():
        model.add_no_overlap(
            [model.new_optional_interval_var(end - size, size, end, one, "") for one, end, size in sends]
        )
    model.minimize(until)
    return _Intervals(model, at, taken)


def _take_in(model: CpModel, literals: Sequence[IntVar], *, wanted: bool) -> None:
    if wanted:
        model.add_exactly_one(literals)
    else:
        model.add_at_most_one(literals)


def _have_before_passing_on(
    model: CpModel,
    taken: Mapping[tuple[int, Route], IntVar],
    chunk: int,
    source: int,
    into: Mapping[int, Sequence[IntVar]],
) -> None:
    """Let a chunk leave an accelerator only if it comes there."""
    for (number, route), literal in taken.items():
        if number == chunk and route[0] != source:
            model.add_bool_or([*into.get(route[0], []), ~literal])
