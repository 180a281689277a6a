"""What the busiest links cost at least, over all levels together.

A vector of times (T_1 .. T_H) is ruled out where it leaves no room: by one cut of the array, if no set of as many
leaves as the cut has sites has few enough pairs at every level, by blocks of sites that cannot hold all leaves
together (`formulations.placement.bounds.blocks`), or by an order of the sites (`Chain`). The search goes through
vectors by what they cost, the cheapest first. One that is ruled out is replaced by vectors of which any placement's
times are at least one: for a cut, by what each least vector of crossings would need; for blocks, by what a number
of leaves would need in one of them that it cannot have; for an order, by the next longer time at any one level. So
what the cheapest vector that is not ruled out costs, no placement beats.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from formulations.placement.bounds.blocks import can_hold, least_highest, partitions
from formulations.placement.bounds.hypercube import MOST_ENUMERATED, least_boundary, least_crossings, least_of_sites
from formulations.placement.bounds.links import MOST_NODES, ArrayLinks, Chain, CutTimes, around, chain_of, node_sets
from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.placement import PlacementGraph, Usage
    from hypar_opt.formulation.run import Run

Times: TypeAlias = "tuple[int, ...]"
MOST_VECTORS = 20_000
"""That are looked at before the search ends with what it has."""


def times(graph: PlacementGraph, usage: Usage, run: Run) -> LowerBound:
    """Return the bound on the busiest links' part of the cost."""
    own = quickest_pair(graph, usage)
    alone = LowerBound(own * sum(graph.volumes), "every level takes as long as its quickest pair")
    links = ArrayLinks(graph, usage)
    if links.nodes > MOST_NODES or not graph.levels:
        return alone
    vectors = Vectors.of(graph, links, own)
    if graph.levels > MOST_ENUMERATED:
        return max(alone, _summed(vectors, own), key=lambda one: one.value)
    return vectors.bound(run)


def quickest_pair(graph: PlacementGraph, usage: Usage) -> int:
    """Return how long a level takes at least: some pair exchanges at it, over its own slowest link."""
    starts, costs = usage.starts, usage.costs
    most = [int(costs[a:b].max(initial=0)) for a, b in pairwise(starts.tolist())]
    table = np.array(most, dtype=costs.dtype).reshape(graph.sites, graph.sites)
    return int(np.maximum(table, table.T)[~np.eye(graph.sites, dtype=bool)].min(initial=max(most, default=0)))


def strongest(crossings: Iterator[CutTimes]) -> list[CutTimes]:
    """Return cuts without those that another one of as many sites says as much as."""
    kept: list[CutTimes] = []
    for one in sorted(set(crossings), key=lambda crossing: crossing.times, reverse=True):
        if not any(one.sites == other.sites and below(one.times, other.times) for other in kept):
            kept.append(one)
    return kept


def below(first: Sequence[int], second: Sequence[int]) -> bool:
    """Return whether the first is at most as large as the second everywhere."""
    return all(a <= b for a, b in zip(first, second, strict=True))


def families(graph: PlacementGraph, links: ArrayLinks) -> list[tuple[CutTimes, ...]]:
    """Return the cuts around blocks of near sites, of which one without leaves says that the others have them.

    Where every site has a leaf, single cuts say as much.
    """
    if graph.sites == graph.leaves:
        return []
    known: dict[tuple[int, ...], CutTimes] = {}
    found = set()
    for blocks in partitions(links.apart):
        for block in blocks:
            if block not in known:
                known[block] = CutTimes(len(block), around(links, np.isin(np.arange(links.nodes), block)))
        found.add(tuple(sorted(known[block] for block in blocks)))
    return sorted(found)


def _summed(vectors: Vectors, own: int) -> LowerBound:
    """Return the best of single cuts, and of blocks, for any number of levels.

    Where c pairs need at least a c (a is the least slope of a cut's times), parts w_h <= volumes[h] of the volumes
    cost together at least a times the least boundary in the hypercube weighted by w, and the rest of every volume
    costs at least the quickest pair's time. w is the volumes cut off at one of them. Of blocks the dearest counts,
    however the leaves are spread over them.
    """
    graph = vectors.graph
    best, total = LowerBound(0, "no cut is narrow"), sum(graph.volumes)
    for most in sorted(set(graph.volumes)):
        capped = [min(volume, most) for volume in graph.volumes]
        each, rest = least_boundary(capped), own * (total - sum(capped))
        least = least_of_sites(each, graph.sites)
        for cut in vectors.cuts:
            value = ceil(cut.slope * least[cut.sites]) + rest
            if value > best.value:
                best = LowerBound(
                    value, "one cut of the array is too narrow for what k leaves exchange with the others"
                )
        for blocks in vectors.families:
            costs = [[ceil(cut.slope * one) for one in each[: cut.sites + 1]] for cut in blocks]
            value = least_highest(costs, graph.leaves) + rest
            if value > best.value:
                best = LowerBound(value, f"{len(blocks)} blocks of near sites are too narrow for all leaves together")
    return best


@dataclass(frozen=True, eq=False)
class Vectors:
    """The search over vectors of times.

    Parameters
    ----------
    graph, links
        The array.
    cuts
        Single cuts.
    own
        What every level takes at least.
    families
        Cuts around disjoint blocks that have all sites together.
    """

    graph: PlacementGraph
    links: ArrayLinks
    cuts: Sequence[CutTimes]
    own: int
    families: Sequence[tuple[CutTimes, ...]] = ()
    _of_blocks: dict[CutTimes, list[list[Times]]] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(graph: PlacementGraph, links: ArrayLinks, own: int) -> Vectors:
        """Cut the array where it may be narrow."""
        cuts = strongest(links.crossing(one) for one in node_sets(graph, links))
        return Vectors(graph, links, cuts, own, families(graph, links))

    def bound(self, run: Run) -> LowerBound:
        """Return what the cheapest vector that is not ruled out costs."""
        first = (self.own,) * self.graph.levels
        heap, seen, chained = [(self._cost(first), first)], {first}, False
        for _ in range(MOST_VECTORS):
            vector = heap[0][1]
            following = self.after(vector)
            if following is None and self.excluded_by_order(vector):
                following, chained = self._longer(vector), True
            if following is None or run.limits.over:
                break
            heapq.heappop(heap)
            for one in following:
                known = self._sorted(one)
                if known not in seen:
                    seen.add(known)
                    heapq.heappush(heap, (self._cost(known), known))
        return LowerBound(heap[0][0], self._text(chained))

    def _cost(self, vector: Times) -> int:
        return sum(volume * time for volume, time in zip(self.graph.volumes, vector, strict=True))

    def _text(self, chained: bool) -> str:
        by = f"{len(self.cuts)} cuts of the array"
        by += f", {len(self.families)} ways to see it as blocks" if self.families else ""
        by += " and sets of leaves that grow site by site" if chained else ""
        return f"no cheaper times of the levels are left by {by}"

    def _sorted(self, vector: Times) -> Times:
        """Return the times of levels with equal volumes ascending: the hypercube does not tell such levels apart."""
        found = list(vector)
        for volume in set(self.graph.volumes):
            same = [h for h, other in enumerate(self.graph.volumes) if other == volume]
            for h, time in zip(same, sorted(vector[h] for h in same), strict=True):
                found[h] = time
        return tuple(found)

    def after(self, vector: Times) -> list[Times] | None:
        """Return what has to be looked at instead, if cuts or blocks rule a vector out, or None."""
        following = self._after_cut(vector)
        return self._after_blocks(vector) if following is None else following

    def _after_cut(self, vector: Times) -> list[Times] | None:
        """Return what has to be looked at instead, if a single cut rules a vector out, or None."""
        for cut in self.cuts:
            needed = [tuple(cut.times[c] for c in crossing) for crossing in self._crossing[cut.sites]]
            if not any(below(need, vector) for need in needed):
                return [tuple(max(pair) for pair in zip(need, vector, strict=True)) for need in needed]
        return None

    def _after_blocks(self, vector: Times) -> list[Times] | None:
        """Return what has to be looked at instead, if some blocks cannot hold all leaves within a vector, or None.

        One of them then holds a number of leaves that it cannot hold within the vector.
        """
        for blocks in self.families:
            fitting = [[any(below(need, vector) for need in each) for each in self._needed(cut)] for cut in blocks]
            if not can_hold(([n for n, one in enumerate(held) if one] for held in fitting), self.graph.leaves):
                following = {
                    tuple(max(pair) for pair in zip(need, vector, strict=True))
                    for cut, held in zip(blocks, fitting, strict=True)
                    for each, one in zip(self._needed(cut), held, strict=True)
                    for need in ([] if one else each)
                }
                return [one for one in following if not any(below(other, one) for other in following - {one})]
        return None

    def _needed(self, cut: CutTimes) -> list[list[Times]]:
        """Return by number of leaves on a block's sites the times that each least vector of crossings needs."""
        if cut not in self._of_blocks:
            exact = least_crossings(self.graph.levels)[: cut.sites + 1]
            self._of_blocks[cut] = [[tuple(cut.times[c] for c in one) for one in each] for each in exact]
        return self._of_blocks[cut]

    def excluded_by_order(self, vector: Times) -> bool:
        """Return whether an order of the sites rules a vector out."""
        return any(chain.excludes(vector) for chain in self._chains)

    def _longer(self, vector: Times) -> list[Times]:
        following = []
        for h, time in enumerate(vector):
            longer = next((other for other in self._known_times if other > time), None)
            if longer is not None:
                following.append((*vector[:h], longer, *vector[h + 1 :]))
        return following

    @cached_property
    def _crossing(self) -> list[list[Times]]:
        """By number of sites, the least crossings of sets of leaves that can stand on them."""
        leaves, spare = self.graph.leaves, self.graph.sites - self.graph.leaves
        exact = least_crossings(self.graph.levels)
        ranges = [range(max(0, k - spare), min(k, leaves) + 1) for k in range(self.graph.sites + 1)]
        return [sorted({vector for j in one for vector in exact[j]}) for one in ranges]

    @cached_property
    def _chains(self) -> list[Chain]:
        if self.graph.sites != self.graph.leaves:
            return []
        return [chain_of(self.links, self.graph.levels, range(self.graph.sites))]

    @cached_property
    def _known_times(self) -> list[int]:
        by_chain = {int(time) for chain in self._chains for time in chain.times.ravel()}
        return sorted(by_chain | {self.own} | {time for cut in self.cuts for time in cut.times})
