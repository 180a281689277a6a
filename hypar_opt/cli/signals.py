"""SIGINT and SIGTERM during a search: the first stops it with what it has, the second ends the process.

Where there is nothing to stop with, the first ends it.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from threading import Event as Flag
    from types import FrameType


class Caught:
    """The signal that came, if one did."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.at_once: Callable[[], None] | None = None
        """Called before the process ends by a signal: what leaves the terminal as it was."""

    @property
    def exit_code(self) -> int | None:
        """128 plus the signal's number: 130 for SIGINT, 143 for SIGTERM."""
        return None if self.number is None else 128 + self.number


@contextmanager
def stopping(stop: Flag | None) -> Iterator[Caught]:
    """Set a flag at the first signal; at the second, or without a flag, leave at once, with that signal's code."""
    caught = Caught()

    def handle(number: int, _: FrameType | None) -> None:
        if stop is None or caught.number is not None:
            try:
                if caught.at_once is not None:
                    caught.at_once()
            finally:
                os._exit(128 + number)
        caught.number = number
        stop.set()

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
