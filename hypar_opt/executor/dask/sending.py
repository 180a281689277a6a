"""Sending calls to Dask, whose scheduler queues them, hands them out and runs them again when a worker dies.

What is added: calls are sent once more to a scheduler that took the place of a lost one, those that run are told to
end, and what they tell is passed on.
"""

from __future__ import annotations

import asyncio
import pickle
import uuid
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.dask import inside
from hypar_opt.executor.dask.admission import ANSWER_S, WorkerDemand, admitted
from hypar_opt.executor.dask.calls import cut_by, sent, waiting
from hypar_opt.executor.dask.presence import Presence
from hypar_opt.executor.workers import DEATHS, KilledWorkers, LostWorkers
from hypar_opt.util.errors import HyparError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable

    from hypar_opt.executor.dask.calls import Call
    from hypar_opt.executor.dask.clusters import DaskCluster
    from hypar_opt.formulation.run import Limits

CONNECT_S: Final = 5
"""How long a scheduler may take to answer."""
RECONNECT_S: Final = 120
"""How long a scheduler may be away in the midst of a run."""
LOOK_S: Final = 0.5
"""How often it is looked whether the scheduler is there again."""


class Sending:
    """The calls of one run; all of it is called in the thread of the loop.

    Parameters
    ----------
    cluster, limits
        As `DaskWorkers` has them.
    loop
        In which Dask's client runs.
    say
        Called with what whoever waits should know.
    """

    def __init__(
        self, cluster: DaskCluster, limits: Limits, loop: asyncio.AbstractEventLoop, say: Callable[[str], None]
    ) -> None:
        self._cluster, self._demand, self._loop = cluster, WorkerDemand.of(limits), loop
        self._run = uuid.uuid4().hex
        self._client: Any = None
        self._renewal = asyncio.Lock()
        self._workers = Presence(loop, say, cluster.lever)
        self._calls: dict[int, Call] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ended: set[inside.CallId] = set()

    @property
    def count(self) -> int:
        """How many workers there are."""
        return len(self._workers)

    @property
    def _is_connected(self) -> bool:
        return self._client is not None and bool(self._client.status == "running")

    async def open(self) -> None:
        """Become a client, with a worker at least."""
        # what Dask leaves behind it would say on the terminal
        self._loop.set_exception_handler(lambda *_: None)
        await self._cluster.open()
        await self._connect()

    async def close(self) -> None:
        """Leave the scheduler."""
        self._workers.end()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            await self._client.close()
        await self._cluster.close()

    def put(self, call: Call) -> None:
        """Send a call."""
        if call.future.set_running_or_notify_cancel():
            self._begin(self._settle(call))

    def stop(self) -> None:
        """Set the flag of all calls, and have none begun that waits."""
        self._begin(self._end((self._run, 0), None))

    def end(self, call: Call) -> None:
        """Set the flag of one, or have it not begun."""
        self._begin(self._end((self._run, call.number), [call]))

    async def cancel_waiting(self, calls: Iterable[Call] | None = None) -> None:
        """Have calls not begun that no worker has, nor has done; all, unless it is said which."""
        if not self._is_connected:
            return  # nothing that was ended is sent to the next scheduler
        with suppress(OSError):  # it went away this moment
            some = list(self._calls.values()) if calls is None else calls
            left = await waiting(self._client, some, has_workers=bool(self._workers))
            self._ended.update((self._run, one.number) for one in left)
            await self._client.cancel([one.sent for one in left])

    async def _connect(self) -> None:
        client = await self._cluster.client(CONNECT_S)
        self._workers.begin()
        try:
            client.subscribe_topic("all", self._note)
            client.subscribe_topic(inside.topic(self._run), self._hear)
            found = await admitted(client, await self._cluster.ready(client), self._demand)
        except OSError as error:
            await client.close()
            raise self._cluster.missing(f"it went away ({error})") from error
        except HyparError:
            await client.close()
            raise
        self._workers.admit(found)  # others came and went meanwhile
        self._client = client
        await self._set_flags(None)

    async def _leave(self, client: Any) -> None:
        """Be no client of a scheduler that went away; it would become one by itself, which is told of no worker."""
        if self._client is client:
            self._client = None
        await client.close()

    async def _connected(self) -> Any:
        """Return a client that is connected: a new one when the scheduler went away and is there again.

        Raises
        ------
        LostWorkers
            If it stays away.
        CancelledError
            If all is to end meanwhile.
        """
        until = self._loop.time() + RECONNECT_S
        async with self._renewal:
            while not self._is_connected:
                if (self._run, 0) in self._ended:
                    raise CancelledError("the scheduler went away")
                if self._client is not None:
                    await self._leave(self._client)
                try:
                    await self._connect()
                except HyparError as error:
                    if self._loop.time() > until:
                        raise LostWorkers.of(error) from error
                    await asyncio.sleep(LOOK_S)
            return self._client

    async def _settle(self, call: Call) -> None:
        """Give a call's future what comes of it."""
        self._calls[call.number] = call
        try:
            found = pickle.loads(await self._outcome(call))
        except asyncio.CancelledError:
            call.future.set_exception(CancelledError("the workers were left"))
            raise
        except BaseException as error:  # noqa: BLE001 - whatever a call raises is for who wants its result
            # one that was cut too often is told to stop, and may say so by an error
            is_cut = call.cuts >= DEATHS
            call.future.set_exception(KilledWorkers(self._cluster.cut(call.cuts)) if is_cut else error)
        else:
            call.future.set_result(found)
        finally:
            del self._calls[call.number]

    async def _outcome(self, call: Call) -> bytes:
        from distributed.scheduler import KilledWorker

        while True:
            client = await self._connected()
            if self._is_ended(call) or call.cuts >= DEATHS:
                raise CancelledError("it was ended before it was begun")
            call.sent = sent(client, ((self._run, call.number), self._demand, call.hear is not None, call.payload))
            try:
                found: bytes = await call.sent.result()
            except KilledWorker as error:
                raise KilledWorkers(f"{error.allowed_failures + 1} workers died while they ran it") from None
            except ModuleNotFoundError as error:
                if error.name is None or error.name.partition(".")[0] != "hypar_opt":
                    raise
                raise LostWorkers(f"a worker cannot run hypar-opt: {error}", field="--on") from error
            except InputError as error:
                if error.field != "--on":
                    raise
                # of the worker, which looked at itself; it may be of another version, and know no other error
                raise LostWorkers.of(error) from None
            except (CancelledError, OSError) as error:
                if call.sent.status == "error":
                    raise  # by the call
                # it was ended before it was begun; or the scheduler went away with it, or while its result was
                # fetched; or it was restarted, and forgot its calls
                if isinstance(error, OSError) or client.status != "running":
                    await self._leave(client)
                elif not self._is_ended(call):
                    await asyncio.sleep(LOOK_S)
            else:
                if call.cuts < DEATHS:
                    return found

    def _is_ended(self, call: Call) -> bool:
        return not self._ended.isdisjoint(((self._run, 0), (self._run, call.number)))

    async def _end(self, ended: inside.CallId, calls: Iterable[Call] | None) -> None:
        self._ended.add(ended)
        try:
            # in this order: a worker whose call ends would begin the next
            await self.cancel_waiting(calls)
        finally:
            await self._set_flags(None)

    async def _set_flags(self, addresses: list[str] | None) -> None:
        if self._ended and self._is_connected:
            told = self._client.run(inside.end_calls, self._ended, workers=addresses, on_error="ignore")
            with suppress(OSError):  # they went away, or one does not answer
                await asyncio.wait_for(told, ANSWER_S)

    def _note(self, event: tuple[float, dict[str, Any]]) -> None:
        """Take note of workers that come and go."""
        said = event[1]
        self._workers.note(said)
        if said["action"] == "add-worker":
            # it may have got a call again whose worker died
            self._begin(self._set_flags([said["worker"]]))
        elif said["action"] == "remove-worker":
            for one in cut_by(said, self._calls.values()):
                self.end(one)
            # it may have been the last that could end what it ran
            if ended := [one for one in self._calls.values() if self._is_ended(one)]:
                self._begin(self.cancel_waiting(ended))

    def _hear(self, event: tuple[float, tuple[int, bytes]]) -> None:
        number, message = event[1]
        if (call := self._calls.get(number)) is not None and call.hear is not None:
            call.hear(message)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
