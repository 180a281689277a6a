"""Telling a listener how much of a known amount of work is done."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

from hypar_opt.pace import Pace, Progress
from hypar_opt.run import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.run import Listener


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
    every_s
        Tells no more often than this; where it is not 0, the beginning is not told either, nor the end of what
        took less.
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
        every_s: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._listener, self._source, self._unit, self._clock = listener, source, unit, clock
        self._kinds, self._total = kinds, len(kinds) if kinds else total
        self._done, self._each_s, self._estimated = done, each_s, estimated
        self._ahead = Counter(kinds) if kinds else Counter({"": max(0, (total or 0) - done)})
        self._pace = Pace()
        self._began = self._last = self._told = clock()
        self._every_s = every_s
        self._silent = bool(every_s)
        if not every_s:
            self._tell()

    def add(self, units: int = 1) -> None:
        """Count units that were done since the last that were counted; with kinds one at a time."""
        if units < 1:
            return
        now, kind = self._clock(), self._kind
        self._pace.add(kind, now - self._last, units)
        self._ahead[kind] -= units
        self._done, self._last = self._done + units, now
        ended = self._done == self._total and not self._silent
        if ended or now - self._told >= self._every_s:
            self._told, self._silent = now, False
            self._tell()

    @property
    def _kind(self) -> str:
        return self._kinds[self._done] if self._done < len(self._kinds) else ""

    def _tell(self) -> None:
        if self._listener is None:
            return
        known = self._estimated and self._total is not None and self._done < self._total
        estimate = self._pace.estimate(self._ahead, self._kind) if known else None
        limit = None
        if self._each_s is not None and self._total is not None:
            limit = self._each_s * max(0, self._total - self._done)
        progress = Progress(self._done, self._total, self._unit, estimate, limit)
        self._listener(Event("progress", self._last - self._began, self._source, progress=progress))
