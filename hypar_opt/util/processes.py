"""What a worker process does about signals, and about the end of its parent."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from multiprocessing import connection, parent_process
from threading import Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from multiprocessing.connection import Connection

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_held_back() -> Iterator[None]:
    """Hold signals back while processes are made: they inherit it, so that none dies of Ctrl-C at its beginning."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_signals(*ends: Connection) -> None:
    """Leave signals to the parent, and end when it does, however that was; a worker's first call.

    Parameters
    ----------
    ends
        Pipes from the parent: the worker ends, too, when what the parent holds of one is closed.
    """
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=([parent.sentinel, *ends],), daemon=True).start()


def _end_with(ends: Sequence[int | Connection]) -> None:
    connection.wait(ends)
    os._exit(1)
