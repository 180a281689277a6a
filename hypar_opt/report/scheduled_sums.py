"""What partial sums take where they are exchanged by schedules, layer by layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.report.console import show
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.evaluation.links import ScheduledSums, TimedSum


def show_sums(console: Console, timed: ScheduledSums) -> None:
    """Print what partial sums take and what all else does, above a table of levels."""
    others = timed.others.comm_time or 0
    summed = in_si(float(timed.seconds - others), "s")
    console.print(f"of comm-time {summed} for partial sums by schedules; links by level for the rest, boundaries:")


def show_sum_rows(console: Console, timed: ScheduledSums) -> None:
    """Print by which algorithm each layer's partial sums are exchanged, and what that takes."""
    if timed.sums:
        show(console, [_row(one) for one in timed.sums])


def _row(one: TimedSum) -> dict[str, str]:
    return {
        "partial sums of": one.layer,
        "levels": " ".join(str(h + 1) for h in one.levels),
        "in groups of": str(2 ** len(one.levels)),
        "each": in_bytes(one.bytes_),
        "algorithm": one.algorithm,
        "time": in_si(float(one.seconds), "s"),
    }


def sums_document(timed: ScheduledSums) -> list[dict[str, Any]]:
    """Return the same for machines, exact."""
    return [
        {
            "layer": one.layer,
            "levels": [h + 1 for h in one.levels],
            "group": 2 ** len(one.levels),
            "bytes": exact(one.bytes_),
            "algorithm": one.algorithm,
            "time_s": exact(one.seconds),
        }
        for one in timed.sums
    ]
