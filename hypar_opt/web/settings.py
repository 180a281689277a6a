"""What a live page may use, and where it keeps its state."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MIB: Final = 2**20
GIB: Final = 2**30
GRACE_S: Final = 15.0
"""How long a worker may take to end by itself after its time is up."""
MOST_TYPED: Final = 2 * MIB
"""Characters that are checked as one types; longer text is checked by its job."""
MOST_JSON: Final = 4 * MIB
"""Bytes of a request that is no upload."""


@dataclass(frozen=True)
class Settings:
    """Limits of the page.

    Parameters
    ----------
    folder
        Holds the state: `jobs.sqlite3`, and a folder a job.
    workers
        Jobs at once.
    job_time_s
        Of a job, in all; the worker is ended by a signal `GRACE_S` after it.
    job_memory
        Bytes that a job may allocate.
    upload_limit
        Bytes of a request.
    queue_limit
        Jobs that may wait.
    keep
        Finished jobs that are kept; the oldest go.
    """

    folder: Path
    workers: int = 2
    job_time_s: float = 600.0
    job_memory: int = 4 * GIB
    upload_limit: int = 64 * MIB
    queue_limit: int = 100
    keep: int = 500

    @property
    def jobs(self) -> Path:
        """The folder of the jobs' folders."""
        return self.folder / "jobs"


def default_folder() -> Path:
    """Return where the state is kept unless said otherwise: `$XDG_STATE_HOME/hypar-opt/serve`, or under `~/.local`."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "hypar-opt" / "serve"
