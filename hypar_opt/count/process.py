"""Frameworks run in a process of their own, which ends with what it has taken."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run_child(command: Sequence[str], environment: Mapping[str, str], seconds: float) -> None:
    """Run a command that compiles and runs a program.

    Parameters
    ----------
    command
        Program and arguments.
    environment
        What is put before this process's own.
    seconds
        After so long it is ended.

    Raises
    ------
    Refusal
        If it fails, or takes longer.
    """
    try:
        done = subprocess.run(
            [*command], capture_output=True, text=True, timeout=seconds, check=False, env={**os.environ, **environment}
        )
    except subprocess.TimeoutExpired:
        raise Refusal(f"the program was not compiled and run within {seconds:g} s") from None
    if done.returncode != 0:
        raise Refusal(f"the program could not be compiled and run: {_reason(done.stderr)}")


def _reason(text: str) -> str:
    """Return the line of a traceback that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception", "Exit"))]
    return (*named[-1:], *lines[-1:], "no message")[0][:500]
