"""The search: plans from the dual's choices, from the annealing, and from small trees settled exactly."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from formulations.lagrangian.pricing import first_prices, move, used, value
from formulations.lagrangian.trees import polish, sweep

if TYPE_CHECKING:
    from formulations.lagrangian.bounds import Bounds
    from formulations.lagrangian.dual import Dual
    from formulations.neighbourhood_search.layout import TableLayout
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Limits

HOTTEST = (30.0, 300.0, 100.0, 1000.0, 10.0)
"""Temperatures to start from, in a free variable's share of the gap between plan and bound; in the order of trial."""
COOLING = 100.0
"""By what a round's first temperature is higher than its last."""
EAGER, CALM = 0.1, 0.03
"""Steps of the prices at the start and the end, relative."""
REPAIRS = 300
"""Sweeps after which an assignment that still does not fit is given up."""
DEARER = 0.02
"""By what the price of a violated row rises, relative."""
SNAPSHOTS, PATIENCE = 20, 4.0
"""Of the dual's choices, at most; and how many times longer than the last one the dual then goes on for at least."""
MOVES, BATCHES = 200, 25
"""Of the polish of a round's plan: between two looks at the clock, and how often."""
KEPT = 8
"""Plans that are handed on."""


def best_of(found: list[tuple[int, Array]], plan: tuple[int, Array]) -> list[tuple[int, Array]]:
    """Return the best of some plans and of another one, each with its cost, the best one last."""
    return sorted([*found, plan], key=lambda one: -one[0])[-KEPT:]


class AnnealingSearch:
    """One thread's search.

    Parameters
    ----------
    layout
        Of the tables.
    incumbent, bounds
        Offered every plan, and every bound.
    limits
        Of the run.
    seed
        Of the noise.
    """

    def __init__(self, layout: TableLayout, incumbent: Incumbent, bounds: Bounds, limits: Limits, seed: int) -> None:
        self.layout, self.incumbent, self.bounds, self.limits = layout, incumbent, bounds, limits
        self.free = np.flatnonzero(np.diff(layout.starts) > 1)
        self.noise = np.random.default_rng(seed)
        self.sweeps = self.moves = 0
        self._best: tuple[int, Array] | None = None

    @property
    def met(self) -> bool:
        """Whether the best plan is proven to be one, or that there is none."""
        known, told = self.incumbent.value, self.bounds.told
        return self.bounds.refutation is not None or (known is not None and told is not None and known <= told)

    def rounds(self, choices: Array, prices: Array, sweeps: int, pace: Schedule) -> list[Array]:
        """Anneal from the dual's choices and prices, again and again; return the best plans, the best one last.

        Each temperature is tried once; then the one with the best plan so far is taken every second time, the next
        best one every fourth time, and so on. Every time through, the rounds get longer; a round that would take more
        time than there is cools down faster.
        """
        found: list[tuple[int, Array]] = []
        best = dict.fromkeys(HOTTEST, math.inf)
        done = 0
        while pace.step() is not None and not self.met:
            ranked = sorted(HOTTEST, key=lambda one: best[one])
            rank = int(self.noise.geometric(0.5)) - 1
            hot = HOTTEST[done] if done < len(HOTTEST) else ranked[min(rank, len(ranked) - 1)]
            plan = self._round(choices, prices, hot, sweeps * (1 + done // len(HOTTEST)), pace)
            done += 1
            self.incumbent.ask()
            if plan is not None:
                best[hot] = min(best[hot], plan[0])
                found = best_of(found, plan)
        return [plan for _, plan in found]

    def _round(
        self, choices: Array, prices: Array, hot: float, sweeps: int, pace: Schedule
    ) -> tuple[int, Array] | None:
        """Anneal, then polish the best plan of the way; return it and what it costs."""
        self._best = None
        start = hot * self._gap(choices) / max(1, len(self.free))
        prices = self._anneal(choices.copy(), prices.copy(), start, sweeps, pace)
        if self._best is not None:
            self._polish(self._best[1].copy(), prices)
        return self._best

    def _anneal(self, choices: Array, prices: Array, hot: float, sweeps: int, pace: Schedule) -> Array:
        """Sweep while temperature and steps of the prices fall, from an assignment; return the prices at the end.

        They have fallen when all sweeps are done, or when the pace is: on the largest graphs a sweep takes a second.
        """
        average = used(self.layout, choices).astype(np.float64)
        begun = pace.elapsed
        for done in range(sweeps):
            elapsed = pace.elapsed
            if elapsed >= 1.0 or self.limits.over or self.met:
                break
            far = max(done / sweeps, (elapsed - begun) / (1.0 - begun))
            self._sweep(choices, prices, hot * COOLING**-far)
            use = used(self.layout, choices)
            self._look(choices, use)
            move(prices, average, use, self.layout.room, np.full(len(prices), EAGER * (CALM / EAGER) ** far))
        self.repair(choices, prices)
        return prices

    def _polish(self, choices: Array, prices: Array) -> None:
        """Make a plan better by trees that still fit."""
        for _ in range(BATCHES if len(self.free) else 0):
            if self.limits.over or self.met:
                break
            self.moves += MOVES
            polish(self.layout, choices, prices, self.free, MOVES, self.noise)
        self._offer(choices)

    def repair(self, choices: Array, prices: Array) -> bool:
        """Raise the prices of violated rows until an assignment fits, and offer it; return whether it does."""
        # where nothing has a price yet there is none to raise: early in a dual, and always after a short one
        choices, prices = (
            choices.copy(),
            prices.copy() if prices.any() else first_prices(self.bounds.value, self.layout.room),
        )
        least = prices.max(initial=0.0) * 1e-3
        for tried in range(REPAIRS):
            if self.limits.over:
                break
            self._sweep(choices, prices, 0.0)
            over = used(self.layout, choices) > self.layout.room
            if not over.any():
                break
            prices[over] = np.maximum(prices[over], least) * (1.0 + DEARER * (1 + tried / 10))
        return self._offer(choices)

    def repaired(self, choices: Array, prices: Array) -> Array | None:
        """Return what an assignment becomes by repair, and offer it; None where it still does not fit."""
        self._best = None
        self._look(choices, used(self.layout, choices))
        if self._best is None:
            self.repair(choices, prices)
        return None if self._best is None else self._best[1]

    def ascend(self, dual: Dual, pace: Schedule) -> None:
        """Let the dual advance, and offer its bounds and what its choices become."""
        due = 1.0
        while not (dual.done or self.met) and (far := pace.step()) is not None:
            self._look(dual.choices, dual.advance())
            if far * SNAPSHOTS >= due:
                self._tell(dual)
                taken = pace.elapsed - far  # below 0 where steps count
                due = max(int(far * SNAPSHOTS) + 1, SNAPSHOTS * (pace.elapsed + PATIENCE * taken))
        self._tell(dual)

    def _look(self, choices: Array, use: Array) -> None:
        """Offer an assignment if it happens to fit and to be better."""
        known = math.inf if self._best is None else self._best[0]
        if (use <= self.layout.room).all() and value(self.layout, choices) < known:
            self._offer(choices)

    def _offer(self, choices: Array) -> bool:
        """Offer an assignment, and keep it if it is this round's best; return whether it is feasible."""
        cost = self.incumbent.offer(choices)
        if cost is not None and (self._best is None or cost < self._best[0]):
            self._best = cost, choices.copy()
        return cost is not None

    def _tell(self, dual: Dual) -> None:
        self.bounds.offer(dual.duals())
        self.repair(dual.choices, dual.guide)

    def _gap(self, choices: Array) -> float:
        """Return how far a plan is from the bound; where there is none, the assignment that stands for it."""
        known = self.incumbent.value
        return max(1.0, (value(self.layout, choices) if known is None else known) - self.bounds.value)

    def _sweep(self, choices: Array, prices: Array, temperature: float) -> None:
        self.sweeps += 1
        sweep(self.layout, choices, prices, temperature, self.free, self.noise)


@dataclass
class Schedule:
    """A part of a run, from 0 to 1: by the clock where there is a deadline, by its steps where there is none.

    Parameters
    ----------
    limits
        Of the run.
    share
        Of the time that is left when it begins.
    steps
        What it takes where there is no deadline, or where the result is to be repeatable.
    by_steps
        Whether steps count even if there is a deadline.
    """

    limits: Limits
    share: float
    steps: int
    by_steps: bool = False
    done: int = 0
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        left = self.limits.remaining_s()
        self.seconds = None if left is None or self.by_steps else left * self.share

    def step(self) -> float | None:
        """Count a step; return how far it is, or None at the end."""
        self.done += 1
        far = (self.done - 1) / self.steps if self.seconds is None else self.elapsed
        return None if far >= 1.0 or self.limits.over else far

    @property
    def elapsed(self) -> float:
        """How much of its time is over, from 0 to 1; 0 where steps count."""
        if self.seconds is None:
            return 0.0
        return min(1.0, (time.monotonic() - self.began) / self.seconds) if self.seconds else 1.0
