"""Sending calls to workers of Dask: one at a time to each, so that a death is blamed on the call that it ended.

Dask itself blames all calls that stand in a worker's queue, and runs what was there on workers where others stand
(`Scheduler.remove_worker`). Here a call is sent to a worker that is free, and to that one alone; the scheduler's
events say when workers come and go.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.dask import inside
from hypar_opt.executor.dask.call import Call, ended_first, settled
from hypar_opt.executor.dask.workers import Worker, admitted
from hypar_opt.executor.workers import DEATHS, KilledWorkers
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from hypar_opt.executor.dask.clusters import DaskCluster
    from hypar_opt.formulation.run import Limits

CONNECT_S: Final = 5
"""How long a scheduler may take to answer."""
RECONNECT_S: Final = 120
"""How long a scheduler may be away in the midst of a run."""
LOOK_S: Final = 0.5
"""How often it is looked whether the scheduler is there."""


class Sending:
    """What is sent where; all of it is called in the thread of the loop.

    Parameters
    ----------
    cluster, limits
        As `DaskWorkers` has them.
    loop
        In which Dask's client runs.
    """

    def __init__(self, cluster: DaskCluster, limits: Limits, loop: asyncio.AbstractEventLoop) -> None:
        self._cluster, self._limits, self._loop = cluster, limits, loop
        self._run = uuid.uuid4().hex
        self._client: Any = None
        self._workers: dict[str, Worker] = {}
        self._free: deque[Worker] = deque()
        self._waiting: deque[Call] = deque()
        self._heard: dict[int, Call] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self._fault: Exception | None = None

    @property
    def count(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    async def open(self) -> None:
        """Become a client, with a worker at least."""
        # what Dask leaves behind it would say on the terminal
        self._loop.set_exception_handler(lambda *_: None)
        await self._cluster.open()
        await self._connect()
        self._begin(self._watch())

    async def close(self) -> None:
        """Leave the scheduler."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        await self._cluster.close()

    def put(self, call: Call) -> None:
        """Send a call as soon as a worker is free."""
        self._waiting.append(call)
        self._hand()

    def stop(self) -> None:
        """Set the flag of all calls, of those to come too."""
        self._is_stopped = True
        self._begin(self._set_flags((self._run, 0), None))
        self._hand()

    def end(self, call: Call) -> None:
        """Set the flag of one."""
        call.is_cancelled = True
        if call.worker is not None:
            self._begin(self._set_flags((self._run, call.number), [call.worker.address]))

    async def _connect(self) -> None:
        self._client = await self._cluster.client(CONNECT_S)
        self._client.subscribe_topic("all", self._note)
        self._client.subscribe_topic(inside.topic(self._run), self._hear)
        for worker in await admitted(self._client, await self._cluster.ready(self._client), self._limits):
            self._add(worker)

    async def _watch(self) -> None:
        """Become a client anew when the scheduler went away and is there again; what ran is run again."""
        while True:
            await asyncio.sleep(LOOK_S)
            if self._client.status == "running":
                continue
            for address in list(self._workers):
                self._remove(address, died=False)
            until = self._loop.time() + RECONNECT_S
            while self._client.status != "running":
                await self._client.close()
                try:
                    await self._connect()
                except HyparError:
                    if self._loop.time() > until:
                        raise
                    await asyncio.sleep(LOOK_S)

    def _note(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take note of workers that come and go."""
        said = event[1]
        if said["action"] == "add-worker":
            self._begin(self._look_at(said["worker"]))
        elif said["action"] == "remove-worker":
            self._remove(said["worker"], died=not said["expected"])

    def _hear(self, event: tuple[float, tuple[int, bytes]]) -> None:
        number, message = event[1]
        call = self._heard.get(number)
        if call is not None and call.hear is not None:
            call.hear(message)

    async def _set_flags(self, of: inside.CallId, addresses: list[str] | None) -> None:
        with suppress(OSError):  # they went away
            await self._client.run(inside.end_calls, of, workers=addresses, on_error="ignore")

    async def _look_at(self, address: str) -> None:
        """Add a worker that came, once it answers: the scheduler tells of it before it listens."""
        with suppress(OSError):
            while address not in self._workers:
                for worker in await admitted(self._client, [address], self._limits):
                    self._add(worker)
                    return
                await asyncio.sleep(LOOK_S)
                if address not in (await self._client.scheduler.identity(n_workers=-1))["workers"]:
                    return

    def _add(self, worker: Worker) -> None:
        if worker.address not in self._workers:
            self._workers[worker.address] = worker
            self._release(worker)

    def _remove(self, address: str, *, died: bool) -> None:
        worker = self._workers.pop(address, None)
        if worker is not None:
            worker.gone.set_result(died)
            with suppress(ValueError):  # it was not free
                self._free.remove(worker)
            self._hand()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            # nothing more can be run
            self._fault = error
            self._hand()

    def _release(self, worker: Worker) -> None:
        if not worker.gone.done():
            self._free.append(worker)
            self._hand()

    def _hand(self) -> None:
        """Give calls that wait to workers that are free."""
        fault = self._fault
        if self._is_stopped and not self._workers:
            fault = fault or CancelledError("no worker is left that could end it")
        while self._waiting and (self._free or fault):
            call = self._waiting.popleft()
            if not call.future.running() and not call.future.set_running_or_notify_cancel():
                continue
            if fault:
                call.future.set_exception(fault)
            else:
                call.worker = self._free.popleft()
                self._begin(self._send(call, call.worker))

    async def _send(self, call: Call, worker: Worker) -> None:
        """Have a worker run a call; put it back if the worker goes away before the result is here."""
        if call.hear is not None:
            self._heard[call.number] = call
        try:
            is_settled = await self._is_settled(call, worker)
        finally:
            self._heard.pop(call.number, None)
            call.worker = None
        if is_settled:
            return
        if call.is_cancelled:
            call.future.set_exception(CancelledError("its worker went away"))
        elif call.deaths >= DEATHS:
            call.future.set_exception(KilledWorkers(f"{DEATHS} workers died while they ran it"))
        else:
            self._waiting.appendleft(call)
            self._hand()

    async def _is_settled(self, call: Call, worker: Worker) -> bool:
        """Return whether a call was run to its end, by a worker that is free again."""
        sent = self._client.submit(
            inside.call, (self._run, call.number), self._is_stopped, call.hear is not None, call.payload,
            pure=False, workers=[worker.address], resources=worker.demand,
        )  # fmt: skip
        try:
            has_ended = await ended_first(sent.exception(), worker) and sent.status in ("finished", "error")
            if not has_ended and worker.gone.done() and worker.gone.result():
                call.deaths += 1
            # the next call is sent while this one's result is fetched
            self._release(worker)
            if not has_ended:
                return False
            result = asyncio.ensure_future(sent.result())
            return await ended_first(result, worker) and settled(call.future, result)
        finally:
            sent.release()
