"""Isoperimetry: k leaves exchange at least so much with the others, wherever they stand."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bounds.hypercube import least_boundary, least_of_sites
from formulations.placement.bounds.packing import claimed, proposed
from formulations.placement.bounds.result import LowerBound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Run


MOST_PAIRWISE = 128
"""Sites up to which the half-spaces of all pairs are taken; beyond, of nearest pairs only."""


def candidates(costs: Array) -> Array:
    """Return balls around sites, and half-spaces of the sites nearer to one of two than to the other.

    Returns
    -------
    Array
        Of truth values, shape (sets, sites); no set twice, nor with its complement.
    """
    found = np.concatenate([*_balls(costs), *_halves(costs)]) if len(costs) > 1 else np.zeros((0, 1), dtype=bool)
    return distinct(found)


def distinct(sets: Array) -> Array:
    """Return every set once, as itself or its complement, whichever lacks the last site; without the empty one."""
    without = sets ^ sets[:, -1:]
    packed = np.packbits(without, axis=1)
    _, first = np.unique(packed, axis=0, return_index=True)
    kept = without[np.sort(first)]
    return kept[kept.any(axis=1)]


def _balls(costs: Array) -> Iterator[Array]:
    """Yield for every radius the sites within it of every site; of many radii a few."""
    radii = np.unique(costs)
    for radius in radii[:: max(1, len(radii) // 64)]:
        yield (costs <= radius) | np.eye(len(costs), dtype=bool)


def _halves(costs: Array) -> Iterator[Array]:
    """Yield for every site the sites nearer to it than to another, and those at most as far."""
    count = len(costs)
    apart = costs + np.eye(count, dtype=np.int64) * int(costs.max())
    for site in range(count):
        near = apart[site] <= apart[site].min() if count > MOST_PAIRWISE else np.arange(count) != site
        yield costs[site][None, :] < costs[near]
        if count <= MOST_PAIRWISE:
            yield costs[site][None, :] <= costs[near]


MOST_SITES = 512
"""Beyond, the sets and their separations are too many."""
MOST_ENUMERATED = 16
"""Sites up to which sets are added from all that there are."""
ADDED = 200
"""Sets that a round adds."""
ROUNDS = 30


def cuts(graph: PlacementGraph, run: Run) -> LowerBound | None:
    """Return the bound of a packing of cuts on what adds up over pairs; None where sites are too many.

    `formulations.placement.bounds.packing` has the proof. With more sites than leaves, k sites hold between
    k - spare and k leaves.
    """
    if graph.sites > MOST_SITES:
        return None
    costs, unit = lowered(graph.pair_costs)
    least = least_of_sites(least_boundary(graph.volumes), graph.sites)
    sets = candidates(costs)
    if not len(sets) or not costs.max() or max(least) == 0:
        return LowerBound(0, "no cut is paid for")
    best, number = _searched(sets, costs, least, run)
    text = f"a packing of {number} cuts, each crossed by at least what its number of leaves exchanges with the others"
    return LowerBound(ceil(best * unit), text)


def lowered(costs: Array) -> tuple[Array, int]:
    """Return small integers, and a unit by which they are at most the pair costs."""
    unit = int(np.gcd.reduce(costs, axis=None)) or 1
    reduced = costs // unit
    shift = max(0, int(reduced.max()).bit_length() - 31)
    return (reduced >> shift).astype(np.int64), unit << shift


def _searched(sets: Array, costs: Array, least: Sequence[int], run: Run) -> tuple[Fraction, int]:
    """Solve, and where the sets can be enumerated add those that would pay, until none does."""
    pairs = _nearest(costs)
    best, number = Fraction(0), 0
    for _ in range(ROUNDS):
        multipliers, pairs, prices = proposed(sets, costs, least, pairs, run.limits)
        value = claimed(sets, multipliers, costs, least)
        if value > best:
            best, number = value, int((multipliers > 0).sum())
        fresh = _paying(len(costs), pairs, prices, least)
        if not len(fresh) or run.limits.over:
            break
        sets = distinct(np.concatenate([sets, fresh]))
    return best, number


def _nearest(costs: Array) -> Array:
    """Return for every site its pairs with the sites nearest to it, or all of few, as u * sites + v."""
    count = len(costs)
    if count <= MOST_ENUMERATED:
        return np.flatnonzero(np.triu(np.ones((count, count), dtype=bool), 1))
    apart = costs + np.eye(count, dtype=np.int64) * (int(costs.max()) + 1)
    first, second = np.nonzero(apart == apart.min(axis=1, keepdims=True))
    low, high = np.minimum(first, second), np.maximum(first, second)
    return np.unique(low * count + high)


def _paying(count: int, pairs: Array, prices: Array, least: Sequence[int]) -> Array:
    """Return sets of sites whose boundary is worth more than what its pairs are paid for."""
    if count > MOST_ENUMERATED:
        return np.zeros((0, count), dtype=bool)
    table = np.zeros((count, count))
    first, second = np.divmod(pairs, count)
    table[first, second] = table[second, first] = prices
    paid = cut_values(table)[: 1 << count - 1]
    masks = np.arange(1 << count - 1)
    gain = np.array(least, dtype=float)[np.bitwise_count(masks)] - paid
    chosen = np.argsort(gain)[::-1][:ADDED]
    chosen = chosen[gain[chosen] > 1e-7 * max(least)]
    return (masks[chosen][:, None] >> np.arange(count) & 1).astype(bool)


def cut_values(table: Array) -> Array:
    """Return for every set of sites, as a mask, the sum of a symmetric table over pairs that it separates."""
    count = len(table)
    values = np.zeros(1 << count, dtype=table.dtype)
    for site in range(count):
        among = np.zeros(1 << site, dtype=table.dtype)
        for other in range(site):
            among[1 << other : 2 << other] = among[: 1 << other] + table[site, other]
        values[1 << site : 2 << site] = values[: 1 << site] + table[site].sum() - 2 * among
    return values
