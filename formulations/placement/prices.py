"""What moving leaves changes, for many moves at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph, Usage

MOST_LOADS = 1 << 24
"""Entries of the table of what every pair of sites keeps every link busy with."""


@dataclass(frozen=True, eq=False)
class PriceTables:
    """A placement's cost without its constant, in tables that NumPy goes through.

    Sites that stay empty hold dummies: leaves from 2^H on that exchange with nobody, so that every move is an
    exchange. `at` is a site for every leaf and dummy, shape (sites,).

    Parameters
    ----------
    pair_costs
        Shape (sites, sites).
    volumes
        By level and leaf, 0 for dummies; shape (levels, sites).
    partners
        By level and leaf; a dummy's is itself. Shape (levels, sites).
    loads
        By pair of sites what both directions keep every link busy with, or None where time has no weight or the
        table is too large; shape (sites, sites, links).
    unit
        What volumes, and with them values, were divided by.
    """

    pair_costs: Array
    volumes: Array
    partners: Array
    loads: Array | None
    unit: int = 1

    @property
    def nearness(self) -> Array:
        """How far apart pairs of sites are: what they cost, and how long they keep all links together busy."""
        return self.pair_costs if self.loads is None else self.pair_costs + self.loads.sum(axis=2)

    @classmethod
    def of(cls, graph: PlacementGraph) -> PriceTables:
        """Divide volumes by what they have in common, and fill the tables.

        Where the table of loads is too large, a pair costs besides what its routes keep all their links busy with:
        the time is then an estimate.
        """
        dtype = _dtype(graph)
        leaves, real = np.arange(graph.sites), np.arange(graph.sites) < graph.leaves
        partners = np.array([np.where(real, leaves ^ bit, leaves) for bit in graph.partition.bits], dtype=np.int64)
        partners = partners.reshape(-1, graph.sites)
        common = gcd(*graph.volumes) or 1
        each = [[volume // common if one else 0 for one in real.tolist()] for volume in graph.volumes]
        volumes = np.array(each, dtype=object).reshape(-1, graph.sites)
        costs, loads = graph.pair_costs, None
        if graph.usage is not None:
            fits = graph.sites**2 * graph.usage.count <= MOST_LOADS
            loads = link_times(graph.usage, graph.sites, dtype) if fits else None
            costs = costs if fits else costs + times_together(graph.usage, graph.sites, dtype)
        return cls(costs.astype(dtype), volumes.astype(dtype), partners, loads, common)

    def value(self, at: Array) -> int:
        """Return what a placement costs."""
        total = int(self._owns(at).sum()) // 2
        return total + sum(int(self.volumes[h, 0]) * int(busy.max()) for h, busy in enumerate(self.busy(at)))

    def busy(self, at: Array) -> list[Array]:
        """Return for every level how busy every link is; nothing where time has no weight."""
        if self.loads is None or not self.loads.shape[2]:
            return []
        found = []
        for partners in self.partners:
            lower = np.flatnonzero(partners > np.arange(len(partners)))
            found.append(self.loads[at[lower], at[partners[lower]]].sum(axis=0))
        return found

    def exchanges(self, at: Array, leaf: int, busy: list[Array]) -> Array:
        """Return for every leaf what exchanging its site with a given leaf's adds to the cost; shape (sites,).

        Parameters
        ----------
        busy
            Of the placement, as `busy` returns it.
        """
        here = at[leaf]
        owns = self._owns(at)
        others = self.pair_costs[:, at[self.partners[:, leaf]]]  # of every site with the leaf's partners
        moved = others[at] @ self.volumes[:, leaf]
        coming = (self.volumes * self.pair_costs[here][at[self.partners]]).sum(axis=0)
        change: Array = moved + coming - owns - owns[leaf]
        for h, partner in enumerate(self.partners[:, leaf]):
            change[partner] += 2 * self.volumes[h, leaf] * self.pair_costs[here, at[partner]]
        for h, links in enumerate(busy):
            change += _delay(self, at, leaf, h, links)
        return change

    def _owns(self, at: Array) -> Array:
        """Return for every leaf what its own pairs cost."""
        owns: Array = (self.volumes * self.pair_costs[at, at[self.partners]]).sum(axis=0)
        return owns


def _delay(prices: PriceTables, at: Array, leaf: int, h: int, links: Array) -> Array:
    """Return for every leaf how much more time a level takes after the exchange."""
    loads, partners = prices.loads, prices.partners[h]
    if loads is None:
        return np.zeros_like(at)
    partner, theirs = partners[leaf], at[partners]
    exchanging = partners != np.arange(len(partners))  # all but dummies
    change = (loads[at[leaf], theirs] - loads[at, theirs]) * exchanging[:, None]
    if partner != leaf:
        change += loads[at, at[partner]] - loads[at[leaf], at[partner]]
    change[[leaf, partner]] = 0
    delay: Array = ((links + change).max(axis=1) - links.max()) * prices.volumes[h, 0]
    return delay


def _dtype(graph: PlacementGraph) -> type:
    """Return int64 if no sum of a whole placement can leave it."""
    largest = int(graph.pair_costs.max())
    if graph.usage is not None:
        largest += int(max(graph.usage.costs, default=0)) * max(1, graph.usage.count)
    # a level's volume of 0 or pair costs of 0 leave the other factor as it is
    return np.int64 if 8 * max(1, sum(graph.volumes)) * max(1, largest) * graph.sites < 2**62 else object


def link_times(usage: Usage, sites: int, dtype: Any) -> Array:
    """Return what the exchange of two sites keeps every link busy with; shape (sites, sites, links)."""
    table: Array = np.zeros((sites * sites, usage.count), dtype=dtype)
    table[np.repeat(np.arange(sites * sites), np.diff(usage.starts)), usage.links] = usage.costs
    return _both_ways(table.reshape(sites, sites, -1))


def times_together(usage: Usage, sites: int, dtype: Any) -> Array:
    """Return what the exchange of two sites keeps all links together busy with; shape (sites, sites)."""
    summed: Array = np.zeros(sites * sites, dtype=dtype)
    np.add.at(summed, np.repeat(np.arange(sites * sites), np.diff(usage.starts)), usage.costs.astype(dtype))
    return _both_ways(summed.reshape(sites, sites))


def _both_ways(one_way: Array) -> Array:
    both: Array = one_way + one_way.swapaxes(0, 1)
    return both
