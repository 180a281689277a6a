"""Processes of this machine, each in a pool of its own: if one dies, its call alone is run again in a new one."""

from __future__ import annotations

import os
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from hypar_opt.executor.process import STOP, WorkerProcess
from hypar_opt.executor.workers import DEATHS, KilledWorkers, Workers

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["STOP", "LocalWorkers", "processors"]
R = TypeVar("R")


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(eq=False)
class _Call:
    """A call that waits or runs: in which process, and whether it was cancelled."""

    process: WorkerProcess | None = None
    is_cancelled: bool = False


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
        self._threads = ThreadPoolExecutor(count, "hypar-opt-worker")
        self._idle: SimpleQueue[WorkerProcess] = SimpleQueue()
        self._calls: WeakKeyDictionary[Future[Any], _Call] = WeakKeyDictionary()
        self._running: set[_Call] = set()
        self._lock, self._is_stopped = Lock(), False
        for _ in range(count):
            self._idle.put(WorkerProcess(self._context))

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
        return self._submit(None, fn, *args, **kwargs)

    def submit_heard(self, hear: Callable[[bytes], None], fn: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have a function called by the next process that is idle, and hear what it tells."""
        return self._submit(hear, fn, *args)

    def stop(self) -> None:
        """Set the flag of all calls."""
        with self._lock:
            self._is_stopped = True
            for call in self._running:
                _stop(call)

    def cancel(self, future: Future[Any]) -> None:
        """Set the flag of one call; its process is replaced once it is done."""
        call = self._calls.get(future)
        if future.cancel() or call is None:
            return
        with self._lock:
            call.is_cancelled = True
            _stop(call)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes, once what they run is done."""
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)
        while wait and not self._idle.empty():
            self._idle.get().shutdown()

    def _submit(
        self, hear: Callable[[bytes], None] | None, fn: Callable[..., R], /, *args: Any, **kwargs: Any
    ) -> Future[R]:
        call = _Call()
        future = self._threads.submit(self._call, call, hear, fn, *args, **kwargs)
        self._calls[future] = call
        return future

    def _call(
        self, call: _Call, hear: Callable[[bytes], None] | None, fn: Callable[..., R], /, *args: Any, **kwargs: Any
    ) -> R:
        process = self._idle.get()
        try:
            for _ in range(DEATHS):
                self._begin(call, process)
                try:
                    return process.call(hear, fn, *args, **kwargs)
                except BrokenProcessPool:
                    process = self._replaced(process)
                if call.is_cancelled:
                    raise CancelledError
            raise KilledWorkers(f"{DEATHS} processes died while they ran it")
        finally:
            with self._lock:
                self._running.discard(call)
                call.process = None
            self._idle.put(self._replaced(process) if process.is_stopped else process)

    def _begin(self, call: _Call, process: WorkerProcess) -> None:
        with self._lock:
            self._running.add(call)
            call.process = process
            if self._is_stopped or call.is_cancelled:
                _stop(call)

    def _replaced(self, process: WorkerProcess) -> WorkerProcess:
        process.shutdown()
        return WorkerProcess(self._context)


def _stop(call: _Call) -> None:
    if call.process is not None:
        call.process.stop()
