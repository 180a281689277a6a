"""The command line: one file a command, imported only when it is called."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType


def main() -> None:
    """Run the command line and exit with its code: 2 for anything wrong with the input."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    from hypar_opt.cli.invoke import invoke

    sys.exit(invoke(sys.argv[1:]))


def _leave(number: int, _: FrameType | None) -> None:
    """End at once: outside a search nothing can be half written, and an exception could be swallowed on its way."""
    os._exit(128 + number)
