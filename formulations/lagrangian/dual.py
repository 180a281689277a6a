"""The dual ascent: soft messages by passes, prices by Newton steps, both carried on by momentum while mu falls."""

from __future__ import annotations

import numpy as np

from formulations.lagrangian.moments import moments, step
from formulations.lagrangian.passing import passed
from formulations.lagrangian.pricing import first_prices, priced, used, value
from formulations.lagrangian.smoothing import absorbed, softly_passed
from formulations.neighbourhood_search.layout import TableLayout, ends_in_turn
from hypar_opt.costgraph import Array, Duals, Tables, offsets, rounded

WARM_UP = 10
"""Hard passes without prices; their bound is the unit of the first prices."""
FIRST_MU = 0.3
"""The first mu, in what a variable or an edge has on average of the gap between those passes' choices and bound."""
STRETCH = 10
"""Passes at one mu; then the bound is looked at."""
FALL = 0.8
"""By what mu falls after a stretch that gained less than `HARDLY` of what the smoothing costs."""
HARDLY = 0.03
MOMENTUM = 0.95
"""Of the last step, how much is taken once more."""
DAMPING = 3.0
"""Of the prices' steps, in parts of the curvature's diagonal."""
GAIN = 1e-6
"""What is worth going on for, of all that the bound has gained since prices began; costs have no natural zero."""
LITTLE = 0.01
"""What is not, of any bound: costs are integers."""


class Dual:
    """Messages and prices that are made better.

    Parameters
    ----------
    tables, layout
        Of one another.
    """

    def __init__(self, tables: Tables, layout: TableLayout) -> None:
        self.tables, self.layout = tables, layout
        # by edge and side: those to first variables come before those to second ones
        begins = offsets(tables.edge_sizes.T.reshape(-1))
        order = ends_in_turn(tables)
        places = begins[:-1].reshape(2, -1).T.reshape(-1)
        self.begins = np.stack([places[order], places[order ^ 1]], axis=1)
        self.messages, self.split = np.zeros(begins[-1]), begins[len(tables.ends)]
        self.prices = np.zeros(tables.memory.rows)
        self.choices = np.zeros(tables.count, dtype=np.int64)
        self.bound = -np.inf
        self.passes = 0
        self.done = False
        """Whether nothing more is to be expected."""
        self.mu = 0.0
        self._references, self._kernels = np.empty(begins[-1]), np.empty(len(layout.pairs), dtype=np.float32)
        self._best = self.messages, self.prices
        self._before = self.messages, self.prices
        self._soft = self._first = self._stretch = -np.inf
        self._reach = np.ones(tables.memory.rows)
        forwards = np.arange(tables.count)
        self._orders = (forwards, forwards), (forwards[::-1].copy(), forwards[::-1].copy())

    def advance(self) -> Array:
        """Pass forwards and backwards, then move the prices; return what the choices use."""
        self.passes += 1
        if self.passes <= WARM_UP:
            self._look(self.messages)
            if self.passes == WARM_UP:
                self._begin()
        else:
            self._ascend()
            if self.passes % STRETCH == 0:
                self._look(self.messages.copy())
                self._settle()
        return used(self.layout, self.choices)

    def duals(self) -> Duals:
        """Return the best so far, in integers."""
        messages, prices = self._best
        return rounded(self.tables, messages[: self.split], messages[self.split :], prices)

    def _look(self, messages: Array) -> None:
        """Pass hard messages both ways from given ones, which changes them; keep the better bound of the two."""
        costs = priced(self.layout, self.prices)
        for order, rank in self._orders:
            found = passed(self.layout, costs, messages, self.begins, order, rank, self.choices)
            bound = float(found - self.prices @ self.layout.room)
            if bound > self.bound:
                self.bound, self._best = bound, (messages.copy(), self.prices.copy())

    def _begin(self) -> None:
        """Set the first prices and the first mu."""
        self._first = self.bound
        gap = value(self.layout, self.choices) - self.bound
        self.mu = max(FIRST_MU * gap / max(self.tables.count + len(self.tables.ends), 1), LITTLE)
        self._reach = first_prices(self.bound, self.layout.room)
        self.prices = self._reach.copy()
        self._before = self.messages.copy(), self.prices.copy()
        self._absorb()

    def _absorb(self) -> None:
        absorbed(self.layout, self.begins, self.messages, self.mu, self._references, self._kernels)

    def _ascend(self) -> None:
        """Pass soft messages both ways, move the prices, and go on in the direction of what has changed."""
        costs, worth = priced(self.layout, self.prices), float(self.prices @ self.layout.room)
        shares = np.empty((2, len(costs)))
        bound = -np.inf
        for (order, rank), own in zip(self._orders, shares, strict=True):
            bound = softly_passed(
                self.layout,
                costs,
                self.messages,
                self.begins,
                order,
                rank,
                self.mu,
                self._references,
                self._kernels,
                own,
            )
        bound -= worth
        self._soft = bound
        use, variances = moments(self.layout, shares.mean(axis=0))
        reach = self._reach + self.prices
        self.prices += step(self.layout, self.prices, use - self.layout.room, variances / self.mu, DAMPING, reach)
        reached = self.messages.copy(), self.prices.copy()
        self.messages += MOMENTUM * (self.messages - self._before[0])
        self.prices = np.maximum(self.prices + MOMENTUM * (self.prices - self._before[1]), 0.0)
        self._before = reached

    def _settle(self) -> None:
        """Lower mu where the smoothed bound has come to rest, or end; write the kernels anew."""
        lost = self.bound - self._soft
        if self._soft - self._stretch < HARDLY * lost:
            self.done = lost < max(GAIN * (self.bound - self._first), LITTLE)
            self.mu *= FALL
            self._soft = -np.inf
        self._stretch = self._soft
        self._absorb()
