"""A gathering's schedules of so many steps: the network expanded in time, for CP-SAT.

x[c, r, t] says whether chunk c takes route r in step t. An accelerator takes in a chunk once at most, and passes on
what it had before the step; of the chunks that it has to have it takes in each. A link carries in a step as many
chunks as it can, times the step's rounds.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import distances, lower_bound
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_ROUTES = 20_000
"""Ways through switches from accelerator to accelerator, that are all listed."""


def routes(graph: CollectiveGraph) -> list[tuple[int, ...]] | None:
    """Return all ways from one accelerator to another through switches alone; None where there are too many."""
    found: list[tuple[int, ...]] = []
    waiting: list[tuple[int, ...]] = [(node,) for node in range(graph.accelerators)]
    while waiting:
        route = waiting.pop()
        for other in graph.after[route[-1]]:
            if other in route:
                continue
            if other < graph.accelerators:
                found.append((*route, other))
            else:
                waiting.append((*route, other))
        if len(found) + len(waiting) > MOST_ROUTES:
            return None
    return sorted(found)


@dataclass(frozen=True)
class _Expanded:
    """The network expanded in time.

    Parameters
    ----------
    model
        CP-SAT's.
    taken
        By chunk, route and step, whether the chunk takes it then; only where it can be there by then.
    rounds
        By step, where rounds are to be least.
    """

    model: CpModel
    taken: dict[tuple[int, tuple[int, ...], int], IntVar]
    rounds: tuple[IntVar, ...]


def _expanded(graph: CollectiveGraph, steps: int, ways: Sequence[tuple[int, ...]]) -> _Expanded:
    from ortools.sat.python.cp_model import CpModel

    model = CpModel()
    near = {source: distances(graph, source) for one in graph.demands for source in one.sources}
    into: dict[tuple[int, int, int], list[IntVar]] = defaultdict(list)
    on_link: dict[tuple[tuple[int, int], int], list[IntVar]] = defaultdict(list)
    taken = {}
    for chunk, demand in enumerate(graph.demands):
        (source,) = demand.sources
        for route in ways:
            if route[-1] == source:
                continue
            for step in range(near[source][route[0]], steps):
                literal = model.new_bool_var("")
                taken[chunk, route, step] = literal
                into[chunk, route[-1], step].append(literal)
                for hop in pairwise(route):
                    on_link[hop, step].append(literal)
    _take_in_once(model, graph, into, steps)
    _pass_on(model, graph, taken, into, steps)
    rounds = _carry(model, graph, on_link, steps)
    return _Expanded(model, taken, rounds)


def _take_in_once(
    model: CpModel, graph: CollectiveGraph, into: dict[tuple[int, int, int], list[IntVar]], steps: int
) -> None:
    """Take in every chunk once, by whoever has to have it; once at most, by all others."""
    for chunk, demand in enumerate(graph.demands):
        for node in range(graph.accelerators):
            literals = [one for step in range(steps) for one in into[chunk, node, step]]
            if node in demand.targets and node not in demand.sources:
                model.add_exactly_one(literals)
            elif literals:
                model.add_at_most_one(literals)


def _pass_on(
    model: CpModel,
    graph: CollectiveGraph,
    taken: dict[tuple[int, tuple[int, ...], int], IntVar],
    into: dict[tuple[int, int, int], list[IntVar]],
    steps: int,
) -> None:
    """Let a chunk leave an accelerator after it has come there: has[c, n, t] = has[c, n, t - 1] + what came in t."""
    has: dict[tuple[int, int, int], Any] = {}
    for chunk, demand in enumerate(graph.demands):
        for node in range(graph.accelerators):
            before: Any = 1 if node in demand.sources else 0
            for step in range(steps):
                has[chunk, node, step] = before
                arriving = into[chunk, node, step]
                if arriving:
                    now = model.new_bool_var("")
                    model.add(now == before + sum(arriving))
                    before = now
    for (chunk, route, step), literal in taken.items():
        held = has[chunk, route[0], step]
        if isinstance(held, int):
            if not held:
                model.add(literal == 0)
        else:
            model.add_implication(literal, held)


def _carry(
    model: CpModel,
    graph: CollectiveGraph,
    on_link: dict[tuple[tuple[int, int], int], list[IntVar]],
    steps: int,
) -> tuple[IntVar, ...]:
    """Let links carry what they can; return the rounds of every step, where they are to be least."""
    if graph.goal != "rounds":
        for (hop, _), literals in on_link.items():
            messages = graph.link_of[hop].messages
            if messages == 1:
                model.add_at_most_one(literals)
            else:
                model.add(sum(literals) <= messages)
        return ()
    most = len(graph.demands)
    rounds = tuple(model.new_int_var(0, most, f"rounds {step}") for step in range(steps))
    model.add(sum(rounds) >= lower_bound(graph).value)
    for (hop, step), literals in on_link.items():
        model.add(sum(literals) <= graph.link_of[hop].messages * rounds[step])
    model.minimize(sum(rounds))
    return rounds


@dataclass(frozen=True)
class StepsAnswer:
    """What is known of schedules of so many steps."""

    status: str
    moves: list[Move] | None
    bound: int | None = None


def schedule_within(graph: CollectiveGraph, steps: int, ways: Sequence[tuple[int, ...]], run: Run) -> StepsAnswer:
    """Search a gathering's schedules of so many steps."""
    from formulations.cp_sat.search import bound_of, solver_within, watched

    found = _expanded(graph, steps, ways)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(found.model)
    name = solver.status_name(native)
    if name not in ("OPTIMAL", "FEASIBLE"):
        return StepsAnswer(name, None)
    moves = [Move(step, step + 1, chunk, route) for (chunk, route, step), one in found.taken.items()
             if solver.boolean_value(one)]  # fmt: skip
    bound = bound_of(solver, Status(name)) if found.rounds else None
    return StepsAnswer(name, moves, bound)
