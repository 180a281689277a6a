"""What is known of an array's vectors of times, all in ascending order."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.assignment.programme import Scale, least_ticks, link_loads
from formulations.placement.bounds.hypercube import MOST_ENUMERATED
from formulations.placement.bounds.links import MOST_NODES, ArrayLinks
from formulations.placement.bounds.times import Times, Vectors, below, quickest_pair
from formulations.placement.symmetry import exchanged
from formulations.placement.times.model import placement_within

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Limits


@dataclass(eq=False)
class TimeVectors:
    """Which vectors of times an array leaves room for, as far as that was asked.

    Parameters
    ----------
    graph
        The array; volumes, base and pair costs are all 0.
    values
        The times that a level can take, ascending.
    cheap
        Cuts and orders of the sites, which rule vectors out without a search.
    possible
        Vectors that some placement has exactly, with that placement; its levels are in their order.
    impossible
        Vectors that no placement keeps within; none of them is below another.
    searched
        How many vectors CP-SAT was asked about.
    """

    graph: PlacementGraph
    values: tuple[int, ...]
    cheap: Vectors
    possible: dict[Times, tuple[int, ...]] = field(default_factory=dict)
    impossible: list[Times] = field(default_factory=list)
    searched: int = 0

    @staticmethod
    def of(graph: PlacementGraph) -> TimeVectors | None:
        """Return what is known before the first question, or None for arrays where it would lead nowhere.

        That is, with more than 4 levels, more than 512 nodes or too many different times, or where not only time
        counts.
        """
        if graph.usage is None or not times_alone(graph) or not 0 < graph.levels <= MOST_ENUMERATED:
            return None
        alone = graph.replace(volumes=(0,) * graph.levels, base=0, pair_costs=np.zeros_like(graph.pair_costs))
        links, values = ArrayLinks(alone, graph.usage), level_times(alone)
        if links.nodes > MOST_NODES or values is None:
            return None
        tick = Scale.of(alone).tick
        own = max(quickest_pair(alone, graph.usage), tick * least_ticks(alone, link_loads(alone, tick)))
        return TimeVectors(alone, values[bisect_left(values, own) :], Vectors.of(alone, links, own))

    @property
    def first(self) -> Times:
        """The vector that is below all placements'."""
        return self.values[:1] * self.graph.levels

    def learn(self, placed: Sequence[int]) -> Times:
        """Take note of a placement, and return its vector."""
        weights = [self.graph.weight(h, placed) for h in range(self.graph.levels)]
        order = sorted(range(len(weights)), key=weights.__getitem__)
        times = tuple(weights[h] for h in order)
        self.possible.setdefault(times, exchanged(placed, order))
        return times

    def rule_out(self, times: Times) -> None:
        """Take note that no placement keeps within a vector."""
        self.impossible = [*(one for one in self.impossible if not below(one, times)), times]

    def after(self, times: Times) -> list[Times] | None:
        """Return vectors instead of one that is known to be impossible, or None if that is not known.

        Whatever placement's vector is above the given one is also above one of these.
        """
        for one in self.impossible:
            if below(times, one):
                return self._beyond(times, one)
        following = self.cheap.after(times)
        if following is not None:
            return self._rounded(following)
        if self.cheap.excluded_by_order(times):
            self.rule_out(times)
            return self._beyond(times, times)
        return None

    def decide(self, times: Times, limits: Limits) -> tuple[int, ...] | None:
        """Return a placement within a vector of times, or None where there is none; take note of the answer.

        Raises
        ------
        Stopped
            If a limit ends the search before that is known.
        RuntimeError
            If the search's placement takes longer.
        """
        known = next((placed for one, placed in self.possible.items() if below(one, times)), None)
        if known is not None:
            return known
        if self.after(times) is not None:
            self.rule_out(times)
            return None
        placed = placement_within(self.graph, times, limits)
        self.searched += 1
        if placed is None:
            self.rule_out(times)
            return None
        reached = self.learn(placed)
        if not below(reached, times):
            raise RuntimeError(f"a placement within {times} was looked for, and one of {reached} was found")
        return self.possible[reached]

    def _beyond(self, times: Times, impossible: Times) -> list[Times]:
        """Return the least vectors above the first that are not below the second: longer at some level."""
        found = []
        for h, time in enumerate(impossible):
            longer = next((value for value in self.values if value > time), None)
            if longer is not None:
                found.append((*times[:h], *(max(longer, other) for other in times[h:])))
        return found

    def _rounded(self, vectors: Sequence[Times]) -> list[Times]:
        """Return vectors of possible times, each the least above the given one, where there is one."""
        found = []
        for vector in vectors:
            at = [bisect_left(self.values, time) for time in sorted(vector)]
            if at[-1] < len(self.values):
                found.append(tuple(self.values[i] for i in at))
        return list(dict.fromkeys(found))


MOST_VALUES = 64
"""Beyond, too many vectors have to be decided: a custom array of 8 accelerators with 33 values takes 33 searches."""


def level_times(graph: PlacementGraph) -> tuple[int, ...] | None:
    """Return numbers among which every level's time is, ascending, or None where they are too many.

    A link's load is a sum of what at most 2^(H-1) exchanges keep it busy with, and a level's time is some link's
    load. Every value is taken as often as there are exchanges: some of the sums no placement reaches.
    """
    found = {0}
    for costs in {frozenset(load.values()) for load in link_loads(graph, 1)}:
        sums = sums_of(costs, graph.leaves // 2)
        if sums is None:
            return None
        found |= sums
        if len(found) > MOST_VALUES:
            return None
    return tuple(sorted(found))


def sums_of(parts: Collection[int], most: int) -> set[int] | None:
    """Return all sums of at most so many parts, each taken any number of times; None where they are too many."""
    found = fresh = {0}
    for _ in range(most):
        fresh = {total + part for total in fresh for part in parts} - found
        found = found | fresh
        if len(found) > MOST_VALUES:
            return None
    return found


def times_alone(graph: PlacementGraph) -> bool:
    """Return whether time is all that placements differ in: a level's pairs cost the same wherever they stand."""
    if graph.usage is None or not graph.usage.count or graph.sites < 2:
        return False
    apart = graph.pair_costs[~np.eye(graph.sites, dtype=np.bool_)]
    return bool((apart == apart[0]).all())
