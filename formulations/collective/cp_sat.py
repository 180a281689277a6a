"""Least steps, or least rounds in given steps: the network, expanded in time, by CP-SAT.

x[c, r, t] says whether chunk c takes route r in step t. An accelerator takes in a chunk once at most, and passes on
what it had before the step; of the chunks that it has to have it takes in each. A link carries in a step as many
chunks as it can, times the step's rounds. Steps are tried from the bound on: that there is no schedule of so many is a
proof that there have to be more. Reductions are the mirrors of gatherings; all-reduces begin with the best that first
add up and then gather, and are then searched as they are, see `sums`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from formulations.collective.finish import KINDS, shown
from formulations.collective.halves import moves_by
from formulations.collective.multitree import grown
from formulations.collective.sums import concluded_directly
from hypar_opt.costgraph.collective import CollectiveGraph, Move, value_of, written
from hypar_opt.costgraph.collective.bounds import distances, lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

    from hypar_opt.formulation.run import Run

MOST_LITERALS = 2_000_000
"""Chunks times routes times steps."""
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


def _expanded(graph: CollectiveGraph, steps: int, ways: list[tuple[int, ...]]) -> _Expanded:
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
class _Answer:
    """What is known of schedules of so many steps."""

    status: str
    moves: list[Move] | None
    bound: int | None = None


def _within(graph: CollectiveGraph, steps: int, ways: list[tuple[int, ...]], run: Run) -> _Answer:
    """Search a gathering's schedules of so many steps."""
    from formulations.cp_sat.search import bound_of, solver_within, watched

    found = _expanded(graph, steps, ways)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(found.model)
    name = solver.status_name(native)
    if name not in ("OPTIMAL", "FEASIBLE"):
        return _Answer(name, None)
    moves = [Move(step, step + 1, chunk, route) for (chunk, route, step), one in found.taken.items()
             if solver.boolean_value(one)]  # fmt: skip
    bound = bound_of(solver, Status(name)) if found.rounds else None
    return _Answer(name, moves, bound)


@dataclass(frozen=True)
class CollectiveCpSat:
    """The network expanded in time."""

    name: ClassVar[str] = "collective-cp-sat"
    summary: ClassVar[str] = "least steps or rounds, over the network expanded in time (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="time-expanded",
        packages=("ortools",),
        decides="sends",
        rank=400,
        default_for={"collective": 0},
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Accept synchronous steps of what fits into a model."""
        if graph.goal == "time":
            return "it counts synchronous steps, and here the time is to be least; try multitree"
        ways = routes(graph)
        if ways is None:
            return f"there are more than {MOST_ROUTES:,} ways through switches; try multitree"
        steps = graph.steps or lower_bound(graph).value
        size = len(graph.demands) * len(ways) * steps
        if size > MOST_LITERALS:
            return f"its model would have {size:,} literals, at most {MOST_LITERALS:,} are built; try multitree"
        if graph.goal == "rounds" and graph.summed and not graph.reducing:
            return "rounds of an all-reduce are not searched; ask for those of a reduce-scatter and an all-gather"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Search steps from the bound on, or rounds in so many steps."""
        ways = routes(graph) or []
        return self._rounds(graph, ways, run) if graph.goal == "rounds" else self._steps(graph, ways, run)

    def _rounds(self, graph: CollectiveGraph, ways: list[tuple[int, ...]], run: Run) -> Solution:
        answer = _tried(graph, graph.steps or 0, ways, run)
        if answer.moves is None:
            status = Status.INFEASIBLE if answer.status == "INFEASIBLE" else Status.NO_SOLUTION
            return Solution(status, native_status=answer.status)
        choices = written(answer.moves)
        value, bound = value_of(graph, choices), max(answer.bound or 0, lower_bound(graph).value)
        return Solution(Status.OPTIMAL if value == bound else Status.FEASIBLE, choices, bound, answer.status)

    def _steps(self, graph: CollectiveGraph, ways: list[tuple[int, ...]], run: Run) -> Solution:
        least = lower_bound(graph)
        run.bound(least.value)
        searches: list[_Search] = []

        def gather(gathering: CollectiveGraph) -> list[Move] | None:
            turned = set(gathering.links) != set(graph.links)
            own = sorted(route[::-1] for route in ways) if turned else ways
            searches.append(fewest(gathering, own, run))
            return searches[-1].moves

        moves = moves_by(graph, gather)
        if graph.summed and not graph.reducing:
            return concluded_directly(graph, moves, ways, run)
        bound = max([least.value, *(one.bound for one in searches)])
        native = f"bound: {KINDS[least.kind]}" if bound == least.value else searches[-1].native
        if moves is None:
            return Solution(Status.NO_SOLUTION, None, bound, searches[-1].native, statistics=shown(least))
        choices = written(moves)
        value = value_of(graph, choices)
        run.incumbent(value, choices)
        status = Status.OPTIMAL if value == bound else Status.FEASIBLE
        return Solution(status, choices, bound, native, statistics=shown(least))


@dataclass(frozen=True)
class _Search:
    """What is known of a gathering after the search for its fewest steps.

    Parameters
    ----------
    moves
        The best schedule, or None.
    bound
        How many steps there have to be.
    native
        What the search ended with.
    """

    moves: list[Move] | None
    bound: int
    native: str


def fewest(graph: CollectiveGraph, ways: list[tuple[int, ...]], run: Run) -> _Search:
    """Search a gathering's schedules, of as many steps as the bound says, and of one more as long as there is none."""
    bound, best = lower_bound(graph).value, _trees(graph, run)
    native = "trees meet the bound"
    while not run.limits.over and (best is None or max(one.end for one in best) > bound):
        run.phase(f"searching schedules of {bound:,} steps")
        tried = _within(graph, bound, ways, run)
        native = f"{bound:,} steps: {tried.status}"
        if tried.moves is not None:
            return _Search(tried.moves, bound, native)
        if tried.status != "INFEASIBLE":
            break
        native = f"no schedule of {bound:,} steps, by CP-SAT"
        bound += 1
    return _Search(best, bound, native)


def _trees(graph: CollectiveGraph, run: Run) -> list[Move] | None:
    """Return the schedule of trees, where there are any."""
    if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
        return None
    try:
        return grown(graph, run)
    except Stopped:
        return None


def _tried(graph: CollectiveGraph, steps: int, ways: list[tuple[int, ...]], run: Run) -> _Answer:
    """Search schedules of so many steps, of a gathering or its mirror."""
    answers: list[_Answer] = []

    def gather(gathering: CollectiveGraph) -> list[Move] | None:
        own = ways if gathering.links == graph.links else sorted(route[::-1] for route in ways)
        answers.append(_within(gathering, steps, own, run))
        return answers[-1].moves

    moves = moves_by(graph, gather)
    return replace(answers[-1], moves=moves)


FORMULATION = CollectiveCpSat()
