"""The parts of a search, one after the other, or two at a time."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

import numpy as np

from formulations.lagrangian.bounds import Bounds
from formulations.lagrangian.dual import Dual
from formulations.lagrangian.flat import flat_of
from formulations.lagrangian.incumbent import Incumbent
from formulations.lagrangian.pace import Pace
from formulations.lagrangian.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.run import Run

ASCENT, ANNEALING, POLISH = 0.3, 0.7, 0.97
"""Their shares, each of the time that is left when it begins."""


class Parts:
    """What a run is made of.

    Parameters
    ----------
    tables
        What is searched.
    run
        Its limits and its listener.
    passes, sweeps, rounds
        Of the dual, of the annealing and of the polish, where there is no deadline.
    """

    def __init__(self, tables: Tables, run: Run, passes: int, sweeps: int, rounds: int) -> None:
        self.run, self.steps = run, (passes, sweeps, rounds)
        self.incumbent, self.bounds = Incumbent(tables, run), Bounds(tables, run)
        self.flat = flat_of(tables)
        self.dual = Dual(tables, self.flat)
        seeds = run.limits.seed, run.limits.seed + 2**31
        self.searches = [Search(self.flat, self.incumbent, self.bounds, run.limits, seed) for seed in seeds]

    @property
    def passes(self) -> int:
        """Of the dual, so far."""
        return self.dual.passes

    @property
    def sweeps(self) -> int:
        """Forests settled, so far."""
        return sum(one.sweeps for one in self.searches)

    @property
    def moves(self) -> int:
        """Trees tried, so far."""
        return sum(one.moves for one in self.searches)

    def search(self) -> None:
        """Ascend, anneal, polish; with a deadline and two workers the dual goes on meanwhile."""
        first, limits = self.searches[0], self.run.limits
        if self.run.start is not None:
            self.incumbent.offer(np.asarray(self.run.start, dtype=np.int64))
        self.incumbent.offer(self.dual.choices)
        if first.met:
            return
        self.run.phase("dual ascent")
        first.ascend(self.dual, Pace(limits, ASCENT, self.steps[0]))
        if first.met:
            return
        start = self.dual.choices.copy(), self.dual.prices.copy()
        with self._beside():
            self._plans(first, *start)

    def _plans(self, search: Search, choices: Array, prices: Array) -> None:
        """Anneal, then polish."""
        self.run.phase("annealing")
        prices = search.anneal(choices, prices, Pace(search.limits, ANNEALING, self.steps[1]))
        self.run.phase("polish")
        self.incumbent.ask()
        search.polish(prices, Pace(search.limits, POLISH, self.steps[2]))

    @contextmanager
    def _beside(self) -> Iterator[None]:
        """Let a second thread search, if there is a clock to end it by and a worker for it."""
        limits = self.run.limits
        if limits.deadline is None or limits.workers < 2:
            yield
            return
        second, ended = self.searches[1], Event()
        second.limits = replace(limits, stop=ended)
        thread = Thread(target=self._second, args=(second,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _second(self, search: Search) -> None:
        """Go on with the dual, and anneal once it is done."""
        search.ascend(self.dual, Pace(search.limits, POLISH, 0))
        self._plans(search, self.dual.choices, self.dual.prices)
