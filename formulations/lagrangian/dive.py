"""Dives: variables are given values a few at a time, the most connected ones first, while the smoothed dual goes on.

A variable with many neighbours, whose best values tie, leaves all of them undecided: strategy graphs have axes that can
be exchanged, and their shares are even. As soon as it has one value, a few soft passes carry what follows from it to
wherever it matters. So every step gives values to what is decided and to the most connected variables that are not; no
two of these are neighbours or have a common one, so that none would have been another's reason to choose otherwise.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from formulations.lagrangian.pricing import used, value
from formulations.lagrangian.search import best_of
from formulations.lagrangian.smoothed_dual import SmoothedDual
from formulations.lagrangian.trees import around
from formulations.neighbourhood_search import fused, improve
from formulations.neighbourhood_search.layout import TableLayout
from hypar_opt.costgraph import FORBIDDEN, Array
from hypar_opt.costgraph.presolve.capacity_tightening import forbid_crowded
from hypar_opt.costgraph.presolve.reduction import NoPlan, NoValue
from hypar_opt.costgraph.presolve.value_removal import drop_forbidden

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.lagrangian.dual import Dual
    from formulations.lagrangian.search import AnnealingSearch, Schedule
    from hypar_opt.costgraph import Tables

PASSES = 10
"""Between two steps."""
DECIDED = 0.99
"""Of a value's share: its variable has it."""
NEAR = 0.1
"""Of what the bound has risen by: when choices that fit cost no more than that beyond it, the dive is over."""
HOPELESS = 4.0
"""Gaps between the best plan and its bound, by which a dive's bound may be above that plan: windows save as much."""
STEPS = 12
"""After so many the rest is left to the repair: few more is learned by them."""
FEW, MANY = 1, 16
"""Neighbours of a variable that is kept from the best plan, where that guides a dive; evenly in the logarithm."""
SMALLEST, LARGEST = 0.04, 0.5
"""Of all variables, those around one of these among which none is kept; small and large ones equally often."""
COLDEST, HOTTEST = 0.5, 5.0
"""Of the gap between plan and bound, a variable's or an edge's share is the unit of mu; evenly in the logarithm."""
FREE, ANEW = 2, 1 / 3
"""Dives that begin anew before one is guided, and the share of the later ones that do: where one ends is much a matter
of luck, and fused with the best plan one that is no better itself may save more than all that the best plan guides."""
FRUITLESS = 4
"""Dives that come to no plan, after which there are no more."""
AS_LONG, LEAST_S = 1.0, 1.0
"""Windows after a dive: for as long as it took, and for so long at least."""


class DiveSearch:
    """One thread's search by dives.

    Parameters
    ----------
    dual
        That dives begin with; it may go on meanwhile.
    search
        Of the same thread: it repairs what does not fit, and has the limits and the noise.
    """

    def __init__(self, dual: Dual, search: AnnealingSearch) -> None:
        self.dual, self.search = dual, search

    def rounds(self, pace: Schedule) -> list[Array]:
        """Dive, and look through windows, again and again; return the best plans, the best one last.

        Where no dive comes to a plan, because none fits or can be repaired, this soon ends.
        """
        found, dives = list[tuple[int, Array]](), 0

        def over() -> bool:
            return pace.elapsed >= 1.0 or self.search.limits.over or self.search.met

        while len(self.search.free) and (found or dives < FRUITLESS) and pace.step() is not None and not over():
            began = time.monotonic()
            dives += 1
            plan = self._plan(over, guided=dives > FREE and self.search.noise.random() > ANEW)
            if plan is not None:
                plan = self._windows(plan, over, max(AS_LONG * (time.monotonic() - began), LEAST_S))
                plan = self._fused(plan, [one for _, one in found])
                found = best_of(found, (self.dual.tables.value(plan), plan))
            self.search.incumbent.ask()
        return [plan for _, plan in found]

    def _plan(self, over: Callable[[], bool], guided: bool) -> Array | None:
        """Dive once; return what it comes to, where that fits or can be repaired."""
        cost, bound = self.search.incumbent.value, self.dual.bound
        known = None if cost is None else cost - self.dual.tables.constant  # the dual's bound is without it
        gap = abs(bound) if known is None else known - bound
        share = gap / (self.dual.tables.count + len(self.dual.tables.ends))
        mu = share * COLDEST * (HOTTEST / COLDEST) ** self.search.noise.random()
        most = np.inf if known is None or not guided else known + HOPELESS * gap
        dive = Dive(SmoothedDual.of(self.dual, mu), most)
        if guided and not self._guide(dive):
            return None
        choices = dive.search(over)
        return None if choices is None else self.search.repaired(choices, dive.dual.guide)

    def _guide(self, dive: Dive) -> bool:
        """Keep connected variables of the best plan, but around one of them; return whether that fits.

        Half of the time that one must not have its value.
        """
        layout, noise, choices = self.search.layout, self.search.noise, self.search.incumbent.choices
        links = np.diff(layout.arcs)
        kept = links >= min(FEW * (MANY / FEW) ** noise.random(), links.max(initial=0))
        if choices is None or not links.any():
            return True
        root = self._root(kept, np.array(choices))
        size = len(links) * SMALLEST * (LARGEST / SMALLEST) ** noise.random()
        kept[around(layout, root, max(int(size), 1), noise)] = False
        own = layout.starts[:-1] + np.array(choices)
        forbidden = np.repeat(kept, np.diff(layout.starts))
        forbidden[own[kept]] = False
        forbidden[own[root]] = noise.random() < 0.5
        return dive.forbid(forbidden)

    def _root(self, kept: Array, choices: Array) -> int:
        """Return one of the variables that are to be kept: the likelier, the more a plan pays for it in excess.

        Where that is nothing, the likelier, the more neighbours it has.
        """
        paid = self.dual.excess(choices) * kept
        weights = paid if paid.sum() > 0.0 else np.diff(self.search.layout.arcs) * kept
        return int(self.search.noise.choice(len(weights), p=weights / weights.sum()))

    def _fused(self, plan: Array, others: Sequence[Array]) -> Array:
        """Return the best plan that takes every value from one, from the best so far or from others, and offer it."""
        best = self.search.incumbent.choices
        if best is None or (plan == best).all():
            return plan
        plan = fused(self.dual.tables, [plan, np.array(best), *others], self.search.limits)
        self.search.incumbent.offer(plan)
        return plan

    def _windows(self, plan: Array, over: Callable[[], bool], seconds: float) -> Array:
        """Make a plan better in windows for a while."""
        search, until = self.search, time.monotonic() + seconds
        limits = replace(search.limits, workers=1, seed=int(search.noise.integers(2**31)))
        return improve(
            self.dual.tables,
            plan,
            lambda: over() or time.monotonic() > until,
            limits,
            lambda _, choices: search.incumbent.offer(choices),
        )


class Dive:
    """One dive.

    Parameters
    ----------
    dual
        Of what plans are sought of; its own, which no longer bounds them once a step has been taken.
    most
        A bound above this ends it.
    """

    def __init__(self, dual: SmoothedDual, most: float = np.inf) -> None:
        self.dual, self._most = dual, most
        self._bound, self._starts = dual.bound, dual.tables.starts[:-1]
        self._left = np.arange(len(dual.tables.unary))

    @property
    def tables(self) -> Tables:
        """What is left of them."""
        return self.dual.tables

    def forbid(self, forbidden: Array) -> bool:
        """Go on without some values, by value whether it is one; return whether anything is left."""
        tables = self.tables.replace(unary=np.where(forbidden, FORBIDDEN, self.tables.unary))
        try:
            while (crowded := forbid_crowded(tables)) is not None:
                tables = crowded[0]
            made = drop_forbidden(tables)
        except (NoPlan, NoValue):
            return False
        if made is not None:
            left, step = made
            self._left = self._left[step.kept]  # and no step, which would keep its tables
            self.dual = self.dual.confined(left, step.kept)
        return True

    def search(self, over: Callable[[], bool]) -> Array | None:
        """Take steps until every variable has a value, choices are nearly as good as the bound, or time is over.

        Returns
        -------
        choices
            Which may not fit; None where it was given up.
        """
        self._pass(over)
        for _ in range(STEPS):
            if over() or self._near or self.dual.bound > self._most or not self._step():
                break
            self._pass(over)
        if over() or self.dual.bound > self._most:
            return None
        choices: Array = self._left[self.tables.starts[:-1] + self.dual.choices] - self._starts
        return choices

    @property
    def _near(self) -> bool:
        """Whether the choices fit and cost little more than the bound."""
        dual = self.dual
        if not (used(dual.layout, dual.choices) <= dual.layout.room).all():
            return False
        return value(dual.layout, dual.choices) - dual.bound < NEAR * max(dual.bound - self._bound, 0.0)

    def _pass(self, over: Callable[[], bool]) -> None:
        for _ in range(PASSES):
            if over():
                break
            self.dual.advance()

    def _step(self) -> bool:
        """Give values to what is decided and to the most connected of what is not; return whether there was any.

        Where that does not fit, half as many are taken, the most connected ones among them, and a single value that
        does not fit is forbidden.
        """
        tables, shares = self.tables, self.dual.shares
        free = np.flatnonzero(tables.sizes > 1)
        ties = np.maximum.reduceat(shares, tables.starts[:-1])[free] < DECIDED
        chosen = np.concatenate([_apart(self.dual.layout, self._ranked(free[ties])), free[~ties]])
        while len(chosen):
            kept = _highest(tables, shares, chosen)
            others = np.repeat(np.isin(np.arange(tables.count), chosen), tables.sizes) & ~kept
            if self.forbid(others) or (len(chosen) == 1 and self.forbid(kept)):
                return True
            chosen = chosen[: len(chosen) // 2]
        return False

    def _ranked(self, free: Array) -> Array:
        """Return variables, the most connected ones first."""
        layout = self.dual.layout
        order: Array = free[np.argsort(-np.diff(layout.arcs)[free], kind="stable")]
        return order


def _highest(tables: Tables, shares: Array, chosen: Array) -> Array:
    """Return by value whether it is the one of the highest share of a chosen variable, the first one if several are."""
    kept = np.zeros(len(shares), dtype=np.bool_)
    for one in chosen.tolist():
        start, end = tables.starts[one : one + 2]
        kept[start + np.argmax(shares[start:end])] = True
    return kept


@njit(cache=True, nogil=True)
def _apart(layout: TableLayout, order: Array) -> Array:
    """Return those of an order that are no neighbours of one before them, and have none in common with it."""
    near = np.zeros(len(layout.starts) - 1, dtype=np.bool_)
    found, count = np.empty(len(order), dtype=np.int64), 0
    for one in order:
        own = layout.others[layout.arcs[one] : layout.arcs[one + 1]]
        if near[one] or near[own].any():
            continue
        near[one] = True
        near[own] = True
        found[count] = one
        count += 1
    return found[:count]
