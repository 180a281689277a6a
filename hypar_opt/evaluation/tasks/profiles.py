"""How much of something is in use when: counted from what begins and ends, also where everything is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Profile: TypeAlias = tuple[tuple[Fraction, Fraction], ...]
"""Moments at which an amount changes, each with what there is from then on; the first is 0."""


@dataclass(frozen=True)
class TaskUse:
    """What a task has of something: from its begin on, and at its end no more.

    What takes no time has nothing at any moment.

    Parameters
    ----------
    task
        Whose it is.
    begin, end
        Seconds.
    amount
        Units of a resource, or what a memory counts.
    """

    task: str
    begin: Fraction
    end: Fraction
    amount: Fraction

    @property
    def work(self) -> Fraction:
        """The amount times the seconds."""
        return self.amount * (self.end - self.begin)

    def times_at(self, moment: Fraction, period: Fraction | None) -> int:
        """Return how often it is there at a moment: of what is repeated, all that have begun and not ended."""
        if period is None:
            return int(self.begin <= moment < self.end)
        first = (moment - self.begin) // period  # the last that has begun
        return max(first - (moment - self.end) // period, 0)


def profile_of(uses: Iterable[TaskUse], period: Fraction | None = None) -> Profile:
    """Return what is there when.

    Parameters
    ----------
    uses
        In any order.
    period
        Seconds after which all is repeated, for ever and always; then moments are from 0 up to it. What takes longer is
        there more than once. None where nothing is.
    """
    base, changes = Fraction(0), []
    for use in uses:
        if use.begin >= use.end:
            continue
        if period is None:
            changes += [(use.begin, use.amount), (use.end, -use.amount)]
            continue
        begin, end = use.begin % period, use.end % period
        base += use.times_at(Fraction(0), period) * use.amount
        changes += [(when, change) for when, change in ((begin, use.amount), (end, -use.amount)) if when]
    return _summed(base, changes)


def _summed(base: Fraction, changes: list[tuple[Fraction, Fraction]]) -> Profile:
    unit = lcm(1, *{moment.denominator for moment, _ in changes})
    whole = sorted((int(moment * unit), change) for moment, change in changes)  # integers are quicker to sort
    found = [(Fraction(0), base)]
    for scaled, each in groupby(whole, key=lambda change: change[0]):
        moment, there = Fraction(scaled, unit), found[-1][1] + sum(change for _, change in each)
        if moment <= 0:
            found[-1] = (found[-1][0], there)
        elif there != found[-1][1]:
            found.append((moment, there))
    return tuple(found)


def peak_of(profile: Profile) -> tuple[Fraction, Fraction]:
    """Return the first moment at which there is most, and how much."""
    moment, most = max(profile, key=lambda one: one[1])
    return moment, most
