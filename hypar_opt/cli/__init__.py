"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

COMPILE_S = 10.0
"""How long the end of a command waits at most for a loop that is being compiled; the slowest take half of it."""


def main() -> None:
    """Run the command line and exit with its code: 2 for anything wrong with the input."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    # a command's data are few cycles and many objects, which all would be looked at again and again while they are made
    gc.set_threshold(100_000, 50, 100)
    from hypar_opt.cli.invoke import invoke

    _end(invoke(sys.argv[1:]))


def _end(code: int) -> NoReturn:
    """End; at once where a search was left behind.

    It is in native code, whose own exit waits for it, far beyond the time limit, or aborts. What the command had to say
    is said and flushed.
    """
    import threading

    if any(thread.daemon for thread in threading.enumerate()):
        try:
            if code < 128:  # no signal
                _keep_compiled()
        finally:  # whether or not there could be a wait, all is said
            os._exit(code)
    # all is done: Python, cleaning up, would give the signal its default action, and the command another end
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # else Python looks through all objects for cycles that go with the process anyway: as long as a short search
    gc.freeze()
    sys.exit(code)


def _keep_compiled() -> None:
    """Wait until Numba has kept what a search left behind had it compile: else later commands would begin it anew."""
    from threading import Thread

    lock = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    if lock is not None:
        ended = Thread(target=lock.acquire, daemon=True)
        ended.start()
        ended.join(COMPILE_S)


def _leave(number: int, _: FrameType | None) -> None:
    """End at once: outside a search nothing can be half written, and an exception could be swallowed on its way."""
    os._exit(128 + number)
