"""The confined process that does the job of a folder, and how it ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Timer
from typing import TYPE_CHECKING, Final

from hypar_opt.web.job_files import ERRORS
from hypar_opt.web.settings import GRACE_S

if TYPE_CHECKING:
    from pathlib import Path

MOST_SAID: Final = 2000
"""Characters of what a process that crashed said last."""


class JobProcess:
    """A process that does the job of a folder, and all that it starts; it ends with the process that made it.

    Parameters
    ----------
    folder
        Holds what the job is given, and what it leaves.
    time_s
        That it may take.
    options
        Of `hypar_opt.web.worker`.

    Raises
    ------
    OSError
        If it cannot be started.
    """

    def __init__(self, folder: Path, time_s: float, *options: str) -> None:
        self._folder, self._time_s, self._is_late = folder, time_s, False
        with (folder / ERRORS).open("wb") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "hypar_opt.web.worker", *options],
                cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True,
            )  # fmt: skip
        # its own alarm comes first; this is for one that cannot be alarmed
        self._timer = Timer(time_s + 2 * GRACE_S, self._end_late)
        self._timer.daemon = True
        self._timer.start()

    def kill(self) -> None:
        """End it and its group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def is_running(self, patience_s: float) -> bool:
        """Wait for its end for a while; return whether it still runs."""
        try:
            self._process.wait(patience_s)
        except subprocess.TimeoutExpired:
            return True
        return False

    def wait(self) -> str:
        """Wait for its end, and return how that was, for a job that left no outcome."""
        code = self._process.wait()
        self._timer.cancel()
        self.kill()  # what it started and left behind
        if self._process.stdin is not None:
            self._process.stdin.close()
        return _end_of(-signal.SIGALRM if self._is_late else code, self._folder / ERRORS, self._time_s)

    def _end_late(self) -> None:
        self._is_late = True
        self.kill()


def _end_of(code: int, errors: Path, time_s: float) -> str:
    """Say how a process ended."""
    if code == -signal.SIGALRM:
        return f"stopped: a job may take {time_s:g} s, and did not end within {GRACE_S:g} s after them"
    if code == -signal.SIGXCPU:
        return "stopped: it used more processor time than a job may"
    name = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
    said = _last(errors)
    if "bad_alloc" in said or "MemoryError" in said:
        return f"out of memory; its process ended {name}"
    return f"its process ended {name}" + (f"; it said last: {said}" if said else "")


def _last(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - MOST_SAID))
            lines = stream.read().decode(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return "\n".join(lines[-5:])
