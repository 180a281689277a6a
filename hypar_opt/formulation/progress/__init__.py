"""How far a run is, and how long what is left may take, from how long what is done took; no number for nothing known.

Units of work are of kinds (the solves of one formulation, say), and the units of a kind are taken for independent
draws of one distribution. Of n that took T seconds in all, of variance s^2 each, the r that are left take

    r T / n  +-  2 s sqrt(r (1 + r / n)),

the usual prediction interval of a sum: r draws that are still to come, about a mean that n draws tell. Where N units
are run beside each other all of it is divided by N, and the last of them may end up to (1 - 1 / N) of a unit later, as
no worker is idle before (R. L. Graham, Bounds on Multiprocessing Timing Anomalies, 1969), or sooner, as some are
nearly done.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ERRORS: Final = 2.0
"""Standard errors to either side of an estimate: 19 of 20 times the end is between them, if the assumptions hold."""
LEAST_SAMPLES: Final = 2
"""Fewer tell nothing of a variance."""


@dataclass(frozen=True)
class Left:
    """How many seconds are left.

    Parameters
    ----------
    least_s, most_s
        Between what; most_s is None where nothing bounds it.
    likely_s
        The estimate; None where there is none, and most_s is then a limit's word.
    """

    least_s: float
    likely_s: float | None
    most_s: float | None


def within(left: Left | None, limit_s: float | None) -> Left | None:
    """Return what is left where a limit ends it after so many seconds."""
    if limit_s is None:
        return left
    limit = max(0.0, limit_s)
    if left is None:
        return Left(0.0, None, limit)
    likely = None if left.likely_s is None else min(left.likely_s, limit)
    return Left(min(left.least_s, limit), likely, limit if left.most_s is None else min(left.most_s, limit))


@dataclass(frozen=True)
class Estimate:
    """What is expected of all that is left, at the moment when a unit begins, or several that are counted at once.

    Parameters
    ----------
    mean_s, error_s
        Of all units, these included: the sum of their means, and how far off it may be.
    unit_s, unit_most_s
        Until the next are counted: the mean, and what it takes at most if it is as before.
    tail_s
        How much sooner or later the last may end where several are run beside each other, as nobody knows how far
        those are.
    """

    mean_s: float
    error_s: float
    unit_s: float
    unit_most_s: float
    tail_s: float = 0.0

    def after(self, running_s: float) -> Left:
        """Return what is left once the unit has been going on for so long.

        A unit that takes longer than those before says nothing of when it ends: then only a least is left.
        """
        rest = max(0.0, self.mean_s - min(running_s, self.unit_s))
        least = max(0.0, rest - self.error_s - self.tail_s)
        if running_s > self.unit_most_s:
            return Left(least, None, None)
        return Left(least, rest, rest + self.error_s + self.tail_s)


@dataclass(frozen=True)
class Progress:
    """What is done, of how much.

    Parameters
    ----------
    done, total
        Units; total is None where nobody knows it.
    unit
        What is counted, in the plural.
    estimate
        Of what is left; None while it is unknown.
    limit_s
        After how many seconds limits end the rest; None without.
    running
        How many are run beside each other; 0 where it is one after the other.
    failed
        How many of those that are done have no result, as they killed their workers.
    """

    done: int
    total: int | None
    unit: str
    estimate: Estimate | None = None
    limit_s: float | None = None
    running: int = 0
    failed: int = 0

    @property
    def counted(self) -> str:
        """What is done, of how much, as `3 of 80 solves`."""
        return f"{self.done:,} {'' if self.total is None else f'of {self.total:,} '}{self.unit}"

    @property
    def beside(self) -> str:
        """What is run beside each other and what failed, as `2 running, 1 failed`; nothing where there is neither."""
        found = [("running", self.running), ("failed", self.failed)]
        return ", ".join(f"{number:,} {what}" for what, number in found if number)

    @property
    def over(self) -> bool:
        """Whether all is done."""
        return self.total is not None and self.done >= self.total

    def left(self, running_s: float = 0.0) -> Left | None:
        """Return what is left so many seconds after this was told; None where nothing is known, or all is done."""
        if self.over:
            return None
        estimated = None if self.estimate is None else self.estimate.after(running_s)
        return within(estimated, None if self.limit_s is None else self.limit_s - running_s)


@dataclass
class _Sample:
    """Units of a kind, how often some were counted, how long they took, and the sum of seconds^2 / units."""

    units: int = 0
    times: int = 0
    seconds: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.seconds / self.units

    @property
    def variance(self) -> float:
        """Of one unit; k units that were counted at once have k times as much."""
        return max(0.0, self.squares - self.seconds**2 / self.units) / (self.times - 1)


class Pace:
    """How long units took, by kind."""

    def __init__(self) -> None:
        self._samples: dict[str, _Sample] = {}

    def add(self, kind: str, seconds: float, units: int = 1) -> None:
        """Count units that took so long together."""
        sample = self._samples.setdefault(kind, _Sample())
        sample.units += units
        sample.times += 1
        sample.seconds += seconds
        sample.squares += seconds**2 / units

    def mean(self, kind: str) -> float:
        """Return how long a unit of a kind took; 0 where none is known."""
        return self._samples[kind].mean if kind in self._samples else 0.0

    def estimate(
        self, ahead: Mapping[str, int], kind: str, *, together: int | None = None, at_once: int = 1, share: float = 1.0
    ) -> Estimate | None:
        """Return what the units ahead will take; None while that is unknown, or as uncertain as it is long.

        Parameters
        ----------
        ahead
            By kind, how many are left.
        kind
            Of the one that begins now.
        together
            How many will be counted at once; None for as many as before.
        at_once
            How many are run beside each other.
        share
            Of the time of all of these, how much is spent on units.
        """
        kinds = [one for one, units in ahead.items() if units]
        if not kinds or any(one not in self._samples or self._samples[one].times < LEAST_SAMPLES for one in kinds):
            return None
        samples = [(ahead[one], self._samples[one]) for one in kinds]
        rate = at_once * share
        mean = sum(units * sample.mean for units, sample in samples) / rate
        error = ERRORS * math.sqrt(sum(_spread(units, sample) for units, sample in samples)) / rate
        if error >= mean:
            return None
        own = self._samples.get(kind, samples[0][1])
        counted = own.units / own.times if together is None else together
        unit = counted * own.mean
        most = unit + ERRORS * math.sqrt(_spread(counted, own))
        tail = (1 - 1 / at_once) * max(sample.mean for _, sample in samples)
        return Estimate(mean, error, unit, most, tail)


def _spread(units: float, sample: _Sample) -> float:
    """Return the variance of what so many units take about what is predicted for them."""
    return sample.variance * units * (1 + units / sample.units)
