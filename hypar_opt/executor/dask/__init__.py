"""Workers of a Dask cluster, of the standard library's shape; what is said to Dask is said in a thread of its own."""

from __future__ import annotations

import asyncio
import pickle
import signal
from concurrent.futures import Future, wait
from itertools import count
from multiprocessing.resource_tracker import ensure_running
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from hypar_opt.executor.dask.calls import Call
from hypar_opt.executor.dask.sending import Sending
from hypar_opt.executor.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from hypar_opt.executor.dask.clusters import DaskCluster
    from hypar_opt.formulation.run import Limits

R = TypeVar("R")


class DaskWorkers(Workers):
    """Workers of a Dask cluster.

    Parameters
    ----------
    cluster
        Where the scheduler is.
    limits
        Threads and memory of a call.

    Raises
    ------
    HyparError
        If there is no scheduler, or it has no worker in time, or one that cannot run the calls.
    """

    def __init__(self, cluster: DaskCluster, limits: Limits) -> None:
        self._cluster = cluster
        self._calls: dict[Future[Any], Call] = {}
        self._numbers = count(1)
        self._is_shut = False
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._turn, name="hypar-opt-dask", daemon=True)
        self._thread.start()
        self._sending = Sending(cluster, limits, self._loop, self._tell)
        try:
            self._within(self._sending.open())
        except BaseException:
            self._close()
            raise

    @property
    def count(self) -> int:
        """How many workers there are; 1 while there is none."""
        return max(1, self._sending.count)

    @property
    def text(self) -> str:
        """Who they are."""
        return self._cluster.text(self.count)

    @property
    def blames_one(self) -> bool:
        """Whether the scheduler gives workers no call beside the one that they run."""
        return self._cluster.blames_one

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Have a function called by the next worker that is free."""
        return self._submit(None, fn, *args, **kwargs)

    def submit_heard(self, hear: Callable[[bytes], None], fn: Callable[..., R], /, *args: Any) -> Future[R]:
        """Have a function called by the next worker that is free, and hear what it tells."""
        return self._submit(hear, fn, *args)

    def stop(self) -> None:
        """Set the flag of all calls, wherever they run."""
        if not self._is_shut:
            self._loop.call_soon_threadsafe(self._sending.stop)

    def cancel(self, future: Future[Any]) -> None:
        """Set the flag of one call, or have it not begun."""
        call = self._calls.get(future)
        if not future.cancel() and call is not None:
            self._loop.call_soon_threadsafe(self._sending.end, call)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler, once what runs is done; a cluster of one's own ends."""
        if self._is_shut:
            return
        self._is_shut = True
        if cancel_futures:
            self._within(self._sending.cancel_waiting())
        if wait:
            _wait(list(self._calls))
        self._close()

    def _submit(
        self, hear: Callable[[bytes], None] | None, fn: Callable[..., R], /, *args: Any, **kwargs: Any
    ) -> Future[R]:
        if self._is_shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        call = Call(next(self._numbers), pickle.dumps((fn, args, kwargs)), hear)
        self._calls[call.future] = call
        call.future.add_done_callback(self._calls.pop)
        self._loop.call_soon_threadsafe(self._sending.put, call)
        return call.future

    def _turn(self) -> None:
        # processes that are started from here leave Ctrl-C to this one; the first would let it through again, as it
        # starts Python's tracker of shared resources, unless that runs
        ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        self._loop.run_forever()

    def _tell(self, text: str) -> None:
        if self.say is not None:
            self.say(text)

    def _within(self, work: Coroutine[Any, Any, R]) -> R:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def _close(self) -> None:
        self._within(self._sending.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _wait(futures: list[Future[Any]]) -> None:
    wait(futures)
