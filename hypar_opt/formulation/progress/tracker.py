"""Telling a listener how much of a known amount of work is done."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress import Pace, Progress
from hypar_opt.formulation.run import Event, Listener

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


SAMPLE_S: Final = 0.25
"""Units of one kind are timed together until they took so long: what several workers hand in comes in bursts."""
TELL_S: Final = 0.1
"""Where it is silent at first it tells no more often than this afterwards."""


@dataclass(eq=False)
class Tracker:
    """Counts units of work as they are done, and tells of each.

    Parameters
    ----------
    listener
        Called with a `progress` event at the beginning and after every unit; None to call nobody.
    source
        Who counts.
    unit
        What is counted, in the plural.
    total
        How many there are; None where nobody knows. Where kinds are given it is their number.
    kinds
        Of every unit in order, where some kinds take longer than others.
    done
        How many are done; to begin with, what was done before.
    each_s
        After how long a limit ends a unit.
    estimated
        Whether the units before tell how long the others take: not where each is larger than the one before.
    warming
        Whether the next that are counted take longer, as processes have to start: their time tells nothing.
    after_s
        Nothing is told before, and of what takes less nothing at all.
    clock
        In seconds.
    """

    listener: Listener | None
    source: str
    unit: str
    total: int | None = None
    _: KW_ONLY
    kinds: Sequence[str] = ()
    done: int = 0
    each_s: float | None = None
    estimated: bool = True
    warming: bool = False
    after_s: float = 0.0
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.total = len(self.kinds) if self.kinds else self.total
        self._ahead = Counter(self.kinds) if self.kinds else Counter({"": max(0, (self.total or 0) - self.done)})
        self._pace, self._untimed, self._wait_s = Pace(), 0, self.after_s
        self._began = self._timed = self._told = self.clock()
        if not self.after_s:
            self._tell(self._began)

    def add(self, units: int = 1) -> None:
        """Count units that were done since the last that were counted; with kinds one at a time."""
        if units < 1:
            return
        now = self.clock()
        self._untimed += units
        if self.warming:
            self._timed, self._untimed, self.warming = now, 0, False
        elif self.kinds or now - self._timed >= SAMPLE_S:
            self._pace.add(self._kind, now - self._timed, self._untimed)
            self._timed, self._untimed = now, 0
        self._ahead[self._kind] -= units
        self.done += units
        ended = self.done == self.total and self._told > self._began
        if ended or now - self._told >= self._wait_s:
            self._told, self._wait_s = now, min(self._wait_s, TELL_S)
            self._tell(now)

    @property
    def _kind(self) -> str:
        return self.kinds[self.done] if self.done < len(self.kinds) else ""

    def _tell(self, now: float) -> None:
        if self.listener is None:
            return
        known = self.estimated and self.total is not None and self.done < self.total
        estimate = self._pace.estimate(self._ahead, self._kind) if known else None
        limit = None
        if self.each_s is not None and self.total is not None:
            limit = self.each_s * max(0, self.total - self.done)
        progress = Progress(self.done, self.total, self.unit, estimate, limit)
        self.listener(Event("progress", now - self._began, self.source, progress=progress))
