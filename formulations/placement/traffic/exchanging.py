"""Good placements of any traffic, by exchanges of two devices' sites while that gains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement.traffic import TrafficGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

BEGINNINGS = 24
"""Placements to begin with, drawn beside the device order."""
FEW = 128
"""Sites up to which so many are drawn; beyond it two."""


def exchange(graph: TrafficGraph, best: Incumbent, run: Run, enough: int) -> None:
    """Offer what exchanges make of several placements, until one costs no more than a bound.

    Floating point only says which exchange is tried; what is offered counts by the graph's own value.
    """
    flows = np.zeros((graph.sites, graph.sites))
    flows[: graph.leaves, : graph.leaves] = graph.flows.astype(np.float64)
    costs = graph.costs.astype(np.float64)
    may = np.ones((graph.sites, graph.sites), dtype=bool)  # empty sites are of devices that exchange nothing
    may[: graph.leaves] = True if graph.allowed is None else graph.allowed
    for begin in _beginnings(graph, best, run):
        best.offer(begin[: graph.leaves])
        best.offer(_settled(flows, costs, may, begin, run)[: graph.leaves])
        if run.limits.over or (best.value is not None and best.value <= enough):
            return


def _beginnings(graph: TrafficGraph, best: Incumbent, run: Run) -> Iterator[Array]:
    """Yield a site for every device and for each of the empty sites."""
    if best.choices is not None:
        taken = set(best.choices)
        yield np.array([*best.choices, *(site for site in range(graph.sites) if site not in taken)])
    if graph.feasible(range(graph.leaves)):
        yield np.arange(graph.sites)
    random = np.random.default_rng(run.limits.seed)
    for _ in range(BEGINNINGS if graph.sites <= FEW else 2):
        yield random.permutation(graph.sites) if graph.allowed is None else _drawn(graph.allowed, random)


def _drawn(allowed: Array, random: np.random.Generator) -> Array:
    """Return a site for every device on which it may stand, then the empty sites."""
    from scipy.optimize import linear_sum_assignment

    _, placed = linear_sum_assignment(np.where(allowed, random.random(allowed.shape), np.inf))
    return np.array([*placed, *sorted(set(range(allowed.shape[1])) - set(placed.tolist()))])


def _settled(flows: Array, costs: Array, may: Array, at: Array, run: Run) -> Array:
    """Return a placement from which no exchange gains; each time it is the one that gains most."""
    at = at.copy()
    while not run.limits.over:
        there = costs[np.ix_(at, at)]
        sums = flows @ there
        own = np.diag(sums)
        change = sums + sums.T - own[:, None] - own[None, :] + 2 * flows * there
        there_may = may[:, at]
        change[~(there_may & there_may.T)] = 0.0
        first, second = np.unravel_index(int(np.argmin(change)), change.shape)
        if change[first, second] >= -1e-9 * max(1.0, float(own.sum())):
            break
        at[[first, second]] = at[[second, first]]
    return at
