"""Least steps, or least rounds in given steps: the network, expanded in time, by CP-SAT.

Steps are tried from the bound on: that there is no schedule of so many is a proof that there have to be more.
Reductions are the mirrors of gatherings; all-reduces begin with the best that first add up and then gather, and are
then searched as they are, see `sums`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.expanded import MOST_ROUTES, StepsAnswer, routes, schedule_within
from formulations.collective.finish import KINDS, shown
from formulations.collective.halves import moves_by
from formulations.collective.multitree import grown
from formulations.collective.shifted import declined, shifted
from formulations.collective.shifted_paths import not_shifted, paths
from formulations.collective.sums import concluded_directly
from hypar_opt.costgraph.collective import value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run

MOST_LITERALS = 2_000_000
"""Chunks times routes times steps."""


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
    bound, best = lower_bound(graph).value, _constructed(graph, run)
    met = best is not None and max(one.end for one in best) == bound
    native = "a construction meets the bound" if met else "stopped before the search"
    while not run.limits.over and (best is None or max(one.end for one in best) > bound):
        run.phase(f"searching schedules of {bound:,} steps")
        tried = schedule_within(graph, bound, ways, run)
        native = f"{bound:,} steps: {tried.status}"
        if tried.moves is not None:
            return _Search(tried.moves, bound, native)
        if tried.status != "INFEASIBLE":
            break
        native = f"no schedule of {bound:,} steps, by CP-SAT"
        bound += 1
    return _Search(best, bound, native)


def _constructed(graph: CollectiveGraph, run: Run) -> list[Move] | None:
    """Return the schedule of a construction: of shifted trees or ways, or of MultiTree; None where none is for it."""
    if not_shifted(graph) is None:
        return paths(graph)
    if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
        return None
    try:
        return grown(graph, run) if declined(graph) else shifted(graph, run)
    except Stopped:
        return None


def _tried(graph: CollectiveGraph, steps: int, ways: list[tuple[int, ...]], run: Run) -> StepsAnswer:
    """Search schedules of so many steps, of a gathering or its mirror."""
    answers: list[StepsAnswer] = []

    def gather(gathering: CollectiveGraph) -> list[Move] | None:
        own = ways if gathering.links == graph.links else sorted(route[::-1] for route in ways)
        answers.append(schedule_within(gathering, steps, own, run))
        return answers[-1].moves

    moves = moves_by(graph, gather)
    return replace(answers[-1], moves=moves)


FORMULATION = CollectiveCpSat()
