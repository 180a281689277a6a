"""Completion of what is typed in a shell: the words there are, and the scripts that ask for them."""

from __future__ import annotations

from typing import Final

PROGRAM: Final = "hypar-opt"
VARIABLE: Final = "_HYPAR_OPT_COMPLETE"
"""Where a shell says that it wants its completion script, or what completes the words so far."""
