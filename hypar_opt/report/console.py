"""The terminal, or what stands for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

FILE_WIDTH = 200
"""Columns where the output is not a terminal: nothing is cut, whatever reads it can fold."""


def console() -> Console:
    """Return a console for results: plain text where it is not a terminal."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to the command line, which exits with its own code."""
            raise BrokenPipeError

    found = Plain(highlight=False)
    return found if found.is_terminal else Plain(highlight=False, width=FILE_WIDTH)
