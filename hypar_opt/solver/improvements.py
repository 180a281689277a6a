"""How the best plan and the bound of a run moved: what is kept of its events, in the plan and its file."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.registry import abilities
from hypar_opt.util.numbers import exact
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.formulation.run import Event
    from hypar_opt.instance.objective.function import ObjectiveFunction

MOST: Final = 64
"""Plans, and bounds, that are kept: a plan's file stays small."""
LEAST_S: Final = 1e-4
"""Times are kept in steps of it."""
DIGITS: Final = 4


@dataclass(frozen=True)
class Improvement:
    """A better plan, or a better bound.

    Parameters
    ----------
    time_s
        When: since the time counts that events tell, of a command since its process began.
    cost
        Of the plan, in the objective's unit, as the search told it; None of a bound.
    bound
        That the search said to have proven; None of a plan.
    """

    time_s: float
    cost: Fraction | None = None
    bound: Fraction | None = None


class Improvements:
    """Hears a run's events, from whichever thread, and keeps what was better than all before.

    Parameters
    ----------
    objective
        What the run is to make least: values of other objectives are passed over.
    """

    def __init__(self, objective: ObjectiveFunction) -> None:
        self._objective, self._lock = objective, Lock()
        self._costs: list[Improvement] = []
        self._bounds: list[Improvement] = []

    def hear(self, event: Event) -> None:
        """Keep a plan that costs less, or a bound that is higher."""
        if event.value is None or not is_of(event, self._objective):
            return
        value, time_s = exact_number(event.value), round(event.time_s, DIGITS)
        with self._lock:
            if event.kind == "incumbent":
                self._add(self._costs, Improvement(time_s, cost=value))
            elif event.kind == "bound":
                self._add(self._bounds, Improvement(time_s, bound=value))

    def _add(self, known: list[Improvement], new: Improvement) -> None:
        """Keep what is better; not before what it is better than, though threads may be heard in another order."""
        if not known:
            known.append(new)
        elif _is_better(new, known[-1]):
            known.append(replace(new, time_s=max(new.time_s, known[-1].time_s)))

    def until(self, cost: Fraction | None, bound: Fraction | None, time_s: float) -> tuple[Improvement, ...]:
        """Return what a run told on its way to the plan that it ended with, in order; what that denies is left out.

        Nothing is returned where the run told of no two plans and of no two bounds: it went nowhere. Of many the first
        and the last are kept, and of as many steps between them as there is room for, equal in the logarithm of time,
        the last of each: the run was never worse than what is left says.

        Parameters
        ----------
        cost, bound
            The last ones; without a cost there is no plan, and nothing is returned.
        time_s
            When the run ended.
        """
        if cost is None:
            return ()
        end = round(time_s, DIGITS)
        with self._lock:
            costs = _ended(self._costs, Improvement(end, cost=cost))
            bounds = [] if bound is None else _ended(self._bounds, Improvement(end, bound=bound))
        if max(len(costs), len(bounds)) < 2:
            return ()
        return tuple(sorted([*thinned(costs), *thinned(bounds)], key=lambda one: one.time_s))


def is_of(event: Event, objective: ObjectiveFunction) -> bool:
    """Return whether a value is of this objective: not of a search before it, nor a bound of one placement."""
    if event.weights != objective.linear:
        return False
    able = abilities(event.source) if event.kind == "bound" else None
    return able is None or able.decides != "placement"


def _is_better(new: Improvement, known: Improvement) -> bool:
    if new.cost is not None and known.cost is not None:
        return new.cost < known.cost
    return new.bound is not None and known.bound is not None and new.bound > known.bound


def _ended(known: Sequence[Improvement], last: Improvement) -> list[Improvement]:
    """Return what was better, up to what the run ended with: that is the last, from when it was told."""
    before = [one for one in known if _is_better(last, one)]
    told = next((one for one in known if (one.cost, one.bound) == (last.cost, last.bound)), last)
    return [*before, told]


def thinned(known: Sequence[Improvement], most: int = MOST) -> list[Improvement]:
    """Return at most so many of some improvements of one kind, 3 or more, in order."""
    if len(known) <= most:
        return list(known)
    first, *between, last = known
    low, high = (math.log(max(LEAST_S, one.time_s)) for one in (first, last))
    width = (high - low) / (most - 2) or 1.0
    steps = {int((math.log(max(LEAST_S, one.time_s)) - low) / width): one for one in between}
    return [first, *list(steps.values())[2 - most :], last]


def improvement_rows(known: Sequence[Improvement]) -> list[dict[str, Any]]:
    """Return improvements as a plan's file has them: the time, and `cost` or `bound`, exact."""
    found = []
    for one in known:
        value = {"cost": exact(one.cost)} if one.cost is not None else {"bound": exact(one.bound)}
        found.append({"time_s": one.time_s, **value})
    return found
