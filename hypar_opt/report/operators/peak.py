"""When most is in a device's memory by a plan of operators, and what, in words and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_bytes
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from hypar_opt.evaluation.operators import MemoryPeak, Phase

WHEN: Final[dict[Phase, str]] = {
    "forward": "in the forward phase of '{}'",
    "recompute": "while '{}' runs once more",
    "backward": "in the backward phase of '{}'",
    "update": "in the update of '{}'",
}
"""By phase of a peak, when that is, with a place for the operator's name."""


def peak_lines(peak: MemoryPeak, limit: Fraction | None) -> Iterator[str]:
    """Yield how much there is at the peak and when, and whether that is more than a device has."""
    work = ", ".join(f"{use} {in_bytes(size)}" for use, size in peak.work.items())
    said = f", {in_bytes(peak.work_space)} of it work space: {work}" if work else ""
    yield f"peak {in_bytes(peak.bytes)} {WHEN[peak.phase].format(peak.operator)}{said}"
    if limit is not None and peak.bytes > limit:
        yield f"note: the peak exceeds the {in_bytes(limit)} of a device, a limit of what is kept without work space"


def peak_document(peak: MemoryPeak) -> dict[str, Any]:
    """Return a peak for machines: its moment, all bytes, and those of work space by what they are for, exact."""
    return {
        "phase": peak.phase,
        "operator": peak.operator,
        "bytes": exact(peak.bytes),
        "work_space": {use: exact(size) for use, size in peak.work.items()},
    }
