"""How soon plans were good: the primal integral, the time to a first plan, and to one that is nearly the best.

T. Berthold, Measuring the impact of primal heuristics, Operations Research Letters 41 (6), 611-614, 2013: the
primal gap of a plan x beside the best known x*,

    gamma(x) = 0                                 if c x = c x* = 0,
               1                                 if one of them is below 0 and the other above,
               |c x - c x*| / max(|c x|, |c x*|) else,

is taken for 1 while there is no plan; the primal integral of a run up to T is the integral of the gap over time.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reports.benchmarks.iopddl.curves import Move

NEAR: Final = Fraction(1, 100)
"""How far above the best known a plan may be to be nearly as good."""


def primal_gap(cost: int, best: int) -> Fraction:
    """Return the gap of a plan's cost, from 0 to 1."""
    if cost == best:
        return Fraction(0)
    if cost * best < 0:
        return Fraction(1)
    return Fraction(abs(cost - best), max(abs(cost), abs(best)))


def primal_integral(plans: Sequence[Move], best: int, until_s: float) -> Fraction:
    """Return the integral of the gap of better and better plans from 0 to a time, in seconds."""
    end, at, gap, found = Fraction(until_s), Fraction(0), Fraction(1), Fraction(0)
    for one in plans:
        told = min(end, Fraction(one.time_s))
        found += gap * (told - at)
        at, gap = told, primal_gap(one.value, best)
    return found + gap * (end - at)


def first_s(plans: Sequence[Move]) -> float | None:
    """Return when there was a plan; None where there never was."""
    return plans[0].time_s if plans else None


def near_s(plans: Sequence[Move], best: int) -> float | None:
    """Return when there was a plan within a hundredth of the best known; None where there never was."""
    return next((one.time_s for one in plans if one.value - best <= NEAR * abs(best)), None)
