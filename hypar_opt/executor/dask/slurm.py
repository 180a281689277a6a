"""Workers of Dask as jobs of Slurm: submitted at the beginning, cancelled at the end, renewed when their time is up."""

from __future__ import annotations

import asyncio
import math
import os
import shlex
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.dask.admission import THREADS
from hypar_opt.executor.dask.clusters import SETTINGS, SILENT, DaskCluster
from hypar_opt.executor.dask.walltimes import in_hours, lifetime_s
from hypar_opt.formulation.run import GIB
from hypar_opt.util.errors import HyparError, InputError
from hypar_opt.util.extras import installed

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits

COUNT: Final = 4
"""Jobs, unless it is said how many."""
START_S: Final = 60
"""Within which the first worker is to come, unless Dask's configuration says `hypar-opt.slurm.start-s`."""
RENEW_S: Final = 10.0
"""How often jobs that ended are submitted anew."""
MORE_S: Final = 120
"""What a job is granted beyond the time that is left: it takes a while to begin, and to hand over."""
PROGRAMS: Final = ("sbatch", "squeue", "scancel")
NAME: Final = "jobqueue.slurm."
"""Of Dask's settings of Slurm."""


class SlurmCluster(DaskCluster):
    """A scheduler in this process, whose workers are jobs: one process each, with as many processors as a call may use.

    Queue, account and the rest are Dask's settings `jobqueue.slurm`. The jobs run this Python: it has to be in a folder
    that the nodes see, too.

    Parameters
    ----------
    count
        How many.
    limits
        Threads and memory of a call, and the time that is left.

    Raises
    ------
    InputError
        If there is no Slurm here.
    """

    def __init__(self, count: int | None, limits: Limits) -> None:
        super().__init__()
        lacking = [one for one in PROGRAMS if shutil.which(one) is None]
        if lacking:
            raise InputError(
                f"expected Slurm's programs on the PATH, as on its login nodes, and there is no {', '.join(lacking)}",
                field="--on",
            )
        self._of_jobs = _jobqueue()
        self._count, self._limits = count or COUNT, limits
        self.where: Any = None
        self._renewing: asyncio.Task[None] | None = None
        self._logs = Path()
        self.lever = "`squeue --me` says what its jobs wait for"

    async def open(self) -> None:
        """Submit the jobs.

        Raises
        ------
        InputError
            If Slurm takes none.
        """
        import dask

        await super().open()
        # a worker that dies is begun anew by its job, for which Dask would give it 15 s before it cancels that
        lost = {"distributed.deploy.lost-worker-timeout": f"{START_S} s"}
        self._quiet.enter_context(dask.config.set({**SETTINGS, **lost}))
        self.start_s = float(dask.config.get("hypar-opt.slurm.start-s", START_S))
        self._logs = Path(dask.config.get(f"{NAME}log-directory", None) or log_folder())
        clusters, jobs = self._of_jobs
        refusals: list[str] = []
        self.where = await clusters(
            n_workers=self._count, job_cls=_noting(jobs, refusals), asynchronous=True, silence_logs=SILENT,
            log_directory=str(self._logs),
            scheduler_options={"dashboard_address": "0.0.0.0:0"}, **self._job(),
        )  # fmt: skip
        if len(refusals) == self._count:
            raise InputError(f"Slurm takes no job: {refusals[0]}", field="--on")
        self._renewing = asyncio.get_running_loop().create_task(self._renew())

    async def close(self) -> None:
        """Cancel the jobs."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.gather(self._renewing, return_exceptions=True)
        if self.where is not None:
            await self.where.close()
        await super().close()

    def text(self, count: int) -> str:
        """Say who so many workers are, of how many jobs."""
        link = self.where.dashboard_link if installed("bokeh") else ""
        return (
            f"{count} of {self._count} workers in jobs of Slurm, logs in {self._logs}{link and f', dashboard {link}'}"
        )

    def missing(self, why: str) -> HyparError:
        """Return the error of no worker: which jobs are in which state, and what the log of one says last."""
        numbers = [] if self.where is None else [str(one.job_id) for one in self.where.workers.values() if one.job_id]
        states = f"jobs {', '.join(numbers) or 'none'}: {_states(numbers)}"
        found = [path for kind in ("err", "out") for one in numbers for path in self._logs.glob(f"*-{one}.{kind}")]
        logs = [path for path in found if path.stat().st_size]
        lever = (
            f"python has to be where the nodes see it, and this machine where they reach it; if the queue is long, "
            f"{START_S} s are made more by hypar-opt: {{slurm: {{start-s: ...}}}} in Dask's configuration"
        )
        log = f"{logs[0]} ends: {_last_line(logs[0])}" if logs else f"nothing is written to {self._logs}"
        return HyparError(f"Slurm's jobs did not bring a worker: {why}; {states}; {log}; {lever}")

    def cut(self, count: int) -> str:
        """Say why a call is set aside that so many jobs ran until their time was up."""
        return (
            f"the time of {count} jobs was up while they ran it, {_walltime()} each: if it takes longer than that, "
            f"{NAME}walltime in Dask's configuration has to be more"
        )

    def _job(self) -> dict[str, Any]:
        """Return what a job is given, beside what Dask's settings say."""
        import dask

        left = self._limits.remaining_s()
        extra = [*dask.config.get(f"{NAME}worker-extra-args", [])]
        # a worker that is killed with its job dies, and what it runs is blamed; the run itself ends before jobs do
        # whose time is what is left of it
        is_said = any(one.partition("=")[0] == "--lifetime" for one in " ".join(extra).split())
        if left is None and not is_said and (lifetime := lifetime_s(_walltime())):
            extra += ["--lifetime", f"{lifetime}s"]
        settings = [f"export DASK_{_variable(name)}={shlex.quote(str(value))}" for name, value in SETTINGS.items()]
        return {
            "cores": 1,
            "processes": 1,
            "job_cpu": self._limits.workers,
            # what the tables of a call may take, and the process that has it
            "memory": f"{math.ceil(self._limits.memory_bytes / GIB) + 1} GiB",
            "worker_extra_args": [*extra, "--resources", f"{THREADS}={self._limits.workers}"],
            "job_script_prologue": [*dask.config.get(f"{NAME}job-script-prologue", []), *settings],
            **({} if left is None else {"walltime": in_hours(left + MORE_S)}),
        }  # fmt: skip

    async def _renew(self) -> None:
        """Submit jobs anew whose workers have gone."""
        while True:
            await asyncio.sleep(RENEW_S)
            with suppress(RuntimeError):  # Slurm takes none now
                await self.where


def _noting(jobs: Any, refusals: list[str]) -> Any:
    """Return a class of jobs that note why Slurm refuses one, which dask-jobqueue tells nobody."""
    from distributed.core import Status

    class NotingJob(jobs):  # type: ignore[misc]
        """A job of Slurm."""

        async def start(self) -> None:
            """Submit it."""
            try:
                await super().start()
            except (OSError, RuntimeError, ValueError) as error:
                said = str(error).partition("stderr:")[2].strip() or str(error)
                refusals.append(said.splitlines()[0])
                self.status = Status.failed
                raise

    return NotingJob


def _jobqueue() -> tuple[Any, Any]:
    """Return dask-jobqueue's classes of clusters and jobs; importing it takes signals away, which are given back.

    Raises
    ------
    HyparError
        If this is not the main thread, which alone may set what signals do, and it was not imported before.
    """
    taken = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in taken}
    try:
        from dask_jobqueue.slurm import SLURMCluster, SLURMJob
    except ValueError as error:
        raise HyparError("Slurm's workers have to be opened in the main thread of a program") from error
    if current_thread() is main_thread():
        for number, handler in before.items():
            signal.signal(number, handler)
    return SLURMCluster, SLURMJob


def _walltime() -> str:
    import dask

    return str(dask.config.get(f"{NAME}walltime", ""))


def log_folder() -> Path:
    """Return where logs of jobs are, unless Dask's settings say where: in the home, which nodes have as well."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / "hypar-opt" / "slurm"


def _variable(name: str) -> str:
    return name.upper().replace(".", "__").replace("-", "_")


def _states(numbers: list[str]) -> str:
    """Return in which states jobs are, as Slurm says."""
    with suppress(OSError, subprocess.SubprocessError):
        asked = subprocess.run(
            ["squeue", "-h", "-o", "%i %T %r", "-j", ",".join(numbers)], capture_output=True, text=True, timeout=10,
            check=False,
        )  # fmt: skip
        lines = asked.stdout.strip().splitlines()
        return ", ".join(lines) if lines else "no longer in the queue"
    return "squeue does not answer"


def _last_line(path: Path) -> str:
    with suppress(OSError):
        lines = path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "empty"
    return "not to be read"
