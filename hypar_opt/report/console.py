"""The terminal, or what stands for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

UNLIMITED = 10**5
FILE_WIDTH = 200
"""Columns where the output is not a terminal: nothing is cut, whatever reads it can fold."""


def console(*, stderr: bool = False) -> Console:
    """Return a console that takes text as it is, brackets and colons included, and cuts nothing in a file."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            """Leave it to the command line, which exits with its own code."""
            raise BrokenPipeError

    found = Plain(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not found.is_terminal:
        found.width = FILE_WIDTH
    return found


def fits(console: Console, table: Table) -> bool:
    """Return whether a table can be shown without cutting what must not be folded."""
    from rich.measure import Measurement

    return Measurement.get(console, console.options.update(width=UNLIMITED), table).minimum <= console.width
