"""Splitting sites into halves again and again, so that sites of a half are near each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph

FEW = 64
"""Positions up to which all reflections are tried."""


def bisected(graph: PlacementGraph, costs: Array) -> tuple[int, ...]:
    """Return a placement by recursive bisection.

    The first split is the one that the level of the least volume exchanges across, and so on. The halves of two
    halves are laid in the order in which counterparts are nearer to each other.

    Parameters
    ----------
    costs
        Of pairs of sites, for what is near; shape (sites, sites).
    """
    cut = graph.partition
    bits = [cut.bits[h] for h in sorted(range(graph.levels), key=lambda h: graph.volumes[h])]
    order = _split(costs, _compact(costs, graph.leaves))
    placed = [0] * graph.leaves
    for position, site in enumerate(order):
        leaf = sum(bit for bit, half in zip(bits, cut.coordinates(position), strict=True) if half)
        placed[leaf] = int(site)
    return tuple(placed)


def _compact(costs: Array, count: int) -> Array:
    """Return the sites nearest to one of them, where these are nearest."""
    if count == len(costs):
        return np.arange(count)
    order = np.argsort(costs, axis=1, kind="stable")[:, :count]
    totals = np.take_along_axis(costs, order, axis=1).sum(axis=1)
    return np.sort(order[int(np.argmin(totals))])


def _split(costs: Array, sites: Array) -> list[int]:
    """Return the sites so that both halves of the list are near each other, and so are both halves of each."""
    if len(sites) == 1:
        return [int(sites[0])]
    first, second = (_split(costs, half) for half in _halves(costs[np.ix_(sites, sites)], sites))
    turned = _turned(second)
    return first + min(turned, key=lambda order: int(costs[first, order].sum()))


def _turned(order: list[int]) -> list[list[int]]:
    """Return reflections of a list whose positions are a hypercube's corners: all of few, or along one dimension."""
    positions = np.arange(len(order))
    chosen = (
        positions if len(order) <= FEW else [0, *(1 << i for i in range(len(order).bit_length() - 1)), len(order) - 1]
    )
    return [[order[i] for i in (positions ^ int(turn)).tolist()] for turn in chosen]


def _halves(costs: Array, sites: Array) -> tuple[Array, Array]:
    """Begin with the sites nearer to one of the two farthest; then exchange two while that brings a half nearer.

    It is always the exchange that gains most (Kernighan, Lin, Bell System Technical Journal 49, 1970).
    """
    ends = np.unravel_index(int(np.argmax(costs)), costs.shape)
    order = np.argsort(costs[ends[0]] - costs[ends[1]], kind="stable")
    side = np.zeros(len(sites), dtype=bool)
    side[order[len(sites) // 2 :]] = True
    for _ in range(len(sites)):
        leaning = costs[:, side].sum(axis=1) - costs[:, ~side].sum(axis=1)
        first, second = np.flatnonzero(~side), np.flatnonzero(side)
        change = leaning[first][:, None] - leaning[second][None, :] - 2 * costs[np.ix_(first, second)]
        i, j = np.unravel_index(int(np.argmin(change)), change.shape)
        if change[i, j] >= 0:
            break
        side[first[i]], side[second[j]] = True, False
    return sites[~side], sites[side]
