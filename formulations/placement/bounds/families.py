"""Inequalities that cuts of the array give for what exchanges at each level."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.cuts import cut_values
from formulations.placement.bounds.hypercube import MOST_ENUMERATED, least_boundary, least_of_sites

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph

AT_ONCE = 60
"""Inequalities that a round adds, for all weights together."""
VIOLATED = 1e-6
"""By how much of what is least."""


@dataclass(frozen=True, eq=False)
class Inequality:
    """The sum over levels h of weights[h] x (pairs of level h that a set of sites separates) is at least so much.

    Parameters
    ----------
    weights
        By level.
    inside
        The set, shape (sites,).
    least
        The least boundary of as many leaves, in the hypercube that is weighted so.
    """

    weights: tuple[int, ...]
    inside: Array
    least: int


class Families:
    """All that can be added.

    Parameters
    ----------
    graph
        The problem.
    sets
        Candidates; of few sites all sets are looked at. Shape (sets, sites).
    """

    def __init__(self, graph: PlacementGraph, sets: Array) -> None:
        self.sites, self._enumerated = graph.sites, graph.sites <= 1 << MOST_ENUMERATED
        self.sets = sets
        if self._enumerated:
            masks = np.arange(1 << graph.sites - 1)
            self.sets = (masks[:, None] >> np.arange(graph.sites) & 1).astype(bool)
        self._sizes = self.sets.sum(axis=1)
        self.least = {
            weights: least_of_sites(least_boundary(weights), graph.sites) for weights in weightings(graph.volumes)
        }
        self._known: set[tuple[tuple[int, ...], bytes]] = set()

    def violated(self, exchanged: Array) -> list[Inequality]:
        """Return the inequalities that a solution violates most, of each weighting's a few.

        Parameters
        ----------
        exchanged
            By level and pair of sites, symmetric, shape (levels, sites, sites).
        """
        found = []
        across = [self._across(table) for table in exchanged]
        for weights, least in self.least.items():
            lacking = np.array(least, dtype=float)[self._sizes]
            lacking -= sum(weight * one for weight, one in zip(weights, across, strict=True))
            worst = np.argsort(lacking)[::-1][: max(4, AT_ONCE // len(self.least))]
            for i in worst[lacking[worst] > VIOLATED * max(least)].tolist():
                inside = self.sets[i]
                key = (weights, np.packbits(inside).tobytes())
                if key not in self._known:
                    self._known.add(key)
                    found.append(Inequality(weights, inside, least[int(inside.sum())]))
        return found

    def _across(self, table: Array) -> Array:
        """Return for every set what it separates."""
        if self._enumerated:
            return cut_values(table)[: 1 << self.sites - 1]
        inside = self.sets.astype(float)
        separated: Array = ((inside @ table) * (1 - inside)).sum(axis=1)
        return separated


def weightings(volumes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the volumes, cut off at any one of them, and up to six levels every choice of levels."""
    found = {tuple(min(volume, most) for volume in volumes) for most in volumes if most}
    if len(volumes) <= 6:
        found |= {one for one in product((0, 1), repeat=len(volumes)) if any(one)}
    return sorted(found)


def separated(one: Inequality, first: Array, second: Array) -> Iterator[Array]:
    """Yield for every level the inequality's coefficient of every pair of sites."""
    small = max(map(abs, one.weights), default=0) < 2**62
    apart = (one.inside[first] ^ one.inside[second]).astype(np.int64 if small else object)
    return (weight * apart for weight in one.weights)
