"""The parts of a search, one after the other, or two at a time."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from formulations.lagrangian.bounds import Bounds
from formulations.lagrangian.dive import DiveSearch
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.search import AnnealingSearch, Schedule
from formulations.lagrangian.search_tree.smoothed import SmoothedBranchSearch
from formulations.lagrangian.smoothed_dual import SmoothedDual
from hypar_opt.costgraph.first_plan import least_users
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import EitherFlag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from formulations.lagrangian.dual import Dual
    from formulations.lagrangian.search_tree.search import BranchSearch
    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.formulation.run import Run

EARLY, WORTH = 50, 0.005
"""Windows of the first plan at a time; and the part of its cost that so many have to save for there to be more."""
ASCENT, DIVES, ANNEALING = 0.2, 0.6, 0.2
"""Their shares, each of the time that is left when it begins; the rest is for windows."""


class Parts:
    """What a run is made of.

    Parameters
    ----------
    tables
        What is searched.
    run
        Its limits and its listener.
    passes, sweeps, rounds
        Of the dual and of the annealing, where there is no deadline, and the sweeps of a round of it.
    ascent, tree
        The dual's kind, and that of the tree that divides what it leaves open.
    """

    def __init__(
        self,
        tables: Tables,
        run: Run,
        passes: int,
        sweeps: int,
        rounds: int,
        ascent: type[Dual] = SmoothedDual,
        tree: type[BranchSearch] = SmoothedBranchSearch,
    ) -> None:
        self.tables = tables
        self.run, self.steps = run, (passes, sweeps, rounds)
        self.incumbent, self.bounds = Incumbent(tables, run), Bounds(tables, run)
        layout = penalised(tables)
        self.dual = ascent(tables, layout)
        seeds = run.limits.seed, run.limits.seed + 2**31
        self.searches = [AnnealingSearch(layout, self.incumbent, self.bounds, run.limits, seed) for seed in seeds]
        self.tree = tree(self.dual, self.searches[1])

    @property
    def facts(self) -> dict[str, int]:
        """Passes of the dual, forests settled and trees tried, and what the tree divided, so far."""
        sweeps, moves = (
            sum(counts) for counts in zip(*((one.sweeps, one.moves) for one in self.searches), strict=True)
        )
        done = {"passes": self.dual.passes, "sweeps": sweeps, "moves": moves, "seed": self.run.limits.seed}
        return done | self.tree.facts

    def begin(self) -> None:
        """Offer the plans that cost nothing to find."""
        if self.run.start is not None:
            self.incumbent.offer(np.asarray(self.run.start, dtype=np.int64))
        for early in (self.dual.choices, least_users(self.tables)):
            self.incumbent.offer(early)

    def search(self) -> None:
        """Ascend, find plans, look through windows: by dives first where there is a deadline, or by annealing."""
        first, limits = self.searches[0], self.run.limits
        self.begin()
        self._descend()
        if first.met:
            return
        self.run.phase("dual ascent")
        first.ascend(self.dual, Schedule(limits, ASCENT, self.steps[0]))
        if first.met:
            return
        with self._beside() as others:
            if limits.deadline is None:
                self.run.phase("annealing")
                plans = self._anneal(first, Schedule(limits, 1.0, self.steps[2]))
            else:
                self.run.phase("dives")
                plans = self._dive(first, DIVES)
                if self.tree.promising:
                    # it may need all the time that is left
                    self._windows([*plans, *others], limits.workers - 1)
                    return
        self._windows([*plans, *others], limits.workers)

    def _descend(self) -> None:
        """Make the first plan better in windows while that is worth it: the dual's own plans may be long in coming."""
        best, first = self.incumbent.choices, self.searches[0]
        if self.run.limits.deadline is None or best is None or first.met:
            return
        from formulations.neighbourhood_search.descent import descend

        choices, noise = np.array(best, dtype=np.int64), np.random.default_rng(self.run.limits.seed)
        used, value, saved = self.tables.memory.used(choices), 0, math.inf
        while saved > WORTH * abs(value) and not self.run.limits.over:
            saved = -descend(first.layout, choices, used, EARLY, 0.0, noise)
            value = self.tables.value(choices)
            self.incumbent.offer(choices)

    def _windows(self, plans: list[Array], workers: int) -> None:
        """Make the best plan better in windows, while there is time; without a deadline there is no end to that."""
        limits, best = self.run.limits, self.incumbent.choices
        if limits.deadline is None or best is None or self.searches[0].met:
            return
        from formulations.neighbourhood_search import improve

        self.run.phase("windows")
        improve(
            self.tables,
            np.array(best, dtype=np.int64),
            lambda: limits.over or self.searches[0].met,
            replace(limits, workers=workers),
            lambda _, choices: self.incumbent.offer(choices),
            plans,
        )

    @contextmanager
    def _beside(self) -> Iterator[list[Array]]:
        """Let a second thread search, if there is a clock to end it by and a worker for it; its plans are added."""
        limits = self.run.limits
        plans: list[Array] = []
        if limits.deadline is None or limits.workers < 2:
            yield plans
            return
        second, lent = self.searches[1], [limits.lent] if limits.workers == 2 else []
        ended = EitherFlag(limits.stop, *lent)
        second.limits = replace(limits, stop=ended)
        with ThreadPoolExecutor(1) as pool:
            found = pool.submit(self._second, second, plans)
            try:
                yield plans
            finally:
                ended.set()
            found.result()

    def _second(self, search: AnnealingSearch, plans: list[Array]) -> None:
        """Anneal and go on with the dual, each for a while, branch, and dive until stopped; add the best plans."""
        limits = search.limits
        plans += self._anneal(search, Schedule(limits, ANNEALING, 0))
        search.ascend(self.dual, Schedule(limits, ASCENT, 0))
        if self.tree.open is None and not search.met:
            self.tree.search(Schedule(limits, 1.0, 0))
        plans += self._dive(search, 1.0)

    def _dive(self, search: AnnealingSearch, share: float) -> list[Array]:
        """Dive for a share of the time, or anneal where dives come to nothing; return the best plans."""
        pace = Schedule(search.limits, share, 0)
        return DiveSearch(self.dual, search).rounds(pace) or self._anneal(search, pace)

    def _anneal(self, search: AnnealingSearch, pace: Schedule) -> list[Array]:
        """Anneal from what the dual chooses by now; return the best plans."""
        return search.rounds(self.dual.choices.copy(), self.dual.guide, self.steps[1], pace)
