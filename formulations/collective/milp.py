"""Fewest steps, least rounds or least time by flows in the network expanded in time: a mixed-integer programme (HiGHS).

A second opinion on `collective-cp-sat`, whose constraints it does not have. As in TE-CCL (Liu et al., SIGCOMM 2024) a
chunk may be copied wherever it is: for everyone who has to have chunk c a unit flows from where it begins in step 0 to
them after the last one, along routes and by waiting, and x[c, r, t], 0 or 1, is no less than any of these flows. Links
carry sum over c of x[c, r, t] <= messages times rounds. What is found are the sends; flows only say that they do. Tiny
all-reduces are searched as they are, see `sums_milp`.

In time a step is the greatest unit that divides what all routes take, and a flow along a route comes out as many steps
later: sends moved up as far as they go begin at sums of what others take, so that nothing is lost.

HiGHS computes in floating point: that there is no schedule of so many steps rests on its tolerances.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from formulations.collective.durations import durations, step_of
from formulations.collective.expanded import routes
from formulations.collective.finish import JOINED, KINDS, shown
from formulations.collective.halves import moves_by
from formulations.collective.sums_milp import not_summed, summed_within
from formulations.rows import SparseRows
from hypar_opt.costgraph.collective import Move, is_schedule, value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

MOST_FLOWS: Final = 200_000
"""Chunks times those who have to have them times routes and accelerators times steps."""
STATUSES: Final = {0: "optimal", 1: "time limit", 2: "infeasible"}
"""SciPy's, in words; any other is an error."""
NOTE: Final = "that there are no fewer rests on HiGHS's tolerances, 1e-6 of each constraint"
Route = tuple[int, ...]


def size_of(graph: CollectiveGraph, steps: int, ways: int) -> int:
    """Return how many flows there are."""
    return sum(len(one.targets) for one in graph.demands) * (ways + graph.accelerators) * steps


def flows_within(
    graph: CollectiveGraph, steps: int, ways: list[Route], run: Run
) -> tuple[str, list[Move] | None, float | None]:
    """Return what HiGHS says of a gathering's schedules of so many steps, the sends, and the bound on rounds."""
    from scipy.optimize import Bounds, milp

    rows, chunks, long = SparseRows(), range(len(graph.demands)), durations(graph, ways)
    begins = [(route, step) for route in ways for step in range(steps - long[route] + 1)]
    sends = {key: place for place, key in enumerate((c, *one) for c in chunks for one in begins)}
    rounds = {step: len(sends) + step for step in range(steps)}
    count = len(sends) + steps
    for chunk, demand in enumerate(graph.demands):
        for target in demand.targets:
            if target not in demand.sources:
                count = _flow(graph, rows, sends, (chunk, target), steps, long, count)
    _carry(graph, rows, sends, rounds, long)
    upper, integral, cost = np.ones(count), np.zeros(count), np.zeros(count)
    integral[: len(sends) + steps] = 1
    by_rounds = graph.goal == "rounds"
    for column in rounds.values():
        upper[column] = len(graph.demands) if by_rounds else 1
        cost[column] = int(by_rounds)
    remaining = run.limits.remaining_s()
    found = milp(
        cost,
        integrality=integral,
        bounds=Bounds(np.zeros(count), upper),
        constraints=rows.constraint(count),
        options={} if remaining is None else {"time_limit": max(remaining, 1e-3)},
    )
    name = STATUSES.get(found.status, str(found.message))
    if found.x is None:
        return name, None, found.mip_dual_bound if by_rounds else None
    taken = [key for key, place in sends.items() if found.x[place] > 0.5]
    return name, _first_arrivals(graph, taken, long), found.mip_dual_bound if by_rounds else None


def _flow(
    graph: CollectiveGraph,
    rows: SparseRows,
    sends: dict[tuple[int, Route, int], int],
    whose: tuple[int, int],
    steps: int,
    long: Mapping[Route, int],
    count: int,
) -> int:
    """Add a unit's flow of a chunk to a target; return how many columns there then are."""
    chunk, target = whose
    (source,) = graph.demands[chunk].sources
    balance: dict[tuple[int, int], dict[int, float]] = {
        (node, step): {} for node in range(graph.accelerators) for step in range(steps + 1)
    }
    for step in range(steps):
        for node in range(graph.accelerators):
            balance[node, step][count] = -1.0
            balance[node, step + 1][count] = 1.0
            count += 1
        for route, steps_of_it in long.items():
            if step + steps_of_it > steps:
                continue
            balance[route[0], step][count] = -1.0
            balance[route[-1], step + steps_of_it][count] = 1.0
            rows.add({count: 1.0, sends[chunk, route, step]: -1.0}, -np.inf, 0.0)
            count += 1
    for (node, step), entries in balance.items():
        wanted = float((node, step) == (target, steps)) - float((node, step) == (source, 0))
        rows.add(entries, wanted, wanted)
    return count


def _carry(
    graph: CollectiveGraph,
    rows: SparseRows,
    sends: dict[tuple[int, Route, int], int],
    rounds: dict[int, int],
    long: Mapping[Route, int],
) -> None:
    """Let links carry in a step what they can, times its rounds; in time one chunk, as long as that takes."""
    across: dict[tuple[int, int], list[Route]] = {}
    for route in long:
        for hop in pairwise(route):
            across.setdefault(hop, []).append(route)
    for hop, own in across.items():
        messages = 1.0 if graph.goal == "time" else float(graph.link_of[hop].messages)
        for step, column in rounds.items():
            begun = [(route, before) for route in own for before in range(max(0, step - long[route] + 1), step + 1)]
            keys = [(chunk, *one) for chunk in range(len(graph.demands)) for one in begun]
            used = {sends[key]: 1.0 for key in keys if key in sends}
            if graph.goal == "rounds":
                rows.add({**used, column: -messages}, -np.inf, 0.0)
            else:
                rows.add(used, -np.inf, messages)


def _first_arrivals(
    graph: CollectiveGraph, taken: list[tuple[int, Route, int]], long: Mapping[Route, int]
) -> list[Move]:
    """Return the sends by which a chunk comes somewhere first; HiGHS may have others, as nothing keeps them away."""
    there = {(chunk, one.sources[0]): 0 for chunk, one in enumerate(graph.demands)}
    found: list[Move] = []
    for chunk, route, step in sorted(taken, key=lambda one: one[2] + long[one[1]]):
        end = step + long[route]
        if there.get((chunk, route[0]), end) <= step and (chunk, route[-1]) not in there:
            there[chunk, route[-1]] = end
            found.append(Move(step, end, chunk, route))
    return found


@dataclass(frozen=True)
class CollectiveMilp:
    """Flows in the network expanded in time."""

    name: ClassVar[str] = "collective-milp"
    summary: ClassVar[str] = "least steps, rounds or time by flows in time, for small arrays (HiGHS in SciPy)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True, encoding="flows-in-time", packages=("scipy",), decides="sends", rank=405
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Accept small gatherings and their mirrors, and tiny all-reduces in steps."""
        if graph.joined:
            return JOINED
        ways = routes(graph)
        if graph.summed and not graph.reducing:
            return not_summed(graph, ways)
        steps = graph.steps or lower_bound(graph).value // step_of(graph)
        size = MOST_FLOWS + 1 if ways is None else size_of(graph, steps, len(ways))
        if size > MOST_FLOWS:
            return f"it would have more than {MOST_FLOWS:,} flows; try collective-cp-sat"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Try steps from the bound on; or search rounds in so many."""
        ways, least, unit = routes(graph) or [], lower_bound(graph), step_of(graph)
        bound, name = -(-least.value // unit) * unit, "stopped"
        run.bound(bound)
        while not run.limits.over:
            steps = graph.steps if graph.goal == "rounds" and graph.steps is not None else bound // unit
            run.phase(f"searching schedules of {steps:,} steps")
            name, moves, dual = _tried(graph, steps, ways, run)
            choices = None if moves is None else written(moves)
            if choices is not None and is_schedule(graph, choices):
                if dual is not None:
                    bound = max(bound, int(np.ceil(dual - 1e-6)))
                value = value_of(graph, choices)
                run.incumbent(value, choices)
                status = Status.OPTIMAL if value == bound else Status.FEASIBLE
                native, note = (name, NOTE) if bound > least.value else (f"{name}; bound: {KINDS[least.kind]}", "")
                return Solution(status, choices, bound, native, note, shown(least))
            if name != "infeasible":
                break
            if graph.goal == "rounds":
                return Solution(Status.INFEASIBLE, native_status=f"no schedule of {steps:,} steps", note=NOTE)
            bound += unit
            run.bound(bound)
        return Solution(Status.NO_SOLUTION, None, bound, name, NOTE if bound > least.value else "")


def _tried(
    graph: CollectiveGraph, steps: int, ways: list[Route], run: Run
) -> tuple[str, list[Move] | None, float | None]:
    """Search schedules of so many steps: gatherings, reductions as their mirrors, and all-reduces as they are."""
    if graph.summed and not graph.reducing:
        return *summed_within(graph, steps, ways, run), None
    answers: list[tuple[str, float | None]] = []

    def gather(gathering: CollectiveGraph) -> list[Move] | None:
        own = ways if gathering.links == graph.links else sorted(route[::-1] for route in ways)
        name, moves, dual = flows_within(gathering, steps, own, run)
        answers.append((name, dual))
        unit = step_of(gathering)
        return moves and [one._replace(begin=one.begin * unit, end=one.end * unit) for one in moves]

    moves = moves_by(graph, gather)
    name, dual = answers[-1]
    return name, moves, dual


FORMULATION = CollectiveMilp()
