"""Runs a file that needs JAX in a process of its own, with as many devices of the host as it asks for."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

PASSES: Final = "cpu-all-reduce-combiner,cse_barrier_expander"
"""What XLA is not to do on hosts: to make one call of several all-reduces, which would hide whose bytes are whose, and
to take barriers away so early that what is done once more for the backward phase is done once."""
UNOPTIMISED: Final = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
"""For programs that are not run: what comes behind the partitioner is not done well, but soon."""


def run_jax(file: str, arguments: Sequence[str], devices: int, seconds: float, more: str = "") -> None:
    """Run a file until it is through.

    Parameters
    ----------
    file, arguments
        What is run.
    devices
        Of the host.
    seconds
        After so long it is ended.
    more
        Flags of XLA.

    Raises
    ------
    Refusal
        If it fails, or is not through in time.
    """
    flags = f"--xla_force_host_platform_device_count={devices} --xla_disable_hlo_passes={PASSES} {more}"
    try:
        done = subprocess.run(
            [sys.executable, file, *arguments],
            capture_output=True, text=True, timeout=seconds, check=False,
            env={**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags.strip()},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Refusal(f"the program was not compiled and run within {seconds:g} s") from None
    if done.returncode != 0:
        raise Refusal(f"the program could not be compiled and run: {_reason(done.stderr)}")


def _reason(text: str) -> str:
    """Return the line of a traceback that says what is wrong."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception", "Exit"))]
    return (*named[-1:], *lines[-1:], "no message")[0][:500]
