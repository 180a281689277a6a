"""A worker of Dask, and whether it may have calls."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.dask.inside import WorkerFacts, facts
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import counted_versions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.formulation.run import Limits

THREADS: Final = "threads"
"""The resource by which workers announce how many threads the solvers of a call may use."""


@dataclass(eq=False)
class Worker:
    """A worker that may have calls.

    Parameters
    ----------
    address
        As Dask has it.
    demand
        Resources that a call takes of it.
    gone
        Whether it died with what it ran, once it has gone away; otherwise it was retired, or its scheduler went away.
    """

    address: str
    demand: dict[str, float] = field(default_factory=dict)
    gone: asyncio.Future[bool] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


async def admitted(client: Any, addresses: Iterable[str], limits: Limits) -> list[Worker]:
    """Return the workers that may have calls, of those at some addresses that are still there.

    Raises
    ------
    InputError
        If one lacks hypar-opt or has other versions, or too little for a call.
    """
    found = await client.run(facts, workers=list(addresses), on_error="return")
    workers = []
    for address, one in found.items():
        if isinstance(one, WorkerFacts):
            workers.append(Worker(address, _demand(address, one, limits)))
        elif not isinstance(one, OSError):
            raise _not_fit(address, f"cannot run hypar-opt: {type(one).__name__}: {one}")
    return workers


def _demand(address: str, one: WorkerFacts, limits: Limits) -> dict[str, float]:
    here = counted_versions()
    other = [
        f"{name} {one.versions.get(name, 'not installed')} instead of {version}"
        for name, version in here.items()
        if one.versions.get(name) != version
    ]
    if other:
        raise _not_fit(address, f"has other versions than this process: {', '.join(other)}")
    if one.threads != 1:
        raise _not_fit(
            address,
            f"would run {one.threads} calls in one process, where one that dies takes the others along; "
            f"start it by `dask worker --nworkers {one.threads} --nthreads 1`",
        )
    if one.memory_bytes and one.memory_bytes < limits.memory_bytes:
        raise _not_fit(
            address,
            f"has {one.memory_bytes:,} bytes of memory, and a call may use {limits.memory_bytes:,} (--memory-limit)",
        )
    offered = one.resources.get(THREADS)
    if offered is None and limits.workers == 1:
        return {}
    if offered is not None and offered >= limits.workers:
        return {THREADS: limits.workers}
    raise _not_fit(
        address,
        f"announces {'no' if offered is None else f'{offered:g}'} threads, and a call may use {limits.workers}; "
        f'start it by `dask worker --nthreads 1 --resources "{THREADS}={limits.workers}"`',
    )


def _not_fit(address: str, why: str) -> InputError:
    return InputError(f"the worker {address} {why}", field="--on")
