"""Pieces on workers of a scheduler that is there, and what is said where there is none or it does not fit."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

import pytest
from executor.fruits import killing, process_of, squared, stopped

from hypar_opt.executor import EngineSpec, open_workers, run_pieces
from hypar_opt.executor.dask import admission as admission_of
from hypar_opt.executor.dask.admission import WorkerDemand, WorkerFacts, admitted
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import counted_versions

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}


class Told:
    """A client whose workers are as they are told to be."""

    def __init__(self, one):
        self.one = one

    async def run(self, *_, workers, **__):
        return dict.fromkeys(workers, self.one)


class Silent(Told):
    """A client one of whose workers never answers; nothing comes of all together until it does."""

    async def run(self, *_, workers, **__):
        if "tcp://b:1" in workers:
            await asyncio.sleep(60)
        return dict.fromkeys(workers, self.one)


def admission(one, **limits):
    async def one_worker():
        return await admitted(Told(one), ["tcp://a:1"], WorkerDemand.of(Limits(**limits)))

    return asyncio.run(one_worker())


def facts(threads=1, resources=None, memory=0, **other):
    return WorkerFacts(counted_versions() | other, threads, resources or {}, memory)


def test_what_counts_is_what_solves():
    assert {"hypar-opt", "python", "ortools", "highspy", "pulp", "numpy", "scipy", "distributed"} <= {
        *counted_versions()
    }
    assert not {"starlette", "altair", "torch", "system"} & {*counted_versions()}


@pytest.mark.parametrize(
    ("one", "limits"),
    [
        (facts(), {"workers": 1}),
        (facts(resources={"threads": 4}), {"workers": 4}),
        (facts(memory=2**31), {"workers": 1, "memory_bytes": 2**31}),
    ],
)
def test_a_worker_that_fits(one, limits):
    assert admission(one, **limits) == {"tcp://a:1"}


def test_a_worker_that_went_away_is_none():
    assert admission(OSError("gone")) == set()


def test_a_worker_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(admission_of, "ANSWER_S", 0.01)
    monkeypatch.setattr(admission_of, "ALONE_S", 0.01)
    asked = admitted(Silent(facts()), ["tcp://a:1", "tcp://b:1"], WorkerDemand.of(Limits(workers=1)))
    with pytest.raises(InputError, match=r"^--on: the worker tcp://b:1 does not answer within 0\.01 s: it may be susp"):
        asyncio.run(asked)


@pytest.mark.parametrize(
    ("one", "limits", "said"),
    [
        (facts(ortools="9.10.0"), {}, r"tcp://a:1 has other versions than this process: ortools 9.10.0 instead of 9"),
        (facts(highspy="not installed"), {}, "highspy not installed instead of"),
        (ModuleNotFoundError("No module named 'hypar_opt'"), {}, "cannot run hypar-opt: ModuleNotFoundError"),
        (facts(threads=8), {"workers": 1}, "--nworkers 8 --nthreads 1"),
        (facts(), {"workers": 2}, "announces no threads, and a call may use 2; .*threads=2"),
        (facts(resources={"threads": 2}), {"workers": 4}, "announces 2 threads"),
        (facts(memory=10), {"workers": 1}, r"has 10 bytes of memory, .*\(--memory-limit\)"),
    ],
)
def test_a_worker_that_does_not_fit_is_an_error_that_names_it(one, limits, said):
    with pytest.raises(InputError, match=said) as raised:
        admission(one, **limits)
    assert raised.value.field == "--on"


@pytest.mark.slow
def test_no_scheduler_is_an_error_within_seconds(monkeypatch):
    monkeypatch.setattr("hypar_opt.executor.dask.sending.CONNECT_S", 0.5)
    with pytest.raises(InputError, match=r"expected a Dask scheduler with workers at localhost:1, but none answers"):
        open_workers(EngineSpec("dask", None, "localhost:1"), Limits())


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def started(*arguments, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        env=ENVIRONMENT | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.slow
def test_a_scheduler_that_is_killed_and_begun_again_loses_nothing(tmp_path):
    """A second one stands at the same address, with a worker of its own: `dask worker` ends with its scheduler."""
    port = free_port()
    here = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    processes = [started("scheduler", *here)]
    address = f"127.0.0.1:{port}"
    worker = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path))
    processes.append(started("worker", f"tcp://{address}", *worker))
    try:
        limits = Limits(workers=1)
        with opened(address) as workers:
            assert workers.text == f"1 worker of the Dask scheduler {address}"
            found = []
            for one in run_pieces(workers, squared, range(3000), limits):
                found.append((one.index, one.result))
                if len(found) == 500:
                    processes[0].send_signal(signal.SIGKILL)
                    processes[0].wait()
                    processes[1].wait()
                    processes = [started("scheduler", *here), started("worker", f"tcp://{address}", *worker)]
            assert sorted(found) == [(one, one * one) for one in range(3000)]
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


@pytest.mark.slow
def test_what_is_stopped_while_the_scheduler_is_away_ends_at_once(tmp_path, monkeypatch):
    port = free_port()
    address, folder = f"127.0.0.1:{port}", tmp_path / "workers"
    processes = [started("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")]
    processes.append(
        started("worker", f"tcp://{address}", "--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    )
    limits = Limits(workers=1)
    try:
        with opened(address) as workers:
            monkeypatch.setattr("hypar_opt.executor.dask.sending.CONNECT_S", 0.5)
            pieces = [str(tmp_path / str(one)) for one in range(5)]
            calls = run_pieces(workers, stopped, pieces, limits)
            Thread(target=kill_once, args=(processes[0], tmp_path / "0", limits), daemon=True).start()
            assert [*calls] == []
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def kill_once(process, begun, limits):
    """Kill a scheduler once a piece has begun, and stop the run."""
    while not begun.exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    limits.stop.set()


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Return the address of a scheduler that gives calls up with the second death, and one worker with a nanny."""
    folder, port = tmp_path_factory.mktemp("scheduler"), free_port()
    here, address = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard"), f"127.0.0.1:{port}"
    processes = [started("scheduler", *here, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="1")]
    worker = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(folder))
    processes.append(started("worker", f"tcp://{address}", *worker))
    yield address
    for process in reversed(processes):
        process.terminate()
        process.wait()


def opened(address):
    """Return workers of a scheduler as soon as it is there."""
    while True:
        try:
            return open_workers(EngineSpec("dask", None, address), Limits(workers=1))
        except InputError as error:
            if "none answers" not in str(error) and "no worker" not in str(error):
                raise


@pytest.mark.slow
def test_of_what_stands_in_line_the_piece_that_kills_is_set_aside_alone(scheduler):
    with opened(scheduler) as workers:
        assert not workers.blames_one
        found = {one.piece: one for one in run_pieces(workers, killing, [9, 10, 11, 12], Limits(workers=1))}
    assert {piece: one.result for piece, one in found.items()} == {9: 9, 10: None, 11: 11, 12: 12}
    assert found[10].killed == "2 workers died while they ran it"


@pytest.mark.slow
def test_a_worker_that_came_later_and_differs_ends_the_run(scheduler):
    with opened(scheduler) as workers:
        workers._sending._demand = WorkerDemand((("ortools", "9.10.0"),), 1, 0)
        with pytest.raises(
            InputError, match=r"the worker tcp://.* has other versions .*: ortools .* instead of 9\.10\.0"
        ):
            list(run_pieces(workers, squared, range(5), Limits(workers=1)))


@pytest.mark.slow
def test_a_scheduler_of_another_version_is_an_error_that_names_both(scheduler, monkeypatch):
    from distributed import versions

    real = versions.get_versions

    def of_2020(**asked):
        found = real(**asked)
        return found | {"packages": found["packages"] | {"distributed": "2020.1"}}

    monkeypatch.setattr(versions, "get_versions", of_2020)
    with pytest.raises(InputError, match=r"it has other versions than this process: distributed 20.* instead of 2020"):
        opened(scheduler)


@pytest.mark.slow
def test_a_worker_that_is_suspended_is_named_and_not_the_scheduler(scheduler, monkeypatch):
    with opened(scheduler) as workers:
        (pid,) = [one.result for one in run_pieces(workers, process_of, [0], Limits(workers=1))]
    monkeypatch.setattr(admission_of, "ANSWER_S", 0.5)
    monkeypatch.setattr(admission_of, "ALONE_S", 0.5)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(InputError, match=r"--on: the worker tcp://.* does not answer within 0\.5 s"):
            open_workers(EngineSpec("dask", None, scheduler), Limits(workers=1))
    finally:
        os.kill(pid, signal.SIGCONT)


@pytest.mark.slow
def test_a_run_whose_workers_are_gone_says_so_goes_on_and_can_be_stopped(monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr("hypar_opt.executor.dask.presence.NONE_S", 0.1)
    heard, limits = SimpleQueue(), Limits(workers=1)
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None, memory_limit=0
    ) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        with open_workers(EngineSpec("dask", None, address), limits) as workers:
            workers.say = heard.put
            calls = run_pieces(workers, squared, count(), limits)
            found = [next(calls)]

            def go_come_and_go():
                for workers_then in (0, 1, 0):
                    cluster.scale(workers_then)
                    said.append(heard.get())
                limits.stop.set()

            said = []
            going = Thread(target=go_come_and_go, daemon=True)
            going.start()
            found += [*calls]
            going.join()
    assert [one.split(":")[0] for one in said] == [
        "there has been no worker for 0.1 s", "a worker has come", "there has been no worker for 0.1 s"
    ]  # fmt: skip
    assert sorted((one.index, one.result) for one in found) == [(one, one * one) for one in range(len(found))]


@pytest.mark.slow
def test_a_scheduler_without_workers_is_an_error(monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr("hypar_opt.executor.dask.clusters.OtherCluster.start_s", 0.5)
    with LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        with pytest.raises(InputError, match=r"at 127\.0\.0\.1:\d+, but it has no worker after 0\.5 s"):
            open_workers(EngineSpec("dask", None, address), Limits(workers=1))


WITHOUT = (
    "import sys; sys.modules['hypar_opt'] = None; from distributed.cli.dask_scheduler import main; main(sys.argv[1:])"
)


@pytest.mark.slow
def test_a_scheduler_without_hypar_opt_is_an_error():
    port = free_port()
    command = [sys.executable, "-c", WITHOUT, "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            with pytest.raises(InputError, match="it runs where hypar-opt is not installed"):
                opened(f"127.0.0.1:{port}")
        finally:
            process.terminate()
