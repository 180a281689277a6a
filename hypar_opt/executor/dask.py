"""Workers of a Dask cluster: each has one call at a time, so that a death is blamed on the call that it ended.

Dask itself blames all calls that stand in a worker's queue, and runs calls again that one kills, on workers where
others stand (`Scheduler.remove_worker`). Here a call is sent to a worker that is free, and to that one alone.
"""

from __future__ import annotations

import asyncio
import pickle
import signal
import uuid
from collections import deque
from concurrent.futures import CancelledError, Future
from concurrent.futures import wait as all_done
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hypar_opt.executor import dask_calls
from hypar_opt.executor.dask_workers import Worker, admitted
from hypar_opt.executor.workers import DEATHS, KilledWorkers, Workers
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from hypar_opt.executor.dask_clusters import Cluster
    from hypar_opt.formulation.run import Limits

R = TypeVar("R")
CONNECT_S: Final = 5
"""How long a scheduler may take to answer."""
RECONNECT_S: Final = 120
"""How long a scheduler may be away in the midst of a run."""
LOOK_S: Final = 0.5
"""How often it is looked whether the scheduler is there."""


@dataclass(eq=False)
class _Call:
    payload: bytes
    future: Future[Any] = field(default_factory=Future)
    deaths: int = 0


class DaskWorkers(Workers):
    """Workers of a Dask cluster.

    All that is said to Dask is said in one thread, in which its event loop runs.

    Parameters
    ----------
    cluster
        Where the scheduler is.
    limits
        Threads and memory of a call.

    Raises
    ------
    InputError
        If there is no scheduler, or it has no worker in time, or one that cannot run the calls.
    """

    def __init__(self, cluster: Cluster, limits: Limits) -> None:
        self._cluster, self._limits = cluster, limits
        self._run = uuid.uuid4().hex
        self._stopped = self._closing = False
        self._fault: Exception | None = None
        self._waiting: deque[_Call] = deque()
        self._workers: dict[str, Worker] = {}
        self._free: deque[Worker] = deque()
        self._futures: set[Future[Any]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._client: Any = None
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="hypar-opt-dask", daemon=True)
        self._thread.start()
        try:
            self._within(self._open())
        except BaseException:
            self._close()
            raise

    @property
    def count(self) -> int:
        """How many workers there are; 1 while there is none."""
        return max(1, len(self._workers))

    @property
    def text(self) -> str:
        """Who they are."""
        return self._cluster.text(self.count)

    def submit(self, fn: Callable[..., R], /, *args: Any, **kwargs: Any) -> Future[R]:
        """Have a function called by the next worker that is free."""
        if self._closing:
            raise RuntimeError("cannot schedule new futures after shutdown")
        call = _Call(pickle.dumps((fn, args, kwargs)))
        self._futures.add(call.future)
        call.future.add_done_callback(self._futures.discard)
        self._loop.call_soon_threadsafe(self._put, call)
        return call.future

    def stop(self) -> None:
        """Set the flag of all calls, wherever they run."""
        self._loop.call_soon_threadsafe(self._stop)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler, once what runs is done; a cluster of one's own ends."""
        if self._closing:
            return
        self._closing = True
        if cancel_futures:
            for future in list(self._futures):
                future.cancel()
        if wait:
            all_done(list(self._futures))
        self._close()

    def _close(self) -> None:
        self._within(self._leave())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _within(self, work: Coroutine[Any, Any, R]) -> R:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    # in the loop's thread

    async def _open(self) -> None:
        # processes that are started from here leave Ctrl-C to this one
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
        await self._cluster.open()
        await self._connect()
        self._begin(self._watch())

    async def _leave(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        await self._cluster.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> None:
        """Become a client, and look at all workers."""
        self._client = await self._cluster.client(CONNECT_S)
        self._client.subscribe_topic("all", self._hear)
        for worker in await admitted(self._client, await self._cluster.ready(self._client), self._limits):
            self._add(worker)

    async def _watch(self) -> None:
        """Become a client anew when the scheduler went away and is there again, and run again what ran."""
        while True:
            await asyncio.sleep(LOOK_S)
            if self._client.status == "running":
                continue
            for address in list(self._workers):
                self._remove(address, died=False)
            await self._client.close()
            until = self._loop.time() + RECONNECT_S
            while self._client.status != "running":
                try:
                    await self._connect()
                except HyparError as error:
                    if self._loop.time() > until:
                        self._fail(error)
                        return
                    await asyncio.sleep(LOOK_S)

    def _hear(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take note of workers that come and go."""
        said = event[1]
        if said["action"] == "add-worker":
            self._begin(self._look_at(said["worker"]))
        elif said["action"] == "remove-worker":
            self._remove(said["worker"], died=not said["expected"])

    async def _look_at(self, address: str) -> None:
        try:
            for worker in await admitted(self._client, [address], self._limits):
                self._add(worker)
        except HyparError as error:
            self._fail(error)

    def _add(self, worker: Worker) -> None:
        if worker.address not in self._workers:
            self._workers[worker.address] = worker
            self._free.append(worker)
            self._hand()

    def _remove(self, address: str, *, died: bool) -> None:
        worker = self._workers.pop(address, None)
        if worker is not None:
            if worker in self._free:
                self._free.remove(worker)
            if not worker.gone.done():
                worker.gone.set_result(died)
            self._hand()

    def _fail(self, error: HyparError) -> None:
        """Nothing more can be run."""
        self._fault = error
        self._hand()

    def _stop(self) -> None:
        self._stopped = True
        self._begin(self._client.run(dask_calls.end_calls, self._run, on_error="ignore"))
        self._hand()

    def _put(self, call: _Call) -> None:
        self._waiting.append(call)
        self._hand()

    def _hand(self) -> None:
        """Give calls that wait to workers that are free."""
        fault = self._fault
        if self._stopped and not self._workers:
            fault = fault or CancelledError("no worker is left that could end it")
        while self._waiting and (self._free or fault):
            call = self._waiting.popleft()
            if not call.future.running() and not call.future.set_running_or_notify_cancel():
                continue
            if fault:
                call.future.set_exception(fault)
            else:
                self._begin(self._send(call, self._free.popleft()))

    def _release(self, worker: Worker) -> None:
        if not worker.gone.done():
            self._free.append(worker)
            self._hand()

    async def _send(self, call: _Call, worker: Worker) -> None:
        """Have a worker run a call; put it back if the worker goes away before the result is here."""
        sent = self._client.submit(
            dask_calls.call, self._run, self._stopped, call.payload,
            pure=False, workers=[worker.address], resources=worker.demand,
        )  # fmt: skip
        if await _first(sent.exception(), worker.gone) and sent.status in ("finished", "error"):
            # the next call is sent while this one's result is fetched
            self._release(worker)
            if await _first(result := asyncio.ensure_future(sent.result()), worker.gone) and _settle(call, result):
                return
        elif worker.gone.done() and worker.gone.result():
            call.deaths += 1
        sent.release()
        if call.deaths >= DEATHS:
            call.future.set_exception(KilledWorkers(f"{DEATHS} workers died while they ran it"))
            return
        self._release(worker)
        self._waiting.appendleft(call)
        self._hand()


async def _first(work: Any, gone: asyncio.Future[bool]) -> bool:
    """Return whether work ended before its worker went away."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
    if not task.done():
        task.cancel()
        return False
    return True


def _settle(call: _Call, result: asyncio.Future[bytes]) -> bool:
    """Pass on what came of a call; return whether it was run to its end."""
    if result.cancelled():
        return False
    error = result.exception()
    if isinstance(error, CancelledError):
        return False
    if error is not None:
        call.future.set_exception(error)
    else:
        call.future.set_result(pickle.loads(result.result()))
    return True
