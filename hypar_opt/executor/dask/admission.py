"""Whether a worker of Dask may have calls: the same versions as the client's, one call at a time, and enough for it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import counted_versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.formulation.run import Limits

THREADS: Final = "threads"
"""The resource by which workers announce how many threads the solvers of a call may use."""
ANSWER_S: Final = 30.0
"""How long a worker may take to answer: one that computes may be busy, one that is suspended never answers."""
ALONE_S: Final = 5.0
"""How long each is given after that, to find out which does not."""


@dataclass(frozen=True)
class WorkerFacts:
    """What a worker is.

    Parameters
    ----------
    versions
        Of packages, by name.
    threads
        How many calls it would run at a time.
    resources
        That it announces.
    memory_bytes
        At which it is ended, or 0 for no limit.
    """

    versions: Mapping[str, str]
    threads: int
    resources: Mapping[str, float]
    memory_bytes: int


def facts(dask_worker: Any) -> WorkerFacts:
    """Return what this worker is; Dask passes the worker."""
    state = dask_worker.state
    memory = dask_worker.memory_manager.memory_limit or 0
    return WorkerFacts(counted_versions(), state.nthreads, dict(state.total_resources), memory)


@dataclass(frozen=True)
class WorkerDemand:
    """What a worker has to be.

    Parameters
    ----------
    versions
        Of the client's packages on which results depend, by name.
    threads, memory_bytes
        That a call may use.
    """

    versions: tuple[tuple[str, str], ...]
    threads: int
    memory_bytes: int

    @classmethod
    def of(cls, limits: Limits) -> WorkerDemand:
        """Return what calls with some limits demand."""
        return cls(tuple(counted_versions().items()), limits.workers, limits.memory_bytes)

    def check(self, address: str, one: WorkerFacts) -> None:
        """Find out whether a worker may have calls.

        Raises
        ------
        InputError
            If not; it names the worker and both sides.
        """
        other = [
            f"{name} {one.versions.get(name, 'not installed')} instead of {version}"
            for name, version in self.versions
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
        if one.memory_bytes and one.memory_bytes < self.memory_bytes:
            raise _not_fit(
                address,
                f"has {one.memory_bytes:,} bytes of memory, and a call may use {self.memory_bytes:,} (--memory-limit)",
            )
        offered = one.resources.get(THREADS)
        if (1 if offered is None else offered) < self.threads:
            raise _not_fit(
                address,
                f"announces {'no' if offered is None else f'{offered:g}'} threads, and a call may use {self.threads}; "
                f'start it by `dask worker --nthreads 1 --resources "{THREADS}={self.threads}"`',
            )


async def admitted(client: Any, addresses: Iterable[str], demand: WorkerDemand) -> set[str]:
    """Return the addresses of workers that may have calls, of those that are still there.

    Raises
    ------
    InputError
        If one lacks hypar-opt or has other versions, too little for a call, or does not answer.
    """
    found = await _answers(client, list(addresses))
    there = {address: one for address, one in found.items() if not isinstance(one, OSError)}
    for address, one in there.items():
        if not isinstance(one, WorkerFacts):
            raise _not_fit(address, f"cannot run hypar-opt: {type(one).__name__}: {one}")
        demand.check(address, one)
    return set(there)


async def _answers(client: Any, addresses: list[str]) -> dict[str, Any]:
    """Return what each worker is, or the error of one that cannot say."""

    async def told(some: list[str], within_s: float) -> dict[str, Any]:
        asked = client.run(facts, workers=some, on_error="return")
        return await asyncio.wait_for(asked, within_s)

    try:
        return await told(addresses, ANSWER_S)
    except TimeoutError:
        each = await asyncio.gather(*(told([one], ALONE_S) for one in addresses), return_exceptions=True)
    found: dict[str, Any] = {}
    for address, one in zip(addresses, each, strict=True):
        if isinstance(one, TimeoutError):
            raise _not_fit(
                address,
                f"does not answer within {ANSWER_S:g} s: it may be suspended, or its machine out of reach; end it, or "
                "have it go on",
            )
        if isinstance(one, BaseException):
            raise one
        found |= one
    return found


def _not_fit(address: str, why: str) -> InputError:
    return InputError(f"the worker {address} {why}", field="--on")
