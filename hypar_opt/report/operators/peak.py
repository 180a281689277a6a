"""What is in a device's memory by a plan of operators when most is, in words and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.numbers import in_bytes
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.evaluation.operators import MemoryPeak


def memory_line(peak: MemoryPeak, limit: Fraction | None, begin: str = "memory") -> str:
    """Return how much is there at the peak, of how much, when that is, and what: kept, and of work space the parts."""
    had = "" if limit is None else f" of {in_bytes(limit)}"
    parts = [f"{in_bytes(peak.bytes - peak.work_space)} kept"]
    if peak.work:
        work = ", ".join(f"{use} {in_bytes(size)}" for use, size in peak.work.items())
        parts.append(f"{in_bytes(peak.work_space)} work space: {work}")
    return f"{begin} {in_bytes(peak.bytes)}{had} on each device {peak.when}: {', '.join(parts)}"


def peak_document(peak: MemoryPeak) -> dict[str, Any]:
    """Return a peak for machines: its moment, all bytes, and those by what they are for, exact."""
    return {
        "phase": peak.phase,
        "operator": peak.operator,
        "bytes": exact(peak.bytes),
        "kept": exact(peak.bytes - peak.work_space),
        "work_space": {use: exact(size) for use, size in peak.work.items()},
    }
