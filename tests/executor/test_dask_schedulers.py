"""Pieces on workers of a scheduler that is there, and what is said where there is none or it does not fit."""

from __future__ import annotations

import asyncio

import pytest

from hypar_opt.executor import EngineSpec, open_workers
from hypar_opt.executor.dask.inside import WorkerFacts
from hypar_opt.executor.dask.workers import admitted
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import counted_versions


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
        (facts(memory=10), {"workers": 1}, r"has 10 bytes of memory, .*\(--memory\)"),
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
