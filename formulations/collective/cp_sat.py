"""Least steps, least rounds in given steps, or least time: the network, expanded in time, by CP-SAT.

Steps are tried from the bound on: that there is no schedule of so many is a proof that there have to be more.
Reductions are the mirrors of gatherings; all-reduces begin with the best that first add up and then gather, and are
then searched as they are, see `sums`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.constructions import best_constructed
from formulations.collective.expanded import MOST_ROUTES, StepsAnswer, routes, schedule_within
from formulations.collective.finish import KINDS, shown
from formulations.collective.halves import moves_by
from formulations.collective.in_time import Search, concluded_in_time
from formulations.collective.intervals import MOST_SENDS, MOST_UNITS, equal_duration
from formulations.collective.joined import concluded_joined
from formulations.collective.starts import best_start
from formulations.collective.sums import concluded_directly
from formulations.collective.timing import until
from hypar_opt.costgraph.collective import value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run

MOST_LITERALS = 2_000_000
"""Chunks times routes times steps."""


@dataclass(frozen=True)
class CollectiveCpSat:
    """The network expanded in time."""

    name: ClassVar[str] = "collective-cp-sat"
    summary: ClassVar[str] = "least steps, rounds or time, over the network expanded in time (OR-Tools CP-SAT)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=True,
        encoding="time-expanded",
        packages=("ortools",),
        decides="sends",
        rank=400,
        default_for={"collective": 0},
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Accept what fits into a model."""
        ways = routes(graph)
        if ways is None:
            return f"there are more than {MOST_ROUTES:,} ways through switches; try multitree"
        if graph.joined:
            return None
        duration = equal_duration(graph, ways) if graph.goal == "time" else 1
        if duration is None:
            return _too_long(graph, ways)
        steps = graph.steps or -(-lower_bound(graph).value // duration)
        size = len(graph.demands) * len(ways) * steps
        if size > MOST_LITERALS:
            return f"its model would have {size:,} literals, at most {MOST_LITERALS:,} are built; try link-matching"
        if graph.goal == "rounds" and graph.summed and not graph.reducing:
            return "rounds of an all-reduce are not searched; ask for those of a reduce-scatter and an all-gather"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Search steps from the bound on, rounds in so many steps, or the time."""
        ways: Sequence[tuple[int, ...]] = routes(graph) or []
        if graph.joined:
            return concluded_joined(graph, run)
        if graph.goal == "time":
            return concluded_in_time(graph, ways, run, fewest)
        return self._rounds(graph, ways, run) if graph.goal == "rounds" else self._steps(graph, ways, run)

    def _rounds(self, graph: CollectiveGraph, ways: Sequence[tuple[int, ...]], run: Run) -> Solution:
        answer = _tried(graph, graph.steps or 0, ways, run)
        if answer.moves is None:
            status = Status.INFEASIBLE if answer.status == "INFEASIBLE" else Status.NO_SOLUTION
            return Solution(status, native_status=answer.status)
        choices = written(answer.moves)
        value, bound = value_of(graph, choices), max(answer.bound or 0, lower_bound(graph).value)
        return Solution(Status.OPTIMAL if value == bound else Status.FEASIBLE, choices, bound, answer.status)

    def _steps(self, graph: CollectiveGraph, ways: Sequence[tuple[int, ...]], run: Run) -> Solution:
        least = lower_bound(graph)
        run.bound(least.value)
        searches: list[Search] = []

        def gather(gathering: CollectiveGraph) -> list[Move] | None:
            turned = set(gathering.links) != set(graph.links)
            own = sorted(route[::-1] for route in ways) if turned else ways
            searches.append(fewest(gathering, own, run))
            return searches[-1].moves

        moves = moves_by(graph, gather)
        if graph.summed and not graph.reducing:
            start, _ = best_constructed(graph, None if moves is None else written(moves), run)
            return concluded_directly(graph, start, ways, run)
        bound = max([least.value, *(one.bound for one in searches)])
        native = f"bound: {KINDS[least.kind]}" if bound == least.value else searches[-1].native
        if moves is None:
            return Solution(Status.NO_SOLUTION, None, bound, searches[-1].native, statistics=shown(least))
        choices = written(moves)
        value = value_of(graph, choices)
        run.incumbent(value, choices)
        status = Status.OPTIMAL if value == bound else Status.FEASIBLE
        return Solution(status, choices, bound, native, statistics=shown(least))


def fewest(graph: CollectiveGraph, ways: Sequence[tuple[int, ...]], run: Run) -> Search:
    """Search a gathering's schedules, of as many steps as the bound says, and of one more as long as there is none."""
    bound, best = lower_bound(graph).value, best_start(graph, ways, run)
    met = best is not None and until(best) == bound
    native = "a construction meets the bound" if met else "stopped before the search"
    while not run.limits.over and (best is None or until(best) > bound):
        run.phase(f"searching schedules of {bound:,} steps")
        tried = schedule_within(graph, bound, ways, run)
        native = f"{bound:,} steps: {tried.status}"
        if tried.moves is not None:
            return Search(tried.moves, bound, native)
        if tried.status != "INFEASIBLE":
            break
        native = f"no schedule of {bound:,} steps, by CP-SAT"
        bound += 1
    return Search(best, bound, native)


def _too_long(graph: CollectiveGraph, ways: Sequence[tuple[int, ...]]) -> str | None:
    """Return why schedules in time are not searched, or None."""
    sends = len(graph.demands) * len(ways)
    if sends > MOST_SENDS:
        return f"its model would have {sends:,} sends in time, at most {MOST_SENDS:,} are built; try link-matching"
    longest = sum(link.latency + link.transfer for link in graph.links) * len(graph.demands)
    if longest > MOST_UNITS:
        return f"times have no common unit of which there are less than {MOST_UNITS:,}; try link-matching"
    return None


def _tried(graph: CollectiveGraph, steps: int, ways: Sequence[tuple[int, ...]], run: Run) -> StepsAnswer:
    """Search schedules of so many steps, of a gathering or its mirror."""
    answers: list[StepsAnswer] = []

    def gather(gathering: CollectiveGraph) -> list[Move] | None:
        own = ways if gathering.links == graph.links else sorted(route[::-1] for route in ways)
        answers.append(schedule_within(gathering, steps, own, run))
        return answers[-1].moves

    moves = moves_by(graph, gather)
    return replace(answers[-1], moves=moves)


FORMULATION = CollectiveCpSat()
