"""Telling a listener how much of a known amount of work is done."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.progress import Estimate, Pace, Progress
from hypar_opt.formulation.progress.parallel import Parallel
from hypar_opt.formulation.run import Event, Listener

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence


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
        Whether the next that are counted take longer, as processes have to start: their time tells nothing. Where
        workers run them the first of each worker.
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
        self._pace, self._beside, self._warm = Pace(), Parallel(), 0
        self._untimed, self._wait_s, self._told_done = 0, self.after_s, self.done
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
        self._tell_seldom(now, at_once=self.done == self.total and self._told > self._began)

    def begin(self, running: int, at_once: int) -> None:
        """Note how many units are run beside each other by now, of how many that could be; more than before are told.

        To be called now and then, so that what ended is told soon. Nobody who has units run by
        `hypar_opt.executor.run_pieces` needs to call this, `end` or `add`.
        """
        grown = running > self._beside.running
        self._beside.running, self._beside.at_once = running, max(1, at_once)
        if grown or self._told_done < self.done:
            self._tell_seldom(self.clock(), at_once=grown, every_s=TELL_S)

    def end(self, ended: Mapping[int, float], running: int, failed: Collection[int] = ()) -> None:
        """Count units that a worker has run one after the other while others ran others.

        Parameters
        ----------
        ended
            By index, from 0 and in the order of the kinds, how many seconds a unit took.
        running
            How many units are run now.
        failed
            The indices of others, which have no result.
        """
        now = self.clock()
        kinds = {index: self.kinds[index] if self.kinds else "" for index in (*ended, *failed)}
        self._ahead -= Counter(kinds.values())
        if self.warming:
            self._warm += 1
            self.warming = self._warm < self._beside.at_once
        else:
            for index, seconds in ended.items():
                self._pace.add(kinds[index], seconds)
        self._beside.count(now, ended.values(), running, len(failed))
        self.done += len(kinds)
        self._tell_seldom(now, at_once=bool(failed) or self.done == self.total, every_s=TELL_S)

    @property
    def _kind(self) -> str:
        return self.kinds[self.done] if self.done < len(self.kinds) else ""

    def _tell_seldom(self, now: float, *, at_once: bool, every_s: float = 0.0) -> None:
        if at_once or now - self._told >= max(every_s, self._wait_s):
            self._told, self._wait_s = now, min(self._wait_s, TELL_S)
            self._tell(now)

    def _tell(self, now: float) -> None:
        self._told_done = self.done
        if self.listener is None:
            return
        left = None if self.total is None else max(0, self.total - self.done)
        limit = None
        if self.each_s is not None and left is not None:
            limit = self.each_s * -(-left // self._beside.at_once)
        estimate = self._estimate() if self.estimated and left else None
        beside = self._beside
        progress = Progress(self.done, self.total, self.unit, estimate, limit, beside.running, beside.failed)
        self.listener(Event("progress", now - self._began, self.source, progress=progress))

    def _estimate(self) -> Estimate | None:
        beside = self._beside
        if beside.together is None:
            return self._pace.estimate(self._ahead, self._kind)
        kind = max(self._ahead, key=self._pace.mean, default="")
        units = self._ahead.total()
        mean = sum(count * self._pace.mean(one) for one, count in self._ahead.items()) / units if units else 0.0
        return self._pace.estimate(
            self._ahead, kind, together=beside.together, at_once=beside.at_once, share=beside.share(mean)
        )
