"""Where the scheduler of Dask is: a cluster of this machine that begins and ends with this process, or one there."""

from __future__ import annotations

import asyncio
import logging
import warnings
from abc import ABC, abstractmethod
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.dask.admission import THREADS
from hypar_opt.executor.local import processors
from hypar_opt.executor.workers import DEATHS
from hypar_opt.formulation.run import MOST_WORKERS
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.util.extras import counted_versions, installed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.formulation.run import Limits

START_S: Final = 60
"""How long workers of this machine may take to begin, at worst: they are processes that import solvers."""
WORKER_S: Final = 10
"""How long it may take until a scheduler has a worker."""
SILENT: Final = logging.CRITICAL + 1
LOGGERS: Final = ("distributed", "distributed.client", "distributed.gc", "bokeh", "tornado", "tornado.application")
"""Those that Dask sets levels of."""
SETTINGS: Final = {
    # a worker may start processes, as formulations do, which daemons may not; it ends with this process all the same
    "distributed.worker.daemon": False,
    "distributed.worker.profile.enabled": False,
    # results are small, and a worker that waits for memory of its own would wait for ever
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    # on a busy machine a worker takes longer to be begun again than after which Dask gives it up, for good
    "distributed.deploy.lost-worker-timeout": "1 day",
    # a worker has the call that it runs, and none in line that would be blamed with it
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": DEATHS - 1,
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Of clusters of one's own."""
SAME: Final = ("python", "dask", "distributed")
"""What has to be the same in a scheduler."""


class DaskCluster(ABC):
    """Where a scheduler is, and how one becomes its client."""

    where: Any
    """The scheduler's address, or Dask's cluster."""
    start_s: float = WORKER_S
    """Within which it is to have a worker."""
    blames_one: bool = True
    """Whether it has `SETTINGS`, by which a worker that dies had one call."""
    lever: str = ""
    """What helps where all workers have gone, or nothing."""

    def __init__(self) -> None:
        self._quiet = ExitStack()

    async def open(self) -> None:
        """Begin what is one's own; Dask says nothing on the terminal until the end."""
        import distributed.config  # noqa: F401  # which sets levels

        for name in LOGGERS:
            logger = logging.getLogger(name)
            self._quiet.callback(logger.setLevel, logger.level)
            logger.setLevel(SILENT)

    async def close(self) -> None:
        """End it."""
        self._quiet.close()

    @abstractmethod
    def text(self, count: int) -> str:
        """Say who so many workers are."""

    @abstractmethod
    def missing(self, why: str) -> HyparError:
        """Return the error of no scheduler, or of no worker."""

    def cut(self, count: int) -> str:
        """Say why a call is set aside that so many workers ran until they left."""
        return f"{count} workers left while they ran it, as those do whose time is up"

    async def client(self, timeout_s: float) -> Any:
        """Return a client of the scheduler.

        Raises
        ------
        HyparError
            If none answers in time, or of another version.
        """
        from distributed import Client
        from distributed.versions import VersionMismatchWarning, get_versions

        warnings.simplefilter("ignore", VersionMismatchWarning)  # it is an error below
        client: Any = Client(self.where, asynchronous=True, timeout=timeout_s, set_as_default=False)  # type: ignore[no-untyped-call]
        try:
            await client
            # `Client.get_versions` would wait for every worker, too
            there = await asyncio.wait_for(client.scheduler.versions(packages=[]), timeout_s)
            await self._check(get_versions()["packages"], there["packages"], client)
        except (OSError, ImportError, ValueError, TimeoutError) as error:
            await client.close()
            said = (str(error).splitlines() or [type(error).__name__])[0]
            raise self.missing(f"none answers within {timeout_s} s ({said})") from error
        except HyparError:
            await client.close()
            raise
        return client

    async def _check(self, here: Mapping[str, str], there: Mapping[str, str], client: Any) -> None:
        """Find out whether a scheduler understands this process, and can unpack what it is to hand out."""
        other = [f"{name} {there.get(name)} instead of {here[name]}" for name in SAME if there.get(name) != here[name]]
        if other:
            raise self.missing(f"it has other versions than this process: {', '.join(other)}")
        try:
            await client.run_on_scheduler(counted_versions)
        except ModuleNotFoundError as error:
            raise self.missing(f"it runs where hypar-opt is not installed ({error})") from error

    async def ready(self, client: Any) -> list[str]:
        """Return the addresses of all workers, once there is one.

        Raises
        ------
        HyparError
            If there is none in time.
        """
        with suppress(TimeoutError):
            await client.wait_for_workers(1, timeout=self.start_s)
        addresses = list((await client.scheduler.identity(n_workers=-1))["workers"])
        if not addresses:
            raise self.missing(f"it has no worker after {self.start_s} s")
        return addresses


class OwnCluster(DaskCluster):
    """Workers that are processes of this machine.

    Parameters
    ----------
    count
        How many.
    limits
        Threads of a call.
    memory_bytes
        At which a worker is ended.
    """

    start_s = START_S

    def __init__(self, count: int, limits: Limits, memory_bytes: int) -> None:
        super().__init__()
        self._count, self._limits, self._memory_bytes = count, limits, memory_bytes
        self.where: Any = None

    async def open(self) -> None:
        """Start scheduler and workers."""
        import dask
        from distributed import LocalCluster

        await super().open()
        self._quiet.enter_context(dask.config.set(SETTINGS))
        self.where = await LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=self._count, threads_per_worker=1, processes=True, asynchronous=True, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", silence_logs=SILENT,
            memory_limit=self._memory_bytes, resources={THREADS: self._limits.workers},
        )  # fmt: skip

    async def close(self) -> None:
        """End scheduler and workers."""
        if self.where is not None:
            await self.where.close()
        await super().close()

    def text(self, count: int) -> str:
        """Say who so many workers are, and where to look at them."""
        link = self.where.dashboard_link if installed("bokeh") else ""
        return f"{count} Dask worker{'' if count == 1 else 's'} of this machine{link and f', dashboard {link}'}"

    def missing(self, why: str) -> HyparError:
        """Return the error of no worker."""
        return HyparError(f"Dask's workers of this machine did not begin: {why}")


class OtherCluster(DaskCluster):
    """A scheduler that is there, with its workers.

    Parameters
    ----------
    address
        Host and port.
    """

    blames_one = False

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address
        self.lever = f"begin one by `dask worker tcp://{address} --nthreads 1`"
        self.where = f"tcp://{address}"

    def text(self, count: int) -> str:
        """Say whose workers they are."""
        return f"{count} worker{'' if count == 1 else 's'} of the Dask scheduler {self._address}"

    def missing(self, why: str) -> HyparError:
        """Return the error of no scheduler, or of no worker."""
        return InputError(f"expected a Dask scheduler with workers at {self._address}, but {why}", field="--on")


def own_cluster(count: int | None, limits: Limits) -> OwnCluster:
    """Return a cluster of so many workers as this machine has processors and memory for, or of so many as are wanted.

    Raises
    ------
    InputError
        If the machine has too little memory for that.
    """
    import psutil

    memory = psutil.virtual_memory().total
    most = memory // limits.memory_bytes
    if count is None:
        count = max(1, min(processors() // limits.workers, most, MOST_WORKERS))
    if count > most:
        raise InputError(
            f"{count} workers may use {limits.memory_bytes:,} bytes each (--memory-limit), and this machine has "
            f"{memory:,}: expected at most {most}",
            field="--on",
        )
    return OwnCluster(count, limits, memory // count)
