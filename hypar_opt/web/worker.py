"""One job in a process of its own: `python -m hypar_opt.web.worker`, in the job's folder.

The server gives it nothing but that folder and a standard input that it holds open. Limits are set by itself before
anything heavy is imported and before the instance is read, and it ends when its server is gone; `temporary` as its only
argument says that the folder goes with it then.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sys
from pathlib import Path
from threading import Thread
from typing import Final

from hypar_opt.web.settings import GIB, GRACE_S

MOST_WRITTEN: Final = GIB
"""Bytes of any one file that a worker writes."""


def confine(memory: int, wall_s: float, threads: int) -> None:
    """Limit this process and those that it starts.

    Memory is limited as written-to private memory (RLIMIT_DATA): a limit on the address space would count what solvers'
    threads only reserve. When the wall clock is over, the default action of SIGALRM ends the process even where it
    is in native code.

    Parameters
    ----------
    memory
        Bytes.
    wall_s
        Seconds on the wall clock; processor time may be as much on every thread.
    threads
        That may work at once.
    """
    cpu_s = int(wall_s * threads) + 1
    for kind, amount in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, MOST_WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (amount, amount))
    signal.setitimer(signal.ITIMER_REAL, wall_s)


def end_with_server() -> None:
    """End this process and its group as soon as the standard input closes: the server holds its other end."""
    Thread(target=_wait_for_end, name="server's end", daemon=True).start()


def _wait_for_end() -> None:
    while os.read(sys.stdin.fileno(), 1024):
        continue
    if "temporary" in sys.argv[1:]:  # nobody else is there any more who would remove it
        shutil.rmtree(Path.cwd(), ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


def main() -> int:
    """Do the job of the folder that this runs in."""
    end_with_server()
    folder = Path.cwd()
    job = json.loads((folder / "job.json").read_text())
    confine(job["memory"], job["time_s"] + GRACE_S, job["asked"]["limits"]["workers"])
    from hypar_opt.web.job import work

    work(folder, job)
    return 0


if __name__ == "__main__":
    sys.exit(main())
