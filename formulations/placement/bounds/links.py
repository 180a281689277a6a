"""How long pairs that exchange across a cut of the array keep some link of the cut busy, at least.

Let S be a set of nodes with k sites, and X the links from S to the rest that some route from a site in S to one
outside takes. If c pairs of a level are separated by S, c bytes for every byte per pair leave S, each over X at
least once, and as many enter over the links that lead back. If no link of X is busy for longer than T, link i takes
T / s_i bytes (s_i is its slowness), and of routes that are not split a whole number of them. So T is at least the
least for which these add up to c.

Which level times an order of the sites rules out (`Chain`): sets of leaves that grow site by site.

Given a time T_h for every level, a set of leaves X can stand on the first k sites of an order only if no cut between
these and the others is too narrow: for all h, what c_h(X) pairs need is at most T_h. If a placement has these times,
its leaves in the order of the sites give a chain of such sets from none to all, each with one leaf more. So where
there is no chain, no placement has these times or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.cuts import candidates, cut_values, distinct
from formulations.placement.bounds.hypercube import crossings, sizes
from formulations.placement.prices import times_together
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph, Usage

MOST_NODES = 512
"""Beyond, the cuts are too many."""
MOST_ENUMERATED = 16
"""Sites up to which, without switches, all sets of them are looked at."""


@dataclass(frozen=True, order=True)
class CutTimes:
    """What a cut says.

    Parameters
    ----------
    sites
        How many are in the set of nodes.
    times
        By number c of pairs of a level that are separated: how long the level takes at least.
    """

    sites: int
    times: tuple[int, ...]

    @property
    def slope(self) -> Fraction:
        """The most that every separated pair takes at least, for any number of them."""
        return min(Fraction(time, c) for c, time in enumerate(self.times) if c)


class ArrayLinks:
    """The links of an array, ready to be cut.

    Parameters
    ----------
    graph
        With usage.
    usage
        Its usage.
    """

    def __init__(self, graph: PlacementGraph, usage: Usage) -> None:
        self.sites, self.most = graph.sites, graph.leaves // 2
        self.ends, self.slowness = usage.ends, [int(slow) for slow in usage.slowness]
        self.nodes = max(graph.sites, int(usage.ends.max(initial=0)) + 1)
        self.step = int(np.gcd.reduce(usage.costs)) or 1
        self.whole = bool((usage.costs == usage.slowness[usage.links]).all())
        self.apart = times_together(usage, graph.sites, usage.costs.dtype)
        rows = np.repeat(np.arange(graph.sites**2), np.diff(usage.starts))
        self._taken = (*np.divmod(rows, graph.sites), usage.links)
        self._known: dict[tuple[int, ...], tuple[int, ...]] = {}

    def crossing(self, inside: Array) -> CutTimes:
        """Return what the cut around a set of nodes says; shape (nodes,)."""
        out, back = self._times(inside), self._times(~inside)
        return CutTimes(int(inside[: self.sites].sum()), tuple(max(pair) for pair in zip(out, back, strict=True)))

    def _times(self, inside: Array) -> tuple[int, ...]:
        source, target, link = self._taken
        leaves = inside[self.ends[link, 0]] & ~inside[self.ends[link, 1]]
        used = np.unique(link[leaves & inside[source] & ~inside[target]])
        slow = tuple(sorted(self.slowness[i] for i in used.tolist()))
        if slow not in self._known:
            self._known[slow] = tuple(self.least_time(slow, count) for count in range(self.most + 1))
        return self._known[slow]

    def least_time(self, slow: Sequence[int], count: int) -> int:
        """Return the least time in which links take a number of bytes."""
        if not count or not slow or not slow[0]:
            return 0
        if self.whole:
            return sorted(one * n for one in slow for n in range(1, count + 1))[count - 1]
        return ceil(count / sum(Fraction(1, one) for one in slow) / self.step) * self.step


def node_sets(graph: PlacementGraph, links: ArrayLinks) -> Array:
    """Return sets of nodes whose cuts may be narrow: balls, half-spaces, and of few sites the narrowest of all.

    Returns
    -------
    Array
        Of truth values, shape (sets, nodes); every set has some site, and lacks some.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    joined = csr_array((np.ones(len(links.ends)), (links.ends[:, 0], links.ends[:, 1])), shape=(links.nodes,) * 2)
    found = candidates(shortest_path(joined, unweighted=True).astype(np.int64))
    if links.nodes == graph.sites <= MOST_ENUMERATED:
        found = distinct(np.concatenate([found, _narrowest(links)]))
    held = found[:, : graph.sites].sum(axis=1)
    kept: Array = found[(held > 0) & (held < graph.sites)]
    return kept


def _narrowest(links: ArrayLinks) -> Array:
    """Return for every number of sites a set of so many whose links together take least; there are no switches."""
    width: Array = np.zeros((links.nodes, links.nodes))
    width[links.ends[:, 0], links.ends[:, 1]] = [1 / slow if slow else 0 for slow in links.slowness]
    across = cut_values(width)
    held = np.bitwise_count(np.arange(1 << links.nodes))
    masks = [int(np.argmin(np.where(held == k, across, np.inf))) for k in range(1, links.nodes)]
    sets: Array = (np.array(masks)[:, None] >> np.arange(links.nodes) & 1).astype(bool)
    return sets


@dataclass(frozen=True, eq=False)
class Chain:
    """An order of the sites.

    Parameters
    ----------
    levels
        H, at most 4; there are 2^H sites.
    times
        By number of sites before the cut and by c; shape (sites + 1, leaves / 2 + 1).
    """

    levels: int
    times: Array

    def excludes(self, limits: Sequence[int]) -> bool:
        """Return whether no placement has times of at most these, by level."""
        most = (self.times[:, None, :] <= np.array(limits)[None, :, None]).sum(axis=2) - 1
        reached: Array = np.ones(1, dtype=bool)
        for k, (vectors, before) in enumerate(layers(self.levels)[1:], start=1):
            reached = reached[before].any(axis=1) & (vectors <= most[k][None, :]).all(axis=1)
            if not reached.any():
                return True
        return False


@cache
def layers(levels: int) -> list[tuple[Array, Array]]:
    """Return for every k the sets of k leaves, ascending: their c_h, and where each without one leaf is in k - 1's.

    Shapes (sets, levels) and (sets, k).
    """
    found, smaller = [], np.zeros(0, dtype=np.int64)
    leaves = halves(levels).leaves
    for k in range(leaves + 1):
        masks = np.flatnonzero(sizes(levels) == k)
        bits = np.nonzero(masks[:, None] >> np.arange(leaves) & 1)[1].reshape(len(masks), k)
        before = np.searchsorted(smaller, masks[:, None] ^ (1 << bits)) if k else bits
        found.append((crossings(levels)[:, masks].T.astype(np.int64), before))
        smaller = masks
    return found


def chain_of(links: ArrayLinks, levels: int, order: Sequence[int]) -> Chain:
    """Return the chain of an order of sites."""
    inside: Array = np.zeros(links.nodes, dtype=bool)
    times = [(0,) * (links.most + 1)]
    for site in order[:-1]:
        inside[site] = True
        times.append(around(links, inside))
    times.append((0,) * (links.most + 1))
    return Chain(levels, np.array(times))


def around(links: ArrayLinks, inside: Array) -> tuple[int, ...]:
    """Return the times of the cut around some sites: switches stand on the side where it is narrower."""
    sites = np.arange(links.nodes) < links.sites
    crossed = [links.crossing(_settled(links, np.where(sites, inside, side))).times for side in (False, True)]
    return tuple(max(pair) for pair in zip(*crossed, strict=True))


def _settled(links: ArrayLinks, inside: Array) -> Array:
    """Move switches to the side with more of their links, as long as that narrows the cut."""
    inside = inside.copy()
    width = np.array([1 / slow if slow else 0.0 for slow in links.slowness])
    for _ in range(links.nodes):
        ahead, behind = inside[links.ends[:, 0]], inside[links.ends[:, 1]]
        gain = np.bincount(links.ends[:, 0], np.where(ahead != behind, width, -width), links.nodes)
        gain[: links.sites] = 0
        if gain.max() <= 0:
            break
        inside[int(np.argmax(gain))] ^= True
    return inside
