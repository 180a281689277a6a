"""All-reduces as they are: who holds whose contribution to which chunk after each synchronous step, by CP-SAT.

Over the network expanded in time: x[c, r, t] says whether chunk c takes route r in step t, h[c, n, s, t] whether the
contribution of s to it is in what n holds before the step. What arrives in a step is added, h + sum over arrivals <= 1
for every contribution, or it alone takes the place of what is there, of which it has all. What arrives at once has no
order, so that there are no other schedules but those with copies of the same in one step, of which one is enough: none
of so many steps is a proof. Those that first add up and then gather are some of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from formulations.collective.finish import KINDS, shown
from hypar_opt.costgraph.collective import Move, value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_LITERALS = 30_000
"""Of arrivals: chunks times routes times steps times contributions."""
Route: TypeAlias = tuple[int, ...]


def concluded_directly(
    graph: CollectiveGraph, start: tuple[int, ...] | None, ways: Sequence[Route], run: Run
) -> Solution:
    """Return the Solution of a search over all schedules, from the bound up to the one that is known.

    Parameters
    ----------
    start
        That one, as choices; None where there is none.
    ways
        All from accelerator to accelerator.
    """
    least = lower_bound(graph)
    best = start
    most = None if best is None else value_of(graph, best)
    bound, native, note = least.value, f"bound: {KINDS[least.kind]}", ""
    if best is not None and most is not None:
        run.incumbent(most, best)
    while not run.limits.over and (most is None or most > bound):
        if size_of(graph, bound, ways) > MOST_LITERALS:
            note = "of schedules that first add up and then gather, or constructed ones; others are too many to search"
            break
        run.phase(f"searching all schedules of {bound:,} steps")
        name, found = direct_within(graph, bound, ways, run)
        native = f"{bound:,} steps: {name}"
        if found is not None:
            best, most = written(found), bound
            run.incumbent(most, best)
        elif name == "INFEASIBLE":
            native, bound = f"no schedule of {bound:,} steps, by CP-SAT", bound + 1
            run.bound(bound)
        else:
            break
    statistics = shown(least) if bound == least.value else {}
    if best is None:
        return Solution(Status.NO_SOLUTION, None, bound, native, note, statistics)
    return Solution(Status.OPTIMAL if most == bound else Status.FEASIBLE, best, bound, native, note, statistics)


def size_of(graph: CollectiveGraph, steps: int, ways: Sequence[Route]) -> int:
    """Return how many literals of arrivals the model has."""
    return steps * len(ways) * sum(len(one.sources) for one in graph.demands)


@dataclass(frozen=True)
class _Sums:
    """The model.

    Parameters
    ----------
    model
        CP-SAT's.
    graph, ways, steps
        What it is of.
    sent
        By chunk, route and step, whether the chunk takes it then.
    replaces
        By chunk, accelerator and step, whether what arrives takes the place of what is there.
    held
        By chunk, accelerator, contribution and step, whether it is held before the step.
    """

    model: CpModel
    graph: CollectiveGraph
    ways: Sequence[Route]
    steps: int
    sent: dict[tuple[int, Route, int], IntVar]
    replaces: dict[tuple[int, int, int], IntVar]
    held: dict[tuple[int, int, int, int], IntVar]


def direct_within(graph: CollectiveGraph, steps: int, ways: Sequence[Route], run: Run) -> tuple[str, list[Move] | None]:
    """Return CP-SAT's status, and the sends of a schedule of so many steps if there is one."""
    from formulations.cp_sat.search import solver_within, watched

    found = _sums(graph, steps, ways)
    for chunk in range(len(graph.demands)):
        _begin_and_end(found, chunk)
        for step in range(steps):
            for node in range(graph.accelerators):
                _arrive(found, chunk, node, step)
    _carry(found)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        name = solver.status_name(solver.solve(found.model))
    if name not in ("OPTIMAL", "FEASIBLE"):
        return name, None
    moves = [
        Move(step, step + 1, chunk, route, not solver.boolean_value(found.replaces[chunk, route[-1], step]))
        for (chunk, route, step), one in found.sent.items()
        if solver.boolean_value(one)
    ]
    return name, moves


def _sums(graph: CollectiveGraph, steps: int, ways: Sequence[Route]) -> _Sums:
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    chunks, nodes = range(len(graph.demands)), range(graph.accelerators)
    return _Sums(
        model,
        graph,
        ways,
        steps,
        {(c, route, t): model.new_bool_var("") for c in chunks for route in ways for t in range(steps)},
        {(c, n, t): model.new_bool_var("") for c in chunks for n in nodes for t in range(steps)},
        {
            (c, n, s, t): model.new_bool_var("")
            for c in chunks
            for n in nodes
            for s in graph.demands[c].sources
            for t in range(steps + 1)
        },
    )


def _begin_and_end(found: _Sums, chunk: int) -> None:
    """Say what all hold before the first step, and what targets have to hold after the last."""
    demand, model = found.graph.demands[chunk], found.model
    for source in demand.sources:
        for node in range(found.graph.accelerators):
            model.add(found.held[chunk, node, source, 0] == int(node == source))
        for target in demand.targets:
            model.add(found.held[chunk, target, source, found.steps] == 1)


def _arrive(found: _Sums, chunk: int, node: int, step: int) -> None:
    """Say what is held after a step: what was held before it, and all that arrives."""
    model, held = found.model, found.held
    sources = found.graph.demands[chunk].sources
    replaces = found.replaces[chunk, node, step]
    into = [(route, found.sent[chunk, route, step]) for route in found.ways if route[-1] == node]
    model.add(sum(one for _, one in into) <= 1).only_enforce_if(replaces)
    for route, one in into:
        model.add_bool_or([*(held[chunk, route[0], source, step] for source in sources), ~one])
    for source in sources:
        before, after = held[chunk, node, source, step], held[chunk, node, source, step + 1]
        brought = []
        for route, one in into:
            theirs, arrives = held[chunk, route[0], source, step], model.new_bool_var("")
            model.add_implication(arrives, one)
            model.add_implication(arrives, theirs)
            model.add_bool_or([arrives, ~one, ~theirs])
            model.add_bool_or([theirs, ~one, ~replaces, ~before])
            brought.append(arrives)
        model.add_max_equality(after, [before, *brought])
        model.add(before + sum(brought) <= 1).only_enforce_if(~replaces)


def _carry(found: _Sums) -> None:
    """Let links carry what they can."""
    on_link: dict[tuple[tuple[int, int], int], list[IntVar]] = {}
    for (_, route, step), one in found.sent.items():
        for hop in pairwise(route):
            on_link.setdefault((hop, step), []).append(one)
    for (hop, _), literals in on_link.items():
        found.model.add(sum(literals) <= found.graph.link_of[hop].messages)
