"""Better placements from a placement: descent, and annealing by exchanges of leaves and of subcubes.

And quick good placements, for searches and exact models to start from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.bisection import bisected
from formulations.placement.bounds.line import line
from formulations.placement.bounds.sweep import sweep
from formulations.placement.found import gray, too_many_sites
from formulations.placement.prices import PriceTables
from hypar_opt.formulation.incumbent import Incumbent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.placement import PlacementGraph
    from hypar_opt.formulation.run import Limits, Run


SUBCUBES = 8
"""One step in so many exchanges two subcubes instead of two leaves."""
COLDEST = 0.02
"""Of the first temperature, the last one."""


def everywhere(placed: Sequence[int], sites: int) -> Array:
    """Return a site for every leaf and dummy: the empty sites, ascending, behind a placement's own."""
    taken = set(placed)
    return np.array([*placed, *(site for site in range(sites) if site not in taken)])


def descended(prices: PriceTables, at: Array, leaves: int, limits: Limits) -> Array:
    """Return a placement that no exchange of a leaf's site improves; after a limit, one that is no worse."""
    at = at.copy()
    settled, leaf = 0, 0
    while settled < leaves and not limits.over:
        change = prices.exchanges(at, leaf, prices.busy(at))
        best = int(np.argmin(change))
        settled = settled + 1 if change[best] >= 0 else 0
        if change[best] < 0:
            at[[leaf, best]] = at[[best, leaf]]
        leaf = (leaf + 1) % leaves
    return at


@dataclass(eq=False)
class Annealing:
    """Heat-bath annealing: of a leaf's exchanges one is drawn by its Boltzmann weight.

    Parameters
    ----------
    prices, leaves, limits
        What is improved, and for how long.
    random
        Where all choices come from: with the same one, and no limit on the way, a run repeats itself.
    """

    prices: PriceTables
    leaves: int
    limits: Limits
    random: np.random.Generator

    def improved(self, at: Array, steps: int, better: Callable[[Array, int], bool]) -> None:
        """Anneal once.

        Parameters
        ----------
        better
            Told of every placement below all before it in this run, and what it costs; it may ask to stop.
        """
        at, value = at.copy(), self.prices.value(at)
        best = value
        heat = self._first_temperature(at)
        for step in range(steps):
            if step % 16 == 0 and self.limits.over:
                return
            temperature = heat * COLDEST ** (step / steps)
            value += self._subcubes(at, temperature) if step % SUBCUBES == 0 else self._leaves(at, temperature)
            if value < best:
                best = value
                if better(at, value):
                    return

    def _first_temperature(self, at: Array) -> float:
        """Return a quarter of what a typical exchange changes."""
        busy = self.prices.busy(at)
        drawn = self.random.integers(0, self.leaves, 4)
        changes = np.concatenate([self.prices.exchanges(at, int(leaf), busy) for leaf in drawn]).astype(float)
        return float(np.abs(changes).mean()) / 4 or 1.0

    def _leaves(self, at: Array, temperature: float) -> int:
        leaf = int(self.random.integers(0, self.leaves))
        change = self.prices.exchanges(at, leaf, self.prices.busy(at))
        scaled = change.astype(float) / temperature
        weights = np.cumsum(np.exp(scaled.min() - scaled))
        other = int(np.searchsorted(weights, self.random.random() * weights[-1]))
        at[[leaf, other]] = at[[other, leaf]]
        return int(change[other])

    def _subcubes(self, at: Array, temperature: float) -> int:
        """Exchange two subcubes along the same dimensions, by Metropolis' rule; a shift of none reflects one."""
        first, second = self._two()
        moved = at.copy()
        moved[first], moved[second] = at[second], at[first]
        change = self.prices.value(moved) - self.prices.value(at)
        if change > 0 and self.random.random() >= np.exp(-float(change) / temperature):
            return 0
        at[:] = moved
        return change

    def _two(self) -> tuple[Array, Array]:
        """Return the leaves of two disjoint subcubes, in such an order that each goes to its counterpart."""
        free = int(self.random.integers(0, self.leaves))
        base, shift = (int(x) & ~free for x in self.random.integers(0, self.leaves, 2))
        turn = int(self.random.integers(0, self.leaves)) & free
        every = np.arange(self.leaves)
        inside = every[(every & ~free) == base]
        if shift == 0 and turn:  # a reflection within the subcube: pairs x, x ^ turn
            low = inside[inside < (inside ^ turn)]
            return low, low ^ turn
        return (inside, inside ^ shift ^ turn) if shift else (inside[:0], inside[:0])


@dataclass(eq=False)
class PlacementSearch:
    """A search for placements by tables of prices, which may be an estimate; the best counts by the graph's own value.

    Parameters
    ----------
    graph, run
        What is searched, and whom to tell.
    enough
        A value that ends the search, or None.
    """

    graph: PlacementGraph
    run: Run
    enough: int | None = None

    @cached_property
    def best(self) -> Incumbent:
        """The best placement so far."""
        return Incumbent(self.graph, self.run)

    @property
    def placed(self) -> tuple[int, ...]:
        """The best placement, of which there is one as soon as one was offered."""
        assert self.best.choices is not None
        return self.best.choices

    @cached_property
    def prices(self) -> PriceTables:
        """Of the graph."""
        return PriceTables.of(self.graph)

    @property
    def over(self) -> bool:
        """Whether nothing more is to be found, or looked for."""
        return self.run.limits.over or (self.enough is not None and self.best.value == self.enough)

    def descend(self, at: Array) -> Array:
        """Descend, and offer what comes of it."""
        settled = descended(self.prices, at, self.graph.leaves, self.run.limits)
        self.best.offer(settled[: self.graph.leaves])
        return settled

    def annealed(self, starts: Sequence[Sequence[int]], restarts: int, steps: int) -> int:
        """Anneal from the starts in turn, and descend from what comes of it; return how often."""
        random = np.random.default_rng(self.run.limits.seed)
        annealing = Annealing(self.prices, self.graph.leaves, self.run.limits, random)
        for done in range(restarts):
            if self.over:
                return done
            at = self.descend(everywhere(starts[done % len(starts)], self.graph.sites))
            lowest = [at]

            def better(found: Array, value: int, lowest: list[Array] = lowest) -> bool:
                lowest[0] = found.copy()
                return self.enough is not None and self.graph.value(found[: self.graph.leaves].tolist()) <= self.enough

            if not self.over:
                annealing.improved(at, steps, better)
                self.descend(lowest[0])
        return restarts


STEPS = 2000
"""Of the annealing that follows."""
ANNEALED = 256
"""Sites up to which there is one."""


def best_start(graph: PlacementGraph, run: Run, enough: int | None = None) -> tuple[int, ...]:
    """Return a site for every leaf.

    The best of the identity, the Gray code, a recursive bisection, the optimum of a line or a ring, the run's own
    start, and what descent and a short annealing make of it. Nothing is told to the run's listener.

    Parameters
    ----------
    enough
        A cost that is not improved on any more: a lower bound.
    """
    search = PlacementSearch(graph, replace(run, listener=None))
    best = search.best
    if run.start is not None:
        best.offer(run.start)
    best.offer(range(graph.leaves))
    if too_many_sites(graph) is None:
        for one in starts(graph, search.prices):
            best.offer(one)
        for argument in (line, sweep):
            found = None if graph.usage is not None or run.limits.over else argument(graph, run)
            if found is not None and found.placed is not None:
                best.offer(found.placed)
                return search.placed
        if enough is None or best.value is None or best.value > enough:
            search.annealed([search.placed], 1, STEPS if graph.sites <= ANNEALED else 0)
    return search.placed


def starts(graph: PlacementGraph, prices: PriceTables) -> tuple[tuple[int, ...], ...]:
    """Return placements by rule, cheap to get: the identity, the Gray code, a recursive bisection."""
    return tuple(range(graph.leaves)), gray(graph), bisected(graph, prices.nearness)
