"""Pieces on workers of a scheduler that is there, and what is said where there is none or it does not fit."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from executor.fruits import squared

from hypar_opt.executor import EngineSpec, open_workers, run_pieces
from hypar_opt.executor.dask.inside import WorkerFacts
from hypar_opt.executor.dask.workers import admitted
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


def admission(one, **limits):
    async def one_worker():
        return await admitted(Told(one), ["tcp://a:1"], Limits(**limits))

    return asyncio.run(one_worker())


def facts(threads=1, resources=None, memory=0, **other):
    return WorkerFacts(counted_versions() | other, threads, resources or {}, memory)


def test_what_counts_is_what_solves():
    assert {"hypar-opt", "python", "ortools", "highspy", "pulp", "numpy", "scipy", "distributed"} <= {
        *counted_versions()
    }
    assert not {"starlette", "altair", "torch", "system"} & {*counted_versions()}


@pytest.mark.parametrize(
    ("one", "limits", "demand"),
    [
        (facts(), {"workers": 1}, {}),
        (facts(resources={"threads": 4}), {"workers": 4}, {"threads": 4}),
        (facts(memory=2**31), {"workers": 1, "memory_bytes": 2**31}, {}),
    ],
)
def test_a_worker_that_fits(one, limits, demand):
    assert [worker.demand for worker in admission(one, **limits)] == [demand]


def test_a_worker_that_went_away_is_none():
    assert admission(OSError("gone")) == []


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
def test_no_scheduler_is_an_error_within_seconds():
    with pytest.raises(InputError, match=r"expected a Dask scheduler with workers at localhost:1, but none answers"):
        open_workers(EngineSpec("dask", None, "localhost:1"), Limits())


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments],
        env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.slow
def test_a_scheduler_that_is_killed_and_begun_again_loses_nothing(tmp_path):
    """A second one stands at the same address, with a worker of its own: `dask worker` ends with its scheduler."""
    port = 20000 + os.getpid() % 20000
    here = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    processes = [started("scheduler", *here)]
    address = f"127.0.0.1:{port}"
    worker = ("--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path))
    processes.append(started("worker", f"tcp://{address}", *worker))
    try:
        limits = Limits(workers=1)
        workers = None
        while workers is None:
            try:
                workers = open_workers(EngineSpec("dask", None, address), limits)
            except InputError as error:
                assert "none answers" in str(error) or "no worker" in str(error)
        with workers:
            assert workers.text == f"1 worker of the Dask scheduler {address}"
            found = []
            for one in run_pieces(workers, squared, range(6000), limits):
                found.append((one.index, one.result))
                if len(found) == 1500:
                    processes[0].send_signal(signal.SIGKILL)
                    processes[0].wait()
                    processes[1].wait()
                    processes = [started("scheduler", *here), started("worker", f"tcp://{address}", *worker)]
            assert sorted(found) == [(one, one * one) for one in range(6000)]
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
