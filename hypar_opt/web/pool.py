"""The queue: jobs wait, are run, and end one way or another."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import shutil
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import INSTANCE, JOB, START, is_there
from hypar_opt.web.job_request import Asked, read_order
from hypar_opt.web.outcome import read_outcome
from hypar_opt.web.store import CANCELLED, DAMAGED, DONE, FAILED, INTERRUPTED, QUEUED, TOKEN, Job, JobStore

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.web.runner import JobRunner
    from hypar_opt.web.settings import Settings

INTERRUPTION: Final = "the server was ended while the job ran"
FAILURE: Final = "its server failed; what that printed says how"
PATIENCE_S: Final = 1.0
"""Between two attempts to change a database that refuses, as on a full disk."""
_LOG: Final = logging.getLogger(__name__)


class QueueFull(Exception):
    """As many jobs wait as may."""


class JobPool:
    """Has the jobs of a store run, so many at once; used from the event loop that `run` is in."""

    def __init__(self, settings: Settings, store: JobStore, runner: JobRunner) -> None:
        self._settings, self._store, self._runner = settings, store, runner
        self._wake = asyncio.Event()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._leftovers: set[str] = set()
        self._ends = False

    def recover(self) -> None:
        """After a restart: what had an outcome is done, what ran is interrupted, what waited goes on waiting."""
        for job in self._store.running():
            if not self._take_outcome(job.id):
                self._store.end(job.id, INTERRUPTED, error=INTERRUPTION)
        self._forget()
        for folder in self._settings.jobs.iterdir():
            if self._store.get(folder.name) is None and _is_begun(folder):
                _remove(folder)

    def submit(self, asked: Asked, label: str, put: Path | None) -> Job:
        """Take a job into the queue.

        Parameters
        ----------
        put
            A file that holds the instance, and is moved away; None where `asked` holds it.

        Raises
        ------
        Full
            If as many wait as may.
        """
        if self._store.count(QUEUED) >= self._settings.queue_limit:
            raise QueueFull
        job = self._store.add(label, lambda token: self._prepare(token, asked, put), self._remove)
        self._wake.set()
        return job

    def folder(self, job: str) -> Path:
        """Return the folder of a job that the store knows."""
        return self._settings.jobs / job

    def cancel(self, job: str) -> None:
        """End a job, its process and all that this started."""
        self._store.end(job, CANCELLED)
        self._runner.cancel(job)

    def delete(self, job: str) -> None:
        """Forget a job that is over, and remove what it left."""
        self._remove(job)  # first: a job without files can be deleted again, files without a job cannot
        self._store.remove(job)

    async def run(self) -> None:
        """Start what waits, for ever; when cancelled, end what runs."""
        try:
            while True:
                pause = None if self._start_waiting() else PATIENCE_S
                self._wake.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), pause)
        finally:
            self._ends = True
            for job in self._tasks:
                with suppress(sqlite3.Error):  # it is found to have been running at the next start, too
                    self._store.end(job, INTERRUPTED, error=INTERRUPTION)
                self._runner.cancel(job)
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)
            self._runner.close()

    def _start_waiting(self) -> bool:
        """Start as many as may run; return whether none is left: places may come, and the database may refuse."""
        try:
            while len(self._tasks) < self._runner.places and (job := self._store.next()) is not None:
                self._store.begin(job.id, self._runner.text)
                self._tasks[job.id] = asyncio.create_task(self._do(job.id))
            return self._store.count(QUEUED) == 0
        except sqlite3.Error as error:
            _LOG.warning("no job can be started: %s", error)
            return False

    async def _do(self, job: str) -> None:
        state, said = FAILED, FAILURE
        try:
            read_order(self.folder(job))
            if not self._is_over(job):  # ended before it was begun
                said = await self._runner.run(job, self.folder(job))
        except InputError as error:
            state, said = DAMAGED, str(error)
        except OSError as error:
            said = f"it could not be begun: {error.strerror}"
        finally:
            # it keeps its place as long as its end cannot be written down: no other would fare better
            while not self._record(job, state, said) and not self._ends:
                await asyncio.sleep(PATIENCE_S)
            self._tasks.pop(job, None)
            if job in self._leftovers:
                self._leftovers.remove(job)
                self._remove(job)
            self._wake.set()

    def _is_over(self, job: str) -> bool:
        found = self._store.get(job)
        return self._ends or found is None or found.is_over

    def _record(self, job: str, state: str, said: str) -> bool:
        """Say how a job ended, unless its worker said something; return whether the database took it."""
        try:
            if not self._take_outcome(job):
                self._store.end(job, state, error=said)
            self._forget()
        except sqlite3.Error as error:
            _LOG.warning("the end of a job cannot be recorded: %s", error)
            return False
        return True

    def _take_outcome(self, job: str) -> bool:
        """Record what a worker said came of a job; return whether it said something."""
        try:
            outcome = read_outcome(self.folder(job))
        except InputError as error:
            self._store.end(job, DAMAGED, error=str(error))
            return True
        if outcome is None:
            return False
        line, label = next(iter(outcome.headline), ""), "" if outcome.facts is None else outcome.facts.instance
        self._store.end(job, FAILED if outcome.error else DONE, error=outcome.error, headline=line, label=label)
        return True

    def _prepare(self, job: str, asked: Asked, put: Path | None) -> None:
        """Make a job's folder, with all that its worker is given."""
        folder = self.folder(job)
        folder.mkdir(mode=0o700)
        if put is None:
            (folder / INSTANCE).write_text(asked.instance or "", encoding="utf-8", errors="surrogatepass")
        else:
            shutil.move(put, folder / INSTANCE)
        if asked.start is not None:
            (folder / START).write_text(asked.start, encoding="utf-8", errors="surrogatepass")
        plain = asked.model_dump(exclude={"instance", "start"})
        limits = {"memory": self._settings.job_memory, "time_s": self._settings.job_time_s}
        (folder / JOB).write_text(json.dumps({**limits, "asked": plain}))

    def _forget(self) -> None:
        for old in self._store.remove_oldest(self._settings.keep):
            self._remove(old)

    def _remove(self, job: str) -> None:
        if job in self._tasks:  # its process may be writing still
            self._leftovers.add(job)
        else:
            _remove(self.folder(job))


def _remove(folder: Path) -> None:
    """Remove a job's folder, or what stands in its place; say what cannot be removed."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):  # no folder, but a file or a link; a folder that is left is told of
        folder.unlink(missing_ok=True)
    if is_there(folder):
        _LOG.warning("the folder of a job cannot be removed: %s", folder)


def _is_begun(folder: Path) -> bool:
    """Return whether a folder was made for a job that was never taken in; what anybody else put there is theirs."""
    if not re.fullmatch(TOKEN, folder.name) or folder.is_symlink() or not folder.is_dir():
        return False
    try:
        return {path.name for path in folder.iterdir()} <= {INSTANCE, START, JOB}
    except OSError as error:
        _LOG.warning("a folder among the jobs' cannot be looked into: %s", error)
        return False
