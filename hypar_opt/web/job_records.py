"""Jobs as they are shown: what the database says of them, and what their folders do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError
from hypar_opt.web.job_files import OUTCOME
from hypar_opt.web.outcome import read_outcome
from hypar_opt.web.store import DAMAGED, DONE

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.web.outcome import JobOutcome
    from hypar_opt.web.store import Job, JobStore


class Records:
    """The jobs of a store; one whose outcome cannot be read is shown as damaged, for as long as it cannot."""

    def __init__(self, store: JobStore, folder: Path) -> None:
        self._store, self._folder = store, folder
        self._faults: dict[str, str] = {}

    def check(self) -> None:
        """Look at all outcomes, so that lists say which are damaged."""
        for job in self._store.all():
            self.read(job)

    def all(self, most: int = 1000) -> list[Job]:
        """Return the jobs, the newest first."""
        return [self._shown(job) for job in self._store.all(most)]

    def read(self, job: Job) -> tuple[Job, JobOutcome | None]:
        """Return a job as it is shown, and what came of it."""
        if not job.is_over:
            return job, None
        outcome = None
        self._faults.pop(job.id, None)
        try:
            outcome = read_outcome(self._folder / job.id)
            if outcome is None and job.state == DONE:
                raise InputError("missing", file=OUTCOME)
        except InputError as error:
            self._faults[job.id] = str(error)
        return self._shown(job), outcome

    def _shown(self, job: Job) -> Job:
        fault = self._faults.get(job.id)
        return job if fault is None else job.model_copy(update={"state": DAMAGED, "error": fault})
