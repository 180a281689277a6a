"""The least that a placement costs where only time counts: vectors of times, the cheapest first."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.flow_model.finish import SolverAnswer
from formulations.placement.symmetry import descending, exchanged, inverse
from formulations.placement.times.vectors import TimeVectors
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.placement.assignment.programme import Programme
    from formulations.placement.bounds.times import Times
    from hypar_opt.costgraph.placement import PlacementGraph, Usage
    from hypar_opt.formulation.incumbent import Incumbent


def by_times(
    graph: PlacementGraph, vectors: TimeVectors, programme: Programme, best: Incumbent, run: Run
) -> SolverAnswer:
    """Search by vectors of times instead of solving a programme; the answer is in the programme's terms.

    Parameters
    ----------
    graph
        Volumes and costs.
    vectors
        Of its array. Is left with what the search finds out.
    """
    run.phase("searching by times of the levels")
    cheapest = Cheapest(
        graph, vectors, best, run, programme.constant, programme.constant + programme.unit * programme.least
    )
    try:
        cheapest.search()
        status, said = Status.OPTIMAL, "all cheaper times of the levels are infeasible"
    except Stopped:
        status, said = Status.NO_SOLUTION, "stopped, with times of the levels left"
    native = f"{said} ({cheapest.left} vectors, {vectors.searched - cheapest.before} by search)"
    return SolverAnswer(status, native, -((programme.constant - cheapest.bound) // programme.unit))


@dataclass
class Cheapest:
    """The search for a graph's best times.

    Parameters
    ----------
    graph, vectors
        The problem.
    best
        The best placement so far; better ones go there.
    run
        Is told of bounds.
    constant
        What a placement costs beside its times.
    bound
        No placement costs less.
    left
        How many vectors were left behind as infeasible.
    """

    graph: PlacementGraph
    vectors: TimeVectors
    best: Incumbent
    run: Run
    constant: int
    bound: int
    left: int = 0

    def __post_init__(self) -> None:
        self.before = self.vectors.searched
        self._order = descending(self.graph.volumes)
        self._volumes = [self.graph.volumes[h] for h in self._order]

    def search(self) -> None:
        """Raise the bound until the best placement costs it.

        Raises
        ------
        Stopped
            If a limit ends it before.
        """
        for placed in list(self.vectors.possible.values()):
            self._offer(placed)
        if self.best.choices is not None:
            self.vectors.learn(self.best.choices)
        first = self.vectors.first
        heap, seen = [(self.cost(first), first)], {first}
        while heap and self._cheaper(heap[0][0]):
            cost, vector = heap[0]
            self._raise_to(cost)
            self.run.check()
            following = self.vectors.after(vector)
            if following is None:
                decided = self.vectors.decide(self._largest(vector), self.run.limits)
                if decided is not None:
                    self._offer(decided)
                continue
            heapq.heappop(heap)
            self.left += 1
            for one in set(following) - seen:
                seen.add(one)
                heapq.heappush(heap, (self.cost(one), one))
        if self.best.value is not None:
            self._raise_to(self.best.value)

    def cost(self, times: Times) -> int:
        """Return what ascending times cost: the largest volume has the shortest."""
        return self.constant + sum(volume * time for volume, time in zip(self._volumes, times, strict=True))

    def _cheaper(self, cost: int) -> bool:
        return self.best.value is None or cost < self.best.value

    def _raise_to(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = bound
            self.run.bound(bound)

    def _largest(self, times: Times) -> Times:
        """Return times above the given ones that are cheaper than the best placement, and no longer ones are.

        The smallest volume's time grows first: one level without a bound leaves the others to prove the rest, which
        is the easier the shorter they are.
        """
        found = list(times)
        for h in reversed(range(len(found))):
            for time in self.vectors.values:
                longest = found[h + 1] if h + 1 < len(found) else time
                grown = (*found[:h], time, *found[h + 1 :])
                if found[h] < time <= longest and self._cheaper(self.cost(grown)):
                    found[h] = time
        return tuple(found)

    def _offer(self, placed: Sequence[int]) -> None:
        """Offer a placement whose levels take longer one after the other, the largest volume's level first."""
        self.best.offer(exchanged(placed, inverse(self._order)))


@dataclass
class VectorMemory:
    """The vectors of times of the array that was asked about last.

    Parameters
    ----------
    vectors
        Or None, where nothing was asked or the array is not for them.
    """

    vectors: TimeVectors | None = None
    _usage: Usage | None = None
    _levels: int = 0

    def of(self, graph: PlacementGraph) -> TimeVectors | None:
        """Return the vectors of a graph's array: as they were left, if the last one had the same links and levels."""
        if graph.usage is not self._usage or graph.levels != self._levels:
            self.vectors, self._usage, self._levels = TimeVectors.of(graph), graph.usage, graph.levels
        return self.vectors
