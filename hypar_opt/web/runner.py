"""Who runs the jobs that the queue begins: processes of the server's own, or workers elsewhere."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Protocol

from hypar_opt.web.child import JobProcess

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.web.settings import Settings


class JobRunner(Protocol):
    """Runs jobs that are begun; used from one event loop."""

    @property
    def text(self) -> str:
        """Where jobs run, in a few words; nothing for the server's own processes."""

    @property
    def places(self) -> int:
        """How many jobs may run at once, now."""

    async def run(self, job: str, folder: Path) -> str:
        """Run a job to its end; what it leaves stands in its folder then.

        Returns
        -------
        How it ended, to be said if it left no outcome.
        """

    def cancel(self, job: str) -> None:
        """End a job, its process and all that this started; nothing happens where it does not run."""

    def close(self) -> None:
        """Let go of what jobs were run by, once none runs."""


class OwnProcesses(JobRunner):
    """A process of the server's own for each job, in the job's folder.

    Parameters
    ----------
    settings
        Say how many, and for how long.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._threads = ThreadPoolExecutor(settings.workers, "job")
        self._processes: dict[str, JobProcess] = {}

    @property
    def text(self) -> str:
        """Nothing."""
        return ""

    @property
    def places(self) -> int:
        """As many as the settings say."""
        return self._settings.workers

    async def run(self, job: str, folder: Path) -> str:
        """Run a job's process to its end."""
        try:
            process = JobProcess(folder, self._settings.job_time_s)
        except OSError as error:
            return f"its process could not be started: {error.strerror}"
        self._processes[job] = process
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, process.wait)
        finally:
            del self._processes[job]

    def cancel(self, job: str) -> None:
        """Kill a job's process."""
        if job in self._processes:
            self._processes[job].kill()

    def close(self) -> None:
        """End the threads that waited."""
        self._threads.shutdown()
