"""What stands below the options in the help of every command: examples, and what its exit codes mean."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

BAD_INPUT: Final = "bad input"
WIDTH: Final = 78
"""Columns of help, as click has them where the terminal has more."""
_SIGNALS: Final = "130, 143"


def epilog(*examples: str, codes: Mapping[int, str], stopped: str = "") -> str:
    """Return examples and exit codes as click takes them, in the form that all commands share.

    Parameters
    ----------
    examples
        Command lines, as they are typed; what is said of one stands behind a `#`.
    codes
        By exit code, what it means.
    stopped
        What is said of a run that a signal ends, which every command can be ended by.
    """
    meanings = {**{str(code): text for code, text in codes.items()}, _SIGNALS: f"after SIGINT, SIGTERM{stopped}"}
    indent = len(f"  {_SIGNALS}  ")
    lines = [
        line
        for code, text in meanings.items()
        for line in wrap(text, WIDTH - 2, initial_indent=f"  {code:<{len(_SIGNALS)}}  ", subsequent_indent=" " * indent)
    ]
    return "\n".join(["\b", "Examples:", *(f"  {one}" for one in examples), "", "\b", "Exit codes:", *lines])
