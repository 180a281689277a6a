"""The search: plans from the dual's choices, from the annealing, and from small trees settled exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from formulations.lagrangian.pace import Pace

if TYPE_CHECKING:
    from formulations.lagrangian.bounds import Bounds
    from formulations.lagrangian.dual import Dual
    from formulations.lagrangian.flat import Flat
    from formulations.lagrangian.incumbent import Incumbent
    from hypar_opt.costgraph import Array
    from hypar_opt.run import Limits

HOT, COLD = 30.0, 0.1
"""Temperatures at the start and the end, in a variable's share of the gap between plan and bound."""
EAGER, CALM = 0.1, 0.03
"""Steps of the prices at the start and the end, relative."""
REPAIRS = 300
"""Sweeps after which an assignment that still does not fit is given up."""
DEARER = 0.02
"""By what the price of a violated row rises, relative."""
SNAPSHOTS = 20
"""Of an annealing."""
MOVES = 200
"""Of the polish, between two looks at the clock."""


class Search:
    """One thread's search.

    Parameters
    ----------
    flat
        The tables' arrays.
    incumbent, bounds
        Offered every plan, and every bound.
    limits
        Of the run.
    seed
        Of the noise.
    """

    def __init__(self, flat: Flat, incumbent: Incumbent, bounds: Bounds, limits: Limits, seed: int) -> None:
        self.flat, self.incumbent, self.bounds, self.limits = flat, incumbent, bounds, limits
        self.free = np.flatnonzero(flat.sizes > 1)
        self.noise = np.random.default_rng(seed)
        self.sweeps = self.moves = 0

    @property
    def met(self) -> bool:
        """Whether the best plan is proven to be one, or that there is none."""
        known = self.incumbent.value
        return self.bounds.refutes or (known is not None and known <= self.bounds.value)

    def anneal(self, choices: Array, prices: Array, pace: Pace) -> Array:
        """Anneal from an assignment and prices; return the prices at the end.

        The unit of the temperature is a free variable's share of the gap between plan and bound: noise of that size
        costs about what there may be to gain.
        """
        from formulations.lagrangian.pricing import move, used

        choices, prices = choices.copy(), prices.copy()
        average = used(self.flat, choices)
        unit = self._gap(choices) / max(1, len(self.free))
        due = 1
        while (far := pace.step()) is not None and not self.met:
            self._sweep(choices, prices, unit * HOT * (COLD / HOT) ** far)
            move(prices, average, used(self.flat, choices), self.flat.room, EAGER * (CALM / EAGER) ** far)
            if far * SNAPSHOTS >= due:
                due = int(far * SNAPSHOTS) + 1
                self.repair(choices, prices)
        self.repair(choices, prices)
        return prices

    def repair(self, choices: Array, prices: Array) -> bool:
        """Raise the prices of violated rows until an assignment fits, and offer it; return whether it does."""
        from formulations.lagrangian.pricing import used

        choices, prices = choices.copy(), prices.copy()
        least = prices.max(initial=0.0) * 1e-3
        for tried in range(REPAIRS):
            if self.limits.over:
                break
            self._sweep(choices, prices, 0.0)
            over = used(self.flat, choices) > self.flat.room
            if not over.any():
                return self.incumbent.offer(choices)
            prices[over] = np.maximum(prices[over], least) * (1.0 + DEARER * (1 + tried / 10))
        return self.incumbent.offer(choices)

    def polish(self, prices: Array, pace: Pace) -> None:
        """Make the best plan better by trees that still fit."""
        from formulations.lagrangian.trees import polish

        if self.incumbent.choices is None or not len(self.free):
            return
        choices = self.incumbent.choices.copy()
        while pace.step() is not None and not self.met:
            self.moves += MOVES
            if polish(self.flat, choices, prices, self.free, MOVES, self.noise) > 0.0:
                self.incumbent.offer(choices)

    def ascend(self, dual: Dual, pace: Pace) -> None:
        """Let the dual advance, and offer its bounds and what its choices become."""
        due = 1
        while not (dual.done or self.met) and (far := pace.step()) is not None:
            dual.advance()
            if far * SNAPSHOTS >= due:
                due = int(far * SNAPSHOTS) + 1
                self._tell(dual)
        self._tell(dual)

    def _tell(self, dual: Dual) -> None:
        self.bounds.offer(dual.duals())
        self.repair(dual.choices, dual.prices)

    def _gap(self, choices: Array) -> float:
        """Return how far a plan is from the bound; where there is none, the assignment that stands for it."""
        from formulations.lagrangian.pricing import value

        known = self.incumbent.value
        return max(1.0, (value(self.flat, choices) if known is None else known) - self.bounds.value)

    def _sweep(self, choices: Array, prices: Array, temperature: float) -> None:
        from formulations.lagrangian.sweeps import sweep

        self.sweeps += 1
        sweep(self.flat, choices, prices, temperature, self.free, self.noise)
