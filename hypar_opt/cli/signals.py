"""SIGINT and SIGTERM during a search: the first stops it with what it has, the second ends the process.

Where there is nothing to stop with, the first ends it.
"""

from __future__ import annotations

import os
import signal
from contextlib import ExitStack, contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event as Flag
    from types import FrameType

NUMBERS: Final = (signal.SIGINT, signal.SIGTERM)


class Caught:
    """The signal that came, if one did."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.fault: Exception | None = None
        """What else ended the run before its end, if something did."""
        self.at_once: Callable[[], None] | None = None
        """Called before the process ends by a signal: what leaves the terminal as it was."""

    @property
    def exit_code(self) -> int | None:
        """128 plus the signal's number: 130 for SIGINT, 143 for SIGTERM; 2 where there was a fault and no signal."""
        if self.number is not None:
            return 128 + self.number
        return None if self.fault is None else 2

    def leave(self, number: int) -> None:
        """End the process with a signal's code."""
        try:
            if self.at_once is not None:
                self.at_once()
        finally:
            os._exit(128 + number)


@contextmanager
def stopping(stop: Flag | None) -> Iterator[Caught]:
    """Set a flag at the first signal; at the second, or without a flag, leave at once, with that signal's code."""
    caught = Caught()

    def handle(number: int, _: FrameType | None) -> None:
        if stop is None:
            return  # who waits beside the main thread leaves
        if caught.number is not None:
            caught.leave(number)
        caught.number = number
        stop.set()

    before = {number: signal.signal(number, handle) for number in NUMBERS}
    with ExitStack() as stack:
        if stop is None:
            stack.enter_context(_heard_beside(caught.leave))
        try:
            yield caught
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _heard_beside(leave: Callable[[int], None]) -> Iterator[None]:
    """Call with the first signal, whatever the main thread does.

    The kernel gives a signal to any thread, a new one say, and lets the main one go on waiting for a pipe; Python runs
    handlers in the main thread only, between two instructions of its own.
    """
    import socket

    reading, writing = socket.socketpair()
    writing.setblocking(False)

    def wait() -> None:
        while number := reading.recv(1):
            if number[0] in NUMBERS:
                leave(number[0])

    waiting = Thread(target=wait, name="signals", daemon=True)
    waiting.start()
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        writing.close()
        waiting.join()
        reading.close()
