"""Calls that are sent to Dask: what is sent once more, what is not, and how many workers there are."""

from __future__ import annotations

import asyncio
import pickle
from concurrent.futures import CancelledError, Future, wait

import pytest
from executor.fruits import squared
from executor.here import Here

from hypar_opt.executor import DEATHS, KilledWorkers, LostWorkers, run_pieces
from hypar_opt.executor.dask import presence, sending
from hypar_opt.executor.dask.admission import WorkerFacts
from hypar_opt.executor.dask.calls import Call
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.util.extras import counted_versions

FACTS = WorkerFacts(counted_versions(), 1, {}, 0)


class Sent:
    """Dask's future of a call that ends in some way."""

    def __init__(self, key, end):
        self.key, self.end = key, end
        self.status = "error" if isinstance(end, tuple) else "finished"

    async def result(self):
        await asyncio.sleep(0)
        if isinstance(self.end, tuple):
            raise self.end[0]
        if isinstance(self.end, BaseException):
            raise self.end
        return pickle.dumps(self.end)


class Told:
    """A client and its cluster: calls end as they are told to, and workers come and go.

    Parameters
    ----------
    ends
        What comes of calls in their order: a result, an error of Dask's, or one of the call's in a tuple.
    events
        Of workers, while the first two are looked at.
    lost
        Errors of Dask's at the next looks at workers.
    """

    def __init__(self, ends=(), events=(), lost=()):
        self.ends, self.events, self.lost, self.said = list(ends), events, list(lost), []
        self.handlers, self.status, self.connected = {}, "closed", 0

    lever = "begin one"

    async def open(self):
        pass

    async def client(self, _):
        self.status, self.connected = "running", self.connected + 1
        return self

    async def ready(self, _):
        return ["a", "b"]

    def missing(self, why):
        return HyparError(why)

    def cut(self, count):
        return f"cut {count} times"

    def subscribe_topic(self, topic, handler):
        self.handlers[topic] = handler

    async def run(self, *_, workers, **__):
        if self.lost and self.connected > 1:
            raise self.lost.pop()
        for action, worker in self.events:
            self.handlers["all"]((0.0, {"action": action, "worker": worker}))
        return dict.fromkeys(workers, FACTS)

    def get(self, graph, key, sync):
        end = self.ends.pop(0)
        return Sent(key, end(self, key) if callable(end) else end)

    async def processing(self):
        return {}

    async def who_has(self, futures):
        return dict.fromkeys([one.key for one in futures], ("a",))

    async def cancel(self, futures):
        assert not futures

    async def close(self):
        self.status = "closed"


async def opened(told):
    one = sending.Sending(told, Limits(workers=1), asyncio.get_running_loop(), told.said.append)
    await one.open()
    return one


def outcome(told):
    """Return what comes of a call."""

    async def one_call():
        one = await opened(told)
        call = Call(1, b"", None)
        one.put(call)
        await asyncio.to_thread(wait, [call.future], 20)
        await one.close()
        return call.future

    return asyncio.run(one_call()).result(0)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(sending, "LOOK_S", 0)


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ([], 2),
        ([("add-worker", "c")], 3),
        ([("remove-worker", "b")], 1),
        ([("add-worker", "c"), ("remove-worker", "c"), ("remove-worker", "a"), ("add-worker", "a")], 2),
    ],
)
def test_workers_that_come_and_go_while_the_first_are_looked_at_are_counted(events, count):
    async def counted():
        return (await opened(Told(events=events))).count

    assert asyncio.run(counted()) == count


def test_what_a_restarted_scheduler_forgot_is_sent_again():
    """Its client remains connected, and is told that all calls are cancelled."""
    told = Told([CancelledError("scheduler-restart"), CancelledError("scheduler-restart"), 7])
    assert outcome(told) == 7
    assert told.connected == 1


@pytest.mark.parametrize("lost", [[], [OSError("it went away once more")]])
def test_a_result_that_cannot_be_fetched_is_found_again(lost):
    told = Told([OSError("Timed out trying to connect"), 7], lost=lost)
    assert outcome(told) == 7
    assert told.connected == 2 + len(lost)


@pytest.mark.parametrize("error", [OSError("a file of the call's"), CancelledError("a call of the call's")])
def test_what_the_call_raises_is_raised_and_not_run_again(error):
    with pytest.raises(type(error), match="of the call's"):
        outcome(Told([(error,), 7]))


def test_a_scheduler_that_comes_back_without_workers_is_none(monkeypatch):
    monkeypatch.setattr(sending, "RECONNECT_S", -1)
    told = Told([OSError("away"), 7], lost=[OSError("gone")])
    with pytest.raises(LostWorkers, match=r"it went away \(gone\)"):
        outcome(told)


class Leaving(Here):
    """Cancels what it is given."""

    def submit(self, *_):
        future = Future()
        future.cancel()
        future.set_running_or_notify_cancel()
        return future


def test_pieces_that_others_cancelled_are_no_silent_loss():
    with pytest.raises(HyparError, match="pieces were cancelled that are not done"):
        list(run_pieces(Leaving(), squared, range(3), Limits()))


def test_a_worker_that_does_not_fit_is_no_fault_of_the_call():
    """It may be of another version, and raise what all versions have."""
    with pytest.raises(LostWorkers, match=r"^--on: the worker a has other versions"):
        outcome(Told([(InputError("the worker a has other versions", field="--on"),)]))
    with pytest.raises(InputError, match="batch: wrong") as error:
        outcome(Told([(InputError("wrong", field="batch"),)]))
    assert not isinstance(error.value, LostWorkers)


def leaving(times, *, expected=True, of=None, last=7):
    """Return an end of a call: so many workers leave that run it, before the last has done it."""

    def end(told, key):
        event = {"action": "remove-worker", "worker": "a", "processing-tasks": {of or key}, "expected": expected}
        for _ in range(times):
            asyncio.get_running_loop().call_soon(told.handlers["all"], (0.0, event))
        return last

    return end


@pytest.mark.parametrize("end", [leaving(DEATHS - 1), leaving(DEATHS, expected=False), leaving(DEATHS, of="another")])
def test_what_is_not_cut_so_often_is_done(end):
    """Deaths are the scheduler's to count."""
    assert outcome(Told([end])) == 7


def test_what_is_cut_each_time_is_set_aside():
    with pytest.raises(KilledWorkers, match=f"^cut {DEATHS} times$"):
        outcome(Told([leaving(DEATHS)]))


@pytest.mark.parametrize("error", [HyparError("stopped while it was compiled"), OSError("a file"), CancelledError()])
def test_what_a_cut_call_raises_as_it_is_told_to_stop_is_no_fault_of_the_run(error):
    with pytest.raises(KilledWorkers, match=f"^cut {DEATHS} times$"):
        outcome(Told([leaving(DEATHS, last=(error,))]))
    with pytest.raises(type(error)):
        outcome(Told([leaving(DEATHS - 1, last=(error,))]))


def said_of(*events, none_s, monkeypatch):
    """Return what is said while workers come and go, of two to begin with."""

    async def heard():
        told = Told()
        one = await opened(told)
        for action, worker in events:
            told.handlers["all"]((0.0, {"action": action, "worker": worker}))
            await asyncio.sleep(0.001)
        await one.close()
        return told.said

    monkeypatch.setattr(presence, "NONE_S", none_s)
    return asyncio.run(heard())


GO, COME = [("remove-worker", "a"), ("remove-worker", "b")], [("add-worker", "c"), ("add-worker", "d")]


def test_that_there_is_no_worker_is_said_once_and_that_one_has_come(monkeypatch):
    none, one = said_of(*GO, *COME, none_s=0, monkeypatch=monkeypatch)
    assert none.startswith("there has been no worker for 0 s: the run waits for one")
    assert none.endswith("; begin one")
    assert one == "a worker has come: the run goes on"
    assert len(said_of(*GO, ("remove-worker", "b"), none_s=0, monkeypatch=monkeypatch)) == 1


@pytest.mark.parametrize("events", [GO[:1], [*GO, *COME]], ids=["one is left", "one comes in time"])
def test_nothing_is_said_where_a_worker_is_there_in_time(events, monkeypatch):
    assert said_of(*events, none_s=60, monkeypatch=monkeypatch) == []


class Losing(Here):
    """Is lost with the third call."""

    def submit(self, *arguments):
        if len(self.batches) < 2:
            return super().submit(*arguments)
        future = Future()
        future.set_exception(LostWorkers("it went away"))
        return future


def test_workers_that_are_lost_end_the_run_with_what_is_done():
    workers, limits, faults = Losing(), Limits(), []
    with pytest.raises(LostWorkers, match="it went away"):
        list(run_pieces(workers, squared, range(5), limits, most=1))
    assert not limits.over
    workers = Losing()
    workers.hear_fault = faults.append
    assert sorted(one.result for one in run_pieces(workers, squared, range(5), limits, most=1)) == [0, 1]
    assert {str(one) for one in faults} == {"it went away"}
    assert limits.stop.is_set()
