"""Pieces on processes of this machine."""

from __future__ import annotations

import time
from concurrent.futures import Future

import pytest
from executor.fruits import failing, killing, killing_once, seed_of, squared, telling_until_stopped, unsendable, waiting
from executor.here import Here

from hypar_opt.executor import EngineSpec, engine_spec, open_workers, run_pieces, submit_piece, tell
from hypar_opt.executor.local import LocalWorkers
from hypar_opt.executor.telling import telling
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import HyparError, InputError


def test_in_this_process():
    assert [one.result for one in run_pieces(None, squared, range(5), Limits())] == [0, 1, 4, 9, 16]


def test_nothing_is_run_once_limits_are_over():
    limits = Limits()
    limits.stop.set()
    assert list(run_pieces(None, squared, range(5), limits)) == []


@pytest.mark.parametrize(("text", "spec"), [("local", EngineSpec("local")), ("local:3", EngineSpec("local", 3))])
def test_what_is_named(text, spec):
    assert engine_spec(text) == spec


@pytest.mark.parametrize("text", ["", "locla", "local:", "local:0", "local:x", "local:99999", "local://host:1"])
def test_what_is_no_engine(text):
    with pytest.raises(InputError, match="expected local"):
        engine_spec(text)


@pytest.mark.parametrize(("spec", "threads", "count"), [("local", 2, 3), ("local", 8, 1), ("local:2", 8, 2)])
def test_there_are_as_many_processes_as_there_are_processors_for_their_threads(spec, threads, count, monkeypatch):
    monkeypatch.setattr("hypar_opt.executor.local.processors", lambda: 7)
    with open_workers(engine_spec(spec), Limits(workers=threads)) as workers:
        assert workers.count == count


def raising(piece, limits):
    raise piece


def test_an_error_that_pickle_does_not_bring_back_comes_with_its_text():
    with pytest.raises(HyparError, match=r"^Unsendable: a fault at 3$") as error:
        list(run_pieces(Here(), unsendable, [3], Limits()))
    assert error.value.__cause__ is None and error.value.__context__ is None  # which Dask would send along
    with pytest.raises(InputError) as error:
        list(run_pieces(Here(), raising, [InputError("wrong", field="batch")], Limits()))
    assert error.value.field == "batch" and error.value.__cause__ is None


def test_workers_that_were_stopped_are_not_used_again():
    workers, limits = Here(), Limits()
    running = Future()
    running.set_running_or_notify_cancel()
    workers.submit, workers.stop = lambda *_: running, lambda: running.set_result(([1], [0.0]))

    def pieces():
        yield 1
        limits.stop.set()

    found = run_pieces(workers, squared, pieces(), limits)
    assert [one.result for one in found] == [1]
    with pytest.raises(RuntimeError, match="open others"):
        list(run_pieces(workers, squared, [1], Limits()))
    assert list(run_pieces(workers, squared, [1], limits)) == []  # as of the next step of what was stopped


def test_what_waits_is_cancelled_before_what_runs_is_stopped():
    events, limits, futures = [], Limits(), [Future() for _ in range(2)]
    futures[0].set_running_or_notify_cancel()
    futures[1].add_done_callback(lambda _: events.append("cancelled"))
    workers = Here()
    waiting, workers.submit = iter(futures), lambda *_: next(waiting)
    workers.stop = lambda: events.append("stopped") or futures[0].set_result(([1], [0.0]))

    def pieces():
        yield from (1, 2)
        limits.stop.set()

    assert [one.result for one in run_pieces(workers, squared, pieces(), limits, most=1)] == [1]
    assert events == ["cancelled", "stopped"]


@pytest.fixture(scope="module")
def two():
    with open_workers(EngineSpec("local", 2), Limits()) as workers:
        yield workers


@pytest.mark.slow
def test_all_are_run_once(two):
    found = sorted((one.index, one.result) for one in run_pieces(two, squared, range(300), Limits()))
    assert found == [(one, one * one) for one in range(300)]


@pytest.mark.slow
def test_a_piece_has_the_limits(two):
    assert [one.result for one in run_pieces(two, seed_of, [0], Limits(seed=7))] == [7]


@pytest.mark.slow
def test_what_a_piece_raises_is_raised(two):
    with pytest.raises(ValueError, match="piece 0"):
        list(run_pieces(two, failing, [0], Limits()))


@pytest.mark.slow
def test_a_killed_piece_is_run_again(two, tmp_path):
    paths = [str(tmp_path / str(number)) for number in range(3)]
    assert sorted(one.result for one in run_pieces(two, killing_once, paths, Limits())) == paths


@pytest.mark.slow
def test_what_kills_is_set_aside(two):
    found = {one.piece: one for one in run_pieces(two, killing, range(1, 22), Limits())}
    assert sorted(found) == [*range(1, 22)]
    assert {piece for piece, one in found.items() if one.killed} == {10, 20}
    assert all(one.result == piece for piece, one in found.items() if not one.killed)


@pytest.mark.slow
def test_one_call_is_cancelled_and_heard_until_then(two):
    heard = {"a": [], "b": []}
    futures = {
        name: submit_piece(two, telling_until_stopped, name, Limits(), heard[name].append) for name in heard
    }  # fmt: skip
    for name in heard:
        while not heard[name]:
            time.sleep(0.01)
        assert not futures["b"].done()
        two.cancel(futures[name])
        (told,), _ = futures[name].result()
        assert heard[name] == [f"{name} {one}".encode() for one in range(told)]
    assert [one.result for one in run_pieces(two, squared, range(5), Limits())].count(16) == 1


def test_a_call_that_waits_is_cancelled_and_never_begun():
    workers = LocalWorkers(1)
    held = workers._idle.get()  # nobody is idle
    futures = [workers.submit(squared, 2, None) for _ in range(2)]
    for future in reversed(futures):
        workers.cancel(future)
    assert futures[1].cancelled()
    workers._idle.put(held)
    held.call = lambda *_: 4
    assert futures[0].result() == 4  # it had been taken up, and was told to stop
    assert held.is_stopped and workers._idle.get() is not held


def test_what_nobody_hears_is_told_to_nobody():
    tell(b"something")
    heard = []
    with telling(heard.append):
        tell(b"else")
    assert heard == [b"else"]


@pytest.mark.slow
def test_what_runs_is_stopped_when_a_piece_raises():
    with open_workers(EngineSpec("local", 2), Limits()) as workers, pytest.raises(ValueError, match="piece 0"):
        list(run_pieces(workers, waiting, [1, 0], Limits()))


class Hasty(LocalWorkers):
    """Workers in this process, one of whose batches is cut after its first piece, as by a clock that is ahead."""

    def __init__(self):
        super().__init__(1)
        self.cuts = 0

    def submit(self, fn, /, *args):
        future = Future()
        found, seconds = fn(*args)
        if len(found) > 1 and not self.cuts:
            self.cuts, found, seconds = 1, found[:1], seconds[:1]
        future.set_result((found, seconds))
        return future


def test_what_a_worker_leaves_is_given_out_again():
    workers = Hasty()
    found = sorted(one.index for one in run_pieces(workers, squared, range(50), Limits()))
    assert workers.cuts == 1
    assert found == [*range(50)]
