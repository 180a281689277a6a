"""Runs a file that needs JAX in a process of its own, with as many devices of the host as it asks for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from hypar_opt.count.process import run_child

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
    run_child([sys.executable, file, *arguments], {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags.strip()}, seconds)
