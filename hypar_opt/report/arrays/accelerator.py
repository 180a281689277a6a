"""An accelerator in a line, and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.plan_file import exact
from hypar_opt.report.numbers import in_bytes

if TYPE_CHECKING:
    from hypar_opt.accelerator import Accelerator


def accelerator_line(one: Accelerator) -> str:
    """Return what an accelerator can do, in a line."""
    parts = [f"{one.model}", f"{in_operations(float(one.rate))} at the peak"]
    if one.grid is not None:
        parts.append(f"{one.grid[0]} x {one.grid[1]} elements")
    reached = "what the mapping fills" if one.utilisation is None else f"{float(one.utilisation):.0%}"
    parts.append(f"utilisation {reached}")
    if one.buffer is not None:
        parts.append(f"buffer {in_bytes(one.buffer)}")
    if one.capacity is not None:
        parts.append(f"memory {in_bytes(one.capacity)}")
    if one.bandwidth is not None:
        parts.append(f"memory bandwidth {in_bytes(one.bandwidth)}/s")
    joules = one.energies
    if joules is not None:
        each = {"add": joules.add, "multiply": joules.multiply, "sram": joules.sram, "dram": joules.dram}
        parts.append(", ".join(f"{name} {float(energy) * 1e12:.4g} pJ" for name, energy in each.items()))
    return "each accelerator: " + "; ".join(parts)


def in_operations(rate: float) -> str:
    """Return operations a second in the unit that architects use."""
    for size, unit in ((1e12, "TOPS"), (1e9, "GOPS"), (1e6, "MOPS")):
        if rate >= size:
            return f"{rate / size:.4g} {unit}"
    return f"{rate:.4g} operations/s"


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
        "energy_J": None if joules is None else {
            name: exact(getattr(joules, name)) for name in ("add", "multiply", "sram", "dram")
        },
    }  # fmt: skip
