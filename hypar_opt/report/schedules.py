"""Schedules of a pipeline side by side: on the terminal, and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component, share
from hypar_opt.report.tables import Column, Table, TableDocument, entry_rows, scaled
from hypar_opt.report.tables.sums import DIGITS
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.studies.schedules.compare import NamedSchedule


def show_schedules(console: Console, heading: str, schedules: Sequence[NamedSchedule]) -> None:
    """Print a row a schedule."""
    console.print(heading)
    show_folded(console, schedule_rows(schedules))
    console.print("bubble: the share of all devices' time in which they do nothing; pipedream: from batch to batch")


def schedule_rows(schedules: Sequence[NamedSchedule]) -> list[dict[str, str]]:
    """Return a row a schedule."""
    return [_row(one) for one in schedules]


def _row(one: NamedSchedule) -> dict[str, str]:
    row = {"schedule": one.name, "batch": "", "bubble": "", "most kept": "", "by device": "", "said": one.reason}
    if one.judged is None or one.seconds is None or one.bubble is None:
        return row
    peaks = [one.judged.peak(device) for device in range(one.judged.devices)]
    proven = "" if one.status is None else str(one.status)
    return row | {
        "batch": in_component(TIME, one.seconds),
        "bubble": share(one.bubble, 1),
        "most kept": in_bytes(max(peaks)),
        "by device": ", ".join(in_bytes(peak) for peak in peaks[:8]) + (", ..." if len(peaks) > 8 else ""),
        "said": proven or ("" if one.fits else "does not fit into the memories"),
    }


def schedules_document(heading: str, schedules: Sequence[NamedSchedule]) -> dict[str, Any]:
    """Return the same as plain data; exact numbers as text."""
    return {"of": heading, "schedules": [_document(one) for one in schedules]}


def _document(one: NamedSchedule) -> dict[str, Any]:
    head: dict[str, Any] = {"name": one.name, "summary": one.summary, "reason": one.reason or None}
    if one.judged is None:
        return head
    return head | {
        "seconds": exact(one.seconds),
        "bubble": exact(one.bubble),
        "fits": one.fits,
        "status": None if one.status is None else str(one.status),
        "bound_s": exact(one.bound),
        "peak_bytes": [exact(one.judged.peak(device)) for device in range(one.judged.devices)],
        "operations": [
            {
                "phase": span.phase,
                "device": span.device,
                "stage": span.stage,
                "microbatch": span.microbatch,
                "begin_s": exact(span.begin),
                "end_s": exact(span.end),
            }
            for span in sorted(one.judged.spans)
        ],
    }


def schedules_tables(name: str, schedules: Sequence[NamedSchedule]) -> TableDocument:
    """Return the same as a table: a row a schedule, those that there are not with their reason."""
    rows: list[tuple[Any, ...]] = []
    for one in schedules:
        peaks = [] if one.judged is None else [one.judged.peak(device) for device in range(one.judged.devices)]
        status = None if one.status is None else str(one.status)
        fits = None if one.judged is None else "yes" if one.fits else "no"
        rows.append(
            (one.name, one.seconds, one.bubble, max(peaks, default=None), fits, status, one.bound, one.reason or None)
        )
    scale, unit = scaled([row[1] for row in rows if row[1] is not None], "s")
    of_bytes, byte_unit = scaled([row[3] for row in rows if row[3] is not None], "B")
    columns = (
        Column("schedule", "schedule"),
        Column("seconds", "batch", unit, scale, DIGITS),
        Column("bubble", "bubbles", digits=DIGITS),
        Column("peak_bytes", "most kept", byte_unit, of_bytes, DIGITS),
        Column("fits", "fits"),
        Column("status", "proven"),
        Column("bound_s", "bound", unit, scale, DIGITS),
        Column("reason", "reason"),
    )
    table = Table("schedules", f"Schedules of {name}", columns, entry_rows(columns, rows))
    return TableDocument("schedules", table, (table,))
