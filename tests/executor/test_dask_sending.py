"""Calls that are sent to Dask: what is sent once more, what is not, and how many workers there are."""

from __future__ import annotations

import asyncio
import pickle
from concurrent.futures import CancelledError, Future, wait

import pytest
from executor.fruits import squared
from executor.here import Here

from hypar_opt.executor import run_pieces
from hypar_opt.executor.dask import sending
from hypar_opt.executor.dask.admission import WorkerFacts
from hypar_opt.executor.dask.calls import Call
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError
from hypar_opt.util.extras import counted_versions

FACTS = WorkerFacts(counted_versions(), 1, {}, 0)


class Sent:
    """Dask's future of a call that ends in some way."""

    def __init__(self, key, end):
        self.key, self.end = key, end
        self.status = "error" if isinstance(end, tuple) else "finished"

    async def result(self):
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
        self.ends, self.events, self.lost = list(ends), events, list(lost)
        self.handlers, self.status, self.connected = {}, "closed", 0

    async def open(self):
        pass

    async def client(self, _):
        self.status, self.connected = "running", self.connected + 1
        return self

    async def ready(self, _):
        return ["a", "b"]

    def missing(self, why):
        return HyparError(why)

    def subscribe_topic(self, topic, handler):
        self.handlers[topic] = handler

    async def run(self, *_, workers, **__):
        if self.lost and self.connected > 1:
            raise self.lost.pop()
        for action, worker in self.events:
            self.handlers["all"]((0.0, {"action": action, "worker": worker}))
        return dict.fromkeys(workers, FACTS)

    def get(self, graph, key, sync):
        return Sent(key, self.ends.pop(0))

    async def close(self):
        self.status = "closed"


async def opened(told):
    one = sending.Sending(told, Limits(workers=1), asyncio.get_running_loop())
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
    with pytest.raises(HyparError, match=r"it went away \(gone\)"):
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
