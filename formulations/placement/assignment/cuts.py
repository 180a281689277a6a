"""Cuts: what exchanges between a set of sites and the others, whatever the placement."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.cuts import candidates
from formulations.placement.bounds.hypercube import least_boundary, least_of_sites
from formulations.placement.prices import times_together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph

MOST_SETS = 48
"""Sets of sites for which cuts are written, the most even ones."""
MOST_LEVELS = 4
"""Levels up to which cuts are written for every choice of levels, not only for all of them."""


@dataclass(frozen=True)
class Cut:
    """The inequality sum over h of weights[h] x (exchanges of level h from inside to outside) >= least.

    Parameters
    ----------
    inside
        A set of sites.
    weights
        By level.
    least
        What every placement reaches: the least edge boundary, in the hypercube whose dimension h weighs weights[h],
        of as many vertices as the sites inside can hold.
    """

    inside: frozenset[int]
    weights: tuple[int, ...]
    least: int

    def separated(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the pairs of which one site is inside and one is not."""
        return [(u, v) for u, v in pairs if (u in self.inside) != (v in self.inside)]

    def small(self, room: int) -> Cut:
        """Return a cut that this one implies, with weights up to `room`: all of it divided, and rounded up."""
        size = max(1, -(-max(self.weights) // room))
        return Cut(self.inside, tuple(-(-weight // size) for weight in self.weights), -(-self.least // size))


def cuts_of(graph: PlacementGraph) -> tuple[Cut, ...]:
    """Return cuts around balls and half-spaces of the array, for the volumes and for choices of levels."""
    if graph.sites < 2 or not graph.levels:
        return ()
    by_size = [(weights, least_of_sites(least_boundary(weights), graph.sites)) for weights in _weights(graph)]
    return tuple(
        Cut(inside, weights, least[len(inside)])
        for inside in _sets(graph)
        for weights, least in by_size
        if least[len(inside)]
    )


def _weights(graph: PlacementGraph) -> list[tuple[int, ...]]:
    common = gcd(*graph.volumes) or 1
    volumes = tuple(volume // common for volume in graph.volumes)
    ones = [(1,) * graph.levels] if graph.levels > MOST_LEVELS else product((0, 1), repeat=graph.levels)
    return [weights for weights in dict.fromkeys([volumes, *ones]) if any(weights)]


def _sets(graph: PlacementGraph) -> Iterator[frozenset[int]]:
    near = nearness(graph)
    if not near.any():
        return
    found = candidates(near)
    sizes = found.sum(axis=1)
    uneven = np.argsort(np.abs(2 * sizes - graph.sites), kind="stable")
    for row in found[uneven[:MOST_SETS]]:
        yield frozenset(int(site) for site in np.flatnonzero(row))


def nearness(graph: PlacementGraph) -> Array:
    """Return a number for every two sites: what their exchange costs and how long it keeps links busy, in all."""
    near = graph.pair_costs.astype(object)
    if graph.usage is not None and len(graph.usage.costs):
        near = near + times_together(graph.usage, graph.sites, object)
    ranks = np.unique(near, return_inverse=True)[1].reshape(near.shape)
    return ranks.astype(np.int64) - int(ranks[0, 0])
