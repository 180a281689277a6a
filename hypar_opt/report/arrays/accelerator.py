"""What an accelerator can do: in a line, and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_bytes, in_operations, percent
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.instance.hardware.accelerator import Accelerator

ENERGIES = ("add", "multiply", "sram", "dram")
"""What an accelerator does that takes energy."""


def accelerator_line(one: Accelerator) -> str:
    """Return what an accelerator can do, in a line."""
    parts = [f"{one.model}", f"{in_operations(float(one.rate))} at the peak"]
    if one.grid is not None:
        parts.append(f"{one.grid[0]} x {one.grid[1]} elements")
    reached = "what the mapping fills" if one.utilisation is None else percent(one.utilisation)
    parts.append(f"utilisation {reached}")
    sizes = {"buffer": one.buffer, "memory": one.capacity}
    parts += [f"{name} {in_bytes(size)}" for name, size in sizes.items() if size is not None]
    if one.bandwidth is not None:
        parts.append(f"memory bandwidth {in_bytes(one.bandwidth)}/s")
    if one.energies is not None:
        parts.append(", ".join(f"{name} {float(getattr(one.energies, name)) * 1e12:.4g} pJ" for name in ENERGIES))
    return "each accelerator: " + "; ".join(parts)


def accelerator_document(one: Accelerator) -> dict[str, Any]:
    """Return all that is known of an accelerator, exact."""
    joules = one.energies
    return {
        "model": one.model,
        "rate_operations_per_s": exact(one.rate),
        "grid": None if one.grid is None else list(one.grid),
        "buffer_bytes": exact(one.buffer),
        "utilisation": "grid" if one.utilisation is None else exact(one.utilisation),
        "memory_bytes": exact(one.capacity),
        "memory_bandwidth_bytes_per_s": exact(one.bandwidth),
        "energy_J": None if joules is None else {name: exact(getattr(joules, name)) for name in ENERGIES},
    }
