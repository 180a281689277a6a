"""A job where a worker of an engine runs: in a temporary folder, by the same confined process as the server's own."""

from __future__ import annotations

import secrets
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.executor.telling import tell
from hypar_opt.web.child import JobProcess
from hypar_opt.web.job_files import EVENTS, REPORT, is_regular
from hypar_opt.web.outcome import edition
from hypar_opt.web.parcel import LEFT, MOST_FILES, MOST_RETURNED, MOST_TOLD, TOLD, ToldHead, is_known, message

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits
    from hypar_opt.web.parcel import JobParcel

LOOK_S: Final = 0.1
"""Between two looks at what a job has written, and whether it is to end."""
TEMPORARY: Final = "temporary"
"""The option of `hypar_opt.web.worker` by which it removes its folder when whoever started it is gone."""


def do_job(parcel: JobParcel, limits: Limits) -> dict[str, Any]:
    """Do a job; its process is killed once the flag is set.

    Returns
    -------
    The fields of a `JobAnswer`: as input, to be checked by whoever gets them.
    """
    with TemporaryDirectory(prefix="hypar-opt-job-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        telling = _Telling(folder, secrets.token_urlsafe(6))
        try:
            parcel.unpack(folder)
            process = JobProcess(folder, parcel.time_s, TEMPORARY)
        except OSError as error:
            return {"attempt": telling.attempt, "said": f"could not be started: {error.strerror}", "files": {}}
        try:
            while process.is_running(LOOK_S):
                if limits.stop.is_set():
                    process.kill()
                telling.go_on()
        finally:
            process.kill()
        said = process.wait()
        return {"attempt": telling.attempt, "said": said} | _left(folder)


class _Telling:
    """Tells what has come: events as whole lines, and the plan once its outcome is there."""

    def __init__(self, folder: Path, attempt: str) -> None:
        self.attempt = attempt
        self._folder, self._at, self._edition = folder, 0, ""

    def go_on(self) -> None:
        """Tell what has come since the last time."""
        lines = self._more()
        if lines:
            tell(message(ToldHead(attempt=self.attempt, name=EVENTS, at=self._at), lines))
            self._at += len(lines)
        found = edition(self._folder)
        if found != self._edition:
            self._edition = found
            for name in TOLD:
                path = self._folder / name
                if is_regular(path) and path.stat().st_size <= MOST_TOLD:
                    tell(message(ToldHead(attempt=self.attempt, name=name), path.read_bytes()))

    def _more(self) -> bytes:
        path = self._folder / EVENTS
        if not is_regular(path):
            return b""
        with path.open("rb") as stream:
            stream.seek(self._at)
            chunk = stream.read(MOST_TOLD)
        return chunk[: chunk.rfind(b"\n") + 1]


def _left(folder: Path) -> dict[str, Any]:
    """Return the files that a job left, and whether they were too many; of its report all or none."""
    room, files = MOST_RETURNED, dict[str, bytes]()
    lost = False
    for name in LEFT:
        path = folder / name
        if is_regular(path):
            if path.stat().st_size > room:
                lost = True
                continue
            files[name] = path.read_bytes()
            room -= len(files[name])
    named = ((path.relative_to(folder).as_posix(), path) for path in (folder / REPORT).rglob("*") if is_regular(path))
    reported = {name: path for name, path in named if is_known(name)}  # others are half-written
    if len(files) + len(reported) > MOST_FILES or sum(path.stat().st_size for path in reported.values()) > room:
        return {"files": files, "lost": True}
    return {"files": files | {name: path.read_bytes() for name, path in reported.items()}, "lost": lost}
