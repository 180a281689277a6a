"""Showing a run: drawn anew on a terminal, a line now and then in a log."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from threading import Event as Flag
from threading import RLock, Thread, Timer
from typing import TYPE_CHECKING, Final

from hypar_opt.cli.progress.lines import ProgressLines, in_a_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.live import Live

    from hypar_opt.cli.progress.state import State

QUIET_S: Final = 1.0
"""Work that takes less shows no progress."""
LINE_S: Final = 30.0
"""How often there is a line where nothing can be drawn."""


def may_be_drawn(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether the standard error can be drawn on again and again: a terminal that wants that.

    NO_COLOR, unless it is empty, and TERM=dumb ask for plain text; FORCE_COLOR does not make a terminal of a file.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        return False
    plain = environment.get("NO_COLOR") or environment.get("TTY_INTERACTIVE") == "0"
    unnamed = "dumb" if os.name == "posix" else ""  # elsewhere terminals have no names
    return not plain and environment.get("TERM", unnamed) not in ("dumb", "unknown")


class Drawing:
    """A picture at the bottom of the terminal, from a second on until it is ended; then nothing of it is left."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._lock = RLock()
        self._over = False
        self._live: Live | None = None
        self._picture: ProgressLines | None = None

    def start(self) -> None:
        """Draw, unless it is over by now."""
        from rich.live import Live

        from hypar_opt.report.console import console

        with self._lock:
            if self._over:
                return
            self._picture = ProgressLines(self._state)
            # the result, which may go elsewhere, is none of this console's business
            self._live = Live(
                self._picture, console=console(stderr=True), transient=True, redirect_stdout=False, refresh_per_second=8
            )
            self._live.start(refresh=True)

    def end(self) -> None:
        """Take the picture away."""
        with self._lock:
            self._over = True
            if self._live is not None:
                self._live.stop()

    def abandon(self) -> None:
        """Take the picture away without waiting for anybody: the process ends with the next instruction."""
        if self._live is not None and self._picture is not None and _takes_text(2):
            os.write(2, leaving(self._picture.height).encode())


def _takes_text(terminal: int) -> bool:
    """Return whether a terminal takes text now; one that is paused, or that nobody reads, may never do so again."""
    import select

    return os.name != "posix" or bool(select.select([], [terminal], [], 0)[1])


def leaving(height: int) -> str:
    """Return what takes so many lines off a terminal, the cursor in the last, and shows the cursor again."""
    from rich.control import Control
    from rich.segment import ControlType

    erase = (ControlType.ERASE_IN_LINE, 2)
    above = [one for _ in range(height - 1) for one in ((ControlType.CURSOR_UP, 1), erase)]
    codes = Control(ControlType.CARRIAGE_RETURN, erase, *above, ControlType.SHOW_CURSOR)
    return str(codes)


@contextmanager
def drawn(state: State, after_s: float = QUIET_S) -> Iterator[Callable[[], None]]:
    """Draw a run, if it takes long enough; yield what takes the drawing away at once."""
    drawing = Drawing(state)
    timer = Timer(after_s, drawing.start)
    timer.daemon = True
    timer.start()
    try:
        yield drawing.abandon
    finally:
        timer.cancel()
        drawing.end()


@contextmanager
def logged(state: State, write: Callable[[str], object], every_s: float = LINE_S) -> Iterator[None]:
    """Write a line about a run now and then, for as long as somebody takes it."""
    over = Flag()

    def tell() -> None:
        while not over.wait(every_s):
            try:
                write(in_a_line(state.seen()))
            except (OSError, ValueError):  # nobody reads it, or it is closed
                return

    thread = Thread(target=tell, name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
