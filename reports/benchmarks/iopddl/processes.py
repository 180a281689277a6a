"""Running a process to its end or a limit, and what it used."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).parents[3]
POLL_S: Final = 0.05
SAMPLE_S: Final = 1.0


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Parameters
    ----------
    code
        As `subprocess` has it: below 0 for a signal; None where the limit ended it.
    output, errors
        What it wrote.
    wall_s
        From its start to its end.
    peak_mib
        Resident memory of all its processes together, the most of samples a second apart; at least the largest
        process's own peak.
    """

    code: int | None
    output: str
    errors: str
    wall_s: float
    peak_mib: int

    @property
    def why(self) -> str:
        """What went wrong, in a few words."""
        if self.code is None:
            return "stopped: it did not end within the limit"
        if self.code == -signal.SIGKILL or any(word in self.errors for word in ("bad_alloc", "MemoryError", "mmap")):
            return "out of memory"
        lines = self.errors.strip().splitlines()
        said = [line for line in lines if line.startswith("error:")] or lines
        return f"ERROR: ended with {self.code}{''.join(f': {line[:160]}' for line in said[-1:])}"


def ended(command: Sequence[str], folder: Path, most_s: float, most_gib: float) -> Ended:
    """Run a command, its output to files of a folder; after `most_s` seconds it is killed.

    None of its processes gets more than `most_gib` of memory.
    """

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (int(most_gib * 2**30),) * 2)

    began = time.monotonic()
    with (folder / "output").open("w+") as output, (folder / "errors").open("w+") as errors:
        child = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
            preexec_fn=limited,
        )
        status, largest, peak, sampled, killed = 0, 0, 0, began, False
        while True:
            pid, status, used = os.wait4(child.pid, os.WNOHANG)
            now = time.monotonic()
            if pid:
                largest = used.ru_maxrss * 1024
                break
            if not killed and now - began > most_s:
                killed = True
                os.killpg(child.pid, signal.SIGKILL)
            if now - sampled > SAMPLE_S:
                sampled, peak = now, max(peak, _resident(child.pid))
            time.sleep(POLL_S)
        child.returncode = os.waitstatus_to_exitcode(status)
        with suppress(ProcessLookupError):  # what the process left behind
            os.killpg(child.pid, signal.SIGKILL)
        texts = [stream.seek(0) or stream.read() for stream in (output, errors)]
    peak_mib = round(max(peak, largest) / 2**20)
    return Ended(None if killed else child.returncode, texts[0], texts[1], now - began, peak_mib)


def _resident(session: int) -> int:
    """Return the resident memory of all processes of a session, in bytes; 0 where the system does not say."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            fields = (process / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[21]) * resource.getpagesize()
    return total
