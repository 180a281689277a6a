"""Every leaf has partners of its own at every level, and a site has only so many near ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph


def neighbours(graph: PlacementGraph) -> LowerBound:
    """Return the bound on what adds up over pairs.

    The H partners of a leaf stand on H different other sites. So a site that is taken pays at least its H least
    pair costs, the least of them for the largest volume (the rearrangement inequality). Every pair is paid at
    both ends, hence half the sum over sites; if some sites stay empty, over the cheapest 2^H of them.
    """
    near = _nearest(graph.pair_costs, graph.levels)
    volumes = np.array(sorted(graph.volumes, reverse=True), dtype=object)
    per_site = sorted((near.astype(object) * volumes).sum(axis=1)) if graph.levels else [0]
    twice = sum(per_site[: graph.leaves])
    even = near.size == 0 or near.max() == near.min()
    text = "every partner as near as any site is" if even else "every partner among the nearest sites of a site"
    return LowerBound(-(-int(twice) // 2), text)


def _nearest(costs: Array, count: int) -> Array:
    """Return the least costs of every site's pairs with others, ascending; shape (sites, count)."""
    others = costs[~np.eye(len(costs), dtype=bool)].reshape(len(costs), -1)
    return np.sort(others, axis=1)[:, :count]
