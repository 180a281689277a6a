"""Telling a listener how much of a known amount of work is done."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress import Pace, Progress
from hypar_opt.formulation.run import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.formulation.run import Listener

SAMPLE_S: Final = 0.25
"""Units of one kind are timed together until they took so long: what several workers hand in comes in bursts."""
TELL_S: Final = 0.1
"""Where it is silent at first it tells no more often than this afterwards."""


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
        What was done before.
    each_s
        After how long a limit ends a unit.
    estimated
        Whether the units before tell how long the others take: not where each is larger than the one before.
    warming
        Whether the first that are counted take longer, as processes have to start: their time tells nothing.
    after_s
        Nothing is told before, and of what takes less nothing at all.
    clock
        In seconds.
    """

    def __init__(
        self,
        listener: Listener | None,
        source: str,
        unit: str,
        total: int | None = None,
        *,
        kinds: Sequence[str] = (),
        done: int = 0,
        each_s: float | None = None,
        estimated: bool = True,
        warming: bool = False,
        after_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listener, self._source, self._unit, self._clock = listener, source, unit, clock
        self._kinds, self._total = kinds, len(kinds) if kinds else total
        self._done, self._each_s, self._estimated = done, each_s, estimated
        self._ahead = Counter(kinds) if kinds else Counter({"": max(0, (total or 0) - done)})
        self._pace, self._untimed = Pace(), 0
        self._began = self._timed = self._told = clock()
        self._wait_s, self._warming = after_s, warming
        if not after_s:
            self._tell(self._began)

    def add(self, units: int = 1) -> None:
        """Count units that were done since the last that were counted; with kinds one at a time."""
        if units < 1:
            return
        now = self._clock()
        self._untimed += units
        if self._warming:
            self._timed, self._untimed, self._warming = now, 0, False
        elif self._kinds or now - self._timed >= SAMPLE_S:
            self._pace.add(self._kind, now - self._timed, self._untimed)
            self._timed, self._untimed = now, 0
        self._ahead[self._kind] -= units
        self._done += units
        ended = self._done == self._total and self._told > self._began
        if ended or now - self._told >= self._wait_s:
            self._told, self._wait_s = now, min(self._wait_s, TELL_S)
            self._tell(now)

    @property
    def _kind(self) -> str:
        return self._kinds[self._done] if self._done < len(self._kinds) else ""

    def _tell(self, now: float) -> None:
        if self._listener is None:
            return
        known = self._estimated and self._total is not None and self._done < self._total
        estimate = self._pace.estimate(self._ahead, self._kind) if known else None
        limit = None
        if self._each_s is not None and self._total is not None:
            limit = self._each_s * max(0, self._total - self._done)
        progress = Progress(self._done, self._total, self._unit, estimate, limit)
        self._listener(Event("progress", now - self._began, self._source, progress=progress))
