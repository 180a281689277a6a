"""Which level times an order of the sites rules out: sets of leaves that grow site by site.

Given a time T_h for every level, a set of leaves X can stand on the first k sites of an order only if no cut between
these and the others is too narrow: for all h, what c_h(X) pairs need is at most T_h. If a placement has these times,
its leaves in the order of the sites give a chain of such sets from none to all, each with one leaf more. So where
there is no chain, no placement has these times or less.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.hypercube import crossings, sizes
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.placement.bounds.links import ArrayLinks
    from hypar_opt.costgraph import Array


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
    """Return the chain of an order of sites: switches stand on the side where a cut is narrower."""
    inside: Array = np.zeros(links.nodes, dtype=bool)
    times = [(0,) * (links.most + 1)]
    for site in order[:-1]:
        inside[site] = True
        sides = [
            _settled(links, np.where(np.arange(links.nodes) < links.sites, inside, side)) for side in (False, True)
        ]
        crossed = [links.crossing(one).times for one in sides]
        times.append(tuple(max(pair) for pair in zip(*crossed, strict=True)))
    times.append((0,) * (links.most + 1))
    return Chain(levels, np.array(times))


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
