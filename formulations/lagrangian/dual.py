"""The dual ascent: messages by passes, prices by what the assignments use that the passes find."""

from __future__ import annotations

import numpy as np

from formulations.lagrangian.passing import passed
from formulations.lagrangian.pricing import excess, first_prices, move, priced, used
from formulations.neighbourhood_search.layout import TableLayout, ends_in_turn
from hypar_opt.costgraph import Array, Duals, Tables, offsets, rounded

WARM_UP = 10
"""Passes without prices; their bound is the unit of the first prices."""
FIRST_STEP, LAST_STEP = 0.1, 1e-4
"""Of a row's price, relative. Larger ones are faster than messages travel: prices then rest where they are bad."""
FALL = 0.7
"""By what a row's step falls where its average use crosses its room, and all steps where the bound comes to rest."""
STRETCH = 50
"""Passes after which the bound is compared with the one before them."""
GAIN = 1e-6
"""What is worth going on for, of all that the bound has gained since prices began; costs have no natural zero."""
TELLING = 1e-4
"""Rows whose prices are lower, of the highest, have no part in when it is done."""


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
        self.average = np.zeros(tables.memory.rows)
        self.choices = np.zeros(tables.count, dtype=np.int64)
        self.shares = np.zeros(0)
        self.steps = np.full(tables.memory.rows, FIRST_STEP)
        self._still = False
        self.bound = -np.inf
        self.passes = 0
        self._best = self.messages, self.prices
        self._first, self._last, self._stretch = np.inf, -np.inf, list[float]()
        forwards = np.arange(tables.count)
        self._orders = (forwards, forwards), (forwards[::-1].copy(), forwards[::-1].copy())

    @property
    def best(self) -> tuple[Array, Array]:
        """The messages and prices of the best bound."""
        return self._best

    def resume(self, messages: Array, prices: Array, average: Array, step: float) -> None:
        """Begin with what was found before, of this problem or of one that has more values.

        Parameters
        ----------
        messages, prices, average
            As after passes; copied.
        step
            Of every row's price.
        """
        self.messages[:], self.prices[:], self.average[:] = messages, prices, average
        self.steps[:] = step
        self.passes = WARM_UP
        self._best = self.messages.copy(), self.prices.copy()

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected."""
        telling = self.prices > TELLING * self.prices.max(initial=0.0)
        return self._still and bool((self.steps[telling] < LAST_STEP).all())

    @property
    def guide(self) -> Array:
        """The prices to search for plans by."""
        return self.prices

    def advance(self) -> Array:
        """Pass forwards and backwards, then move the prices; return what the choices use."""
        costs, room = priced(self.layout, self.prices), self.layout.room
        uses = []
        for direction in (0, 1):
            self._follow(self._pass(costs, direction))
            uses.append(used(self.layout, self.choices))
        use = (uses[0] + uses[1]) / 2
        self.passes += 1
        if self.passes < WARM_UP:
            self.average[:] = use
        elif self.passes == WARM_UP:
            self.prices[:] = first_prices(self.bound, room)
        else:
            before = self.average > room
            move(self.prices, self.average, use, room, self.steps)
            self.steps[(self.average > room) != before] *= FALL
        return uses[1]

    def excess(self, choices: Array) -> Array:
        """Return by variable what an assignment pays above the best bound, but for room that it leaves unused."""
        messages, prices = self._best
        return excess(self.layout, priced(self.layout, prices), messages, self.begins, choices)

    def duals(self) -> Duals:
        """Return the best so far, in integers."""
        messages, prices = self._best
        return rounded(self.tables, messages[: self.split], messages[self.split :], prices)

    def _pass(self, costs: Array, direction: int) -> float:
        order, rank = self._orders[direction]
        found = passed(self.layout, costs, self.messages, self.begins, order, rank, self.choices)
        return float(found - self.prices @ self.layout.room)

    def _keep(self, bound: float) -> None:
        if bound > self.bound:
            self.bound, self._best = bound, (self.messages.copy(), self.prices.copy())

    def _follow(self, bound: float) -> None:
        """Keep the best, and lower all steps where a stretch of passes is hardly better than the one before."""
        self._keep(bound)
        if self.passes > WARM_UP:
            self._first = min(self._first, bound)
            self._stretch.append(bound)
        if len(self._stretch) == STRETCH:
            best, self._stretch = max(self._stretch), []
            self._still = best <= self._last + GAIN * (self.bound - self._first)
            if self._still:
                self.steps *= FALL
            self._last = best
