"""Processes of this machine, each in a pool of its own: if one dies, its call alone is run again in a new one."""

from __future__ import annotations

import os
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextvars import ContextVar
from multiprocessing import get_context
from queue import SimpleQueue
from threading import Event as Flag
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.executor.workers import DEATHS, KilledWorkers, Workers
from hypar_opt.util.processes import leave_signals, signals_held_back

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.synchronize import Event as SharedFlag

R = TypeVar("R")

STOP = Flag()
"""In a worker: set when all calls are to end with what they have."""
CURRENT: Final[ContextVar[Flag]] = ContextVar("CURRENT", default=STOP)
"""The flag of the call that is run: of one of several runs where workers outlive them."""


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalWorkers(Workers):
    """Processes of this machine.

    A thread a process waits for its results. A process is begun when it is first needed; as everywhere with processes,
    a script needs `if __name__ == "__main__":` around what uses them.

    Parameters
    ----------
    count
        How many.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._context = get_context("spawn")
        self._flag = self._context.Event()
        self._threads = ThreadPoolExecutor(count, "hypar-opt-worker")
        self._idle: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        for _ in range(count):
            self._idle.put(self._pool())

    @property
    def count(self) -> int:
        """How many calls run at a time."""
        return self._count

    @property
    def text(self) -> str:
        """Who they are."""
        return f"{self._count} local process{'' if self._count == 1 else 'es'}"

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Have a function called by the next process that is idle."""
        return self._threads.submit(self._call, fn, *args, **kwargs)

    def stop(self) -> None:
        """Set the flag of all calls."""
        self._flag.set()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, once what they run is done."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        while wait and not self._idle.empty():
            self._idle.get().shutdown()

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, _begin, (self._flag,))

    def _call(self, fn: Callable[..., R], *args: Any, **kwargs: Any) -> R:
        pool = self._idle.get()
        try:
            for _ in range(DEATHS):
                try:
                    with signals_held_back():
                        call = pool.submit(fn, *args, **kwargs)
                    return call.result()
                except BrokenProcessPool:
                    pool.shutdown()
                    pool = self._pool()
            raise KilledWorkers(f"{DEATHS} processes died while they ran it")
        finally:
            self._idle.put(pool)


def _begin(flag: SharedFlag) -> None:
    """Leave signals to the parent, and listen to its flag instead."""
    leave_signals()
    Thread(target=_hear, args=(flag,), daemon=True).start()


def _hear(flag: SharedFlag) -> None:
    flag.wait()
    STOP.set()
