"""What a worker process may use, set by itself before it reads anything; and its end when its server is gone."""

from __future__ import annotations

import os
import resource
import signal
import sys
from threading import Thread
from typing import Final

from hypar_opt.web.settings import GIB

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
    os.killpg(0, signal.SIGKILL)
