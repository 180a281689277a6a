"""The claims of a report, judged in a process of their own while the rest is found and drawn."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Final, TypeAlias

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.util.processes import leave_signals, signals_held_back

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.sharedctypes import Synchronized
    from multiprocessing.synchronize import Event as SharedFlag

    from hypar_opt.studies.claims import ClaimRow, Judgement, PublishedClaim


Judged: TypeAlias = "tuple[tuple[ClaimRow, ...], tuple[str, ...]]"
"""A row for every claim that was judged, and a sentence for what went wrong."""
ENDED: Final = "the process that judged the claims was ended from outside: none of them has a verdict"
LOOK_S: Final = 0.1
"""How often it is looked how far the claims are, and whether all is to stop."""

_stop = Flag()
"""In the second process: what stops it."""
_count: Synchronized[int]
"""In the second process: how many it has judged, for the first to see."""


@contextmanager
def judged_beside(
    claims: Sequence[PublishedClaim], limits: Limits, time_limit_s: float | None, listener: Listener | None
) -> Iterator[Callable[[], Judged]]:
    """Judge claims in a second process from now on; what is yielded waits for their verdicts.

    Parameters
    ----------
    limits, time_limit_s
        As of `audit`: its flag stops the second process too, while the verdicts are waited for.
    listener
        Told how many are judged while they are waited for.
    """
    if not claims:
        yield lambda: ((), ())
        return
    from hypar_opt.studies.claims import ClaimRow
    from hypar_opt.studies.claims.auditor import SOURCE

    context = get_context("spawn")
    stop, count = context.Event(), context.Value("i", 0)
    pool = ProcessPoolExecutor(1, context, _begin, (stop, count))

    def collected() -> Judged:
        tracker, told = Tracker(listener, SOURCE, "claims", len(claims)), 0
        while not wait([found], LOOK_S).done:
            if limits.over:
                stop.set()
            done = count.value
            if done > told:
                tracker.add(done - told)
                told = done
        try:
            judgements = found.result()
        except BrokenProcessPool:
            return (), (ENDED,)
        if len(judgements) > told:
            tracker.add(len(judgements) - told)
        return tuple(ClaimRow(claim, one) for claim, one in zip(claims, judgements, strict=False)), ()

    try:
        with signals_held_back():
            own = limits.deadline, limits.seed, limits.workers, limits.memory_bytes
            found: Future[list[Judgement]] = pool.submit(_judgements, tuple(claims), own, time_limit_s)
        yield collected
    finally:
        stop.set()  # nobody waits for what is still running
        pool.shutdown(wait=True, cancel_futures=True)


def _begin(stop: SharedFlag, count: Synchronized[int]) -> None:
    """Leave signals to the parent, and listen to its flag instead."""
    global _count
    _count = count
    leave_signals()
    Thread(target=_hear, args=(stop,), daemon=True).start()


def _hear(stop: SharedFlag) -> None:
    stop.wait()
    _stop.set()


def _judgements(
    claims: Sequence[PublishedClaim], own: tuple[float | None, int, int, int], time_limit_s: float | None
) -> list[Judgement]:
    """Judge claims, in the second process; the rows' other half is at hand in the first."""
    from hypar_opt.studies.claims import audit

    def told(_: ClaimRow) -> None:
        _count.value += 1

    rows = audit(claims, limits=Limits(*own, stop=_stop), time_limit_s=time_limit_s, on_row=told)
    return [row.judgement for row in rows]
