"""The ascent of the smoothed dual: messages by soft passes, prices by Newton steps, both carried on while mu falls."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from formulations.lagrangian.dual import WARM_UP, Dual
from formulations.lagrangian.moments import moments, step
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.pricing import first_prices, priced, used, value
from formulations.lagrangian.smoothing import absorbed, softly_passed
from formulations.neighbourhood_search.layout import TableLayout
from hypar_opt.costgraph import Array, Duals, Priced, Tables
from hypar_opt.costgraph.duals import places

FIRST_MU, MUCH = 0.5, 0.01
"""The first mu, of what a variable or an edge has gained on average; and of the gap, what counts as gained at least."""
STRETCH = 10
"""Passes at one mu; then the bound is looked at."""
FALL = 0.8
"""By what mu falls after a stretch that gained less than `HARDLY` of what the smoothing costs."""
HARDLY = 0.03
LOWEST = 1e-12
"""Of mu, of any costs: where rounding is more than what is left, it would fall until nothing can be divided by it."""
MOMENTUM = 0.95
"""Of the last step, how much is taken once more."""
DAMPING = 3.0
"""Of the prices' steps, in parts of the curvature's diagonal."""
SHORTER, SOON = 0.1, 2.0
"""By what the prices' reach falls with the smoothed bound, and grows from stretch to stretch."""
LEAST = 0.03
"""Of the first prices, what plans are searched for with at least."""
GAIN = 1e-6
"""What is worth going on for, of all that the bound has gained since prices began; costs have no natural zero."""
LITTLE = 0.01
"""What is not, of any bound: costs are integers."""


class SmoothedDual(Dual):
    """Messages and prices that are made better by way of the smoothed dual, after a few hard passes.

    Parameters
    ----------
    tables, layout
        Of one another.
    """

    def __init__(self, tables: Tables, layout: TableLayout) -> None:
        super().__init__(tables, layout)
        self.mu = 0.0
        self._references, self._kernels = np.empty_like(self.messages), np.empty(len(layout.pairs), dtype=np.float32)
        self._before = self.messages, self.prices
        self.shares = np.zeros(len(layout.unary))
        self._soft = self._rested = -np.inf
        self._reach, self._trust = self.prices, 1.0
        self._ended = False

    @cached_property
    def _begun(self) -> float:
        """The bound without messages and prices."""
        return float(Priced(self.tables, Duals.zero(self.tables)).bound - self.tables.constant)

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected."""
        return self._ended

    @property
    def guide(self) -> Array:
        """The prices to search for plans by: the best ones, and where they are nearly nothing a part of the first ones.

        Most rows have room enough for the dual to leave them without a price; a search soon finds one too full, and its
        price moves by factors.
        """
        return np.maximum(self._best[1], LEAST * self._reach)

    def advance(self) -> Array:
        """Pass forwards and backwards, then move the prices; return what the choices use."""
        if self.passes < WARM_UP:
            use = super().advance()
            if self.passes == WARM_UP:
                self._begin()
            return use
        self.passes += 1
        self._ascend()
        if self.passes % STRETCH == 0:
            self._look()
            self._settle()
        return used(self.layout, self.choices)

    @classmethod
    def of(cls, dual: Dual, mu: float) -> SmoothedDual:
        """Return an ascent of its own that goes on from the best messages and prices of another one, at a mu."""
        reach = first_prices(dual.bound, dual.layout.room)
        other = cls.resumed(dual.tables, dual.layout, *dual.best, dual.average, mu, reach)
        other.bound = dual.bound
        return other

    def confined(self, tables: Tables, kept: Array) -> SmoothedDual:
        """Return the ascent that goes on from here without some values; its bounds are of what is left.

        Parameters
        ----------
        tables
            Without them.
        kept
            By value of this one's tables, whether it stays.
        """
        given = np.concatenate([kept[places(self.tables, side)] for side in (0, 1)])
        own = self.messages[given], self.prices, self.average, self.mu, self._reach, self._begun
        return SmoothedDual.resumed(tables, penalised(tables), *own)

    @classmethod
    def resumed(
        cls,
        tables: Tables,
        layout: TableLayout,
        messages: Array,
        prices: Array,
        average: Array,
        mu: float,
        reach: Array,
        begun: float | None = None,
    ) -> SmoothedDual:
        """Return an ascent that goes on from messages and prices.

        Parameters
        ----------
        tables, layout
            Of one another.
        messages, prices, average
            As of `Dual.resume`.
        mu
            To go on with.
        reach
            As of `moments.step`.
        begun
            The bound that gains are counted from; that without messages and prices if None.
        """
        other = cls(tables, layout)
        other.resume(messages, prices, average, 0.0)
        other.mu, other._before, other._reach = max(mu, LOWEST), other._best, reach
        if begun is not None:
            other._begun = begun
        absorbed(layout, other.begins, other.messages, other.mu, other._references, other._kernels)
        return other

    def _begin(self) -> None:
        """Set the first mu: what a variable or an edge has on average of all that the hard passes have gained.

        The prices are those that the hard dual begins with. Both have no natural zero of the costs in them.
        """
        gap = value(self.layout, self.choices) - self.bound
        gained = max(self.bound - self._begun, MUCH * gap)
        self.mu = max(FIRST_MU * gained / max(self.tables.count + len(self.tables.ends), 1), LITTLE)
        self._reach = self.prices.copy()
        self._before = self.messages.copy(), self.prices.copy()
        absorbed(self.layout, self.begins, self.messages, self.mu, self._references, self._kernels)

    def _ascend(self) -> None:
        """Pass soft messages both ways, move the prices, and go on in the direction of what has changed."""
        costs, worth = priced(self.layout, self.prices), float(self.prices @ self.layout.room)
        shares = np.empty((2, len(costs)))
        whole = self.layout, costs, self.messages, self.begins
        kept = self.mu, self._references, self._kernels
        for (order, rank), own in zip(self._orders, shares, strict=True):
            self._soft = softly_passed(*whole, order, rank, *kept, own) - worth
        self.shares = shares.mean(axis=0)
        use, variances = moments(self.layout, self.shares)
        self.average[:] = use
        reach = self._trust * (self._reach + self.prices)
        self.prices += step(self.layout, self.prices, use - self.layout.room, variances / self.mu, DAMPING, reach)
        reached = self.messages.copy(), self.prices.copy()
        self.messages += MOMENTUM * (self.messages - self._before[0])
        self.prices = np.maximum(self.prices + MOMENTUM * (self.prices - self._before[1]), 0.0)
        self._before = reached

    def _look(self) -> None:
        """Pass hard messages both ways from the soft ones, which stay; keep the better bound of the two."""
        soft, costs = self.messages, priced(self.layout, self.prices)
        self.messages = soft.copy()
        for direction in (0, 1):
            self._keep(self._pass(costs, direction))
        self.messages = soft

    def _settle(self) -> None:
        """Lower mu where the smoothed bound has come to rest, or end; write the kernels anew.

        Where it has fallen steps were too long: it goes on from the best with shorter ones, which soon grow again.
        """
        lost, gained = self.bound - self._soft, self._soft - self._rested
        self._trust = min(SOON * self._trust, 1.0)
        if gained < 0.0:
            self._trust *= SHORTER
            self._before = self._best
            self.messages, self.prices = self._best[0].copy(), self._best[1].copy()
        if gained < HARDLY * lost:
            little = max(GAIN * (self.bound - self._begun), LITTLE)
            self._ended = lost < little and gained > -little  # where it fell it has come to no rest
            self.mu = max(FALL * self.mu, LOWEST)
            self._soft = -np.inf
        self._rested = self._soft
        absorbed(self.layout, self.begins, self.messages, self.mu, self._references, self._kernels)
